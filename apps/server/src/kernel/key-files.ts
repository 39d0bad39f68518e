import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BadConfiguration } from './config.ts';

/**
 * Reads a text file, or creates it, readable only by its owner, if it is missing. Two concurrent starts get the same
 * text, because the creation of a link can't replace an existing file. Refuses an empty file: a key in it was lost,
 * and a new one couldn't read what the old one encrypted.
 */
export function readOrCreate(file: string, make: () => string): string {
  const read = (): string | null => {
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text === '') throw new BadConfiguration([`${file} is empty. Restore it from a backup.`]);
      return text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  const existing = read();
  if (existing !== null) return existing;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(made, `${make().trim()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  return read() ?? '';
}

/**
 * The installation's secret: the configured one, or the one in the data directory, which is created at the first start.
 */
export function secretKey(configured: string | undefined, dataDir: string): string {
  return configured ?? readOrCreate(join(dataDir, 'keys', 'secret'), () => randomBytes(48).toString('base64url'));
}
