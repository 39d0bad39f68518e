import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The installation's secret: the configured one, else the one kept in the data directory, made at the first start.
 * Two first starters at once end up with the same: a link can't replace a file that is there.
 */
export function secretKey(configured: string | undefined, dataDir: string): string {
  if (configured) return configured;
  const folder = join(dataDir, 'keys');
  const file = join(folder, 'secret');
  const read = (): string | null => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  const kept = read();
  if (kept) return kept;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(made, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  return read() ?? '';
}
