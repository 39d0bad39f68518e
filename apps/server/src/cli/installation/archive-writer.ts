import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readdirSync, rmSync, statSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandProblem } from '../command.ts';
import { type Encryption, encrypting } from './age.ts';
import type { BackupEnd, BackupLine, Row } from './backup-format.ts';
import { onInterruption } from './interruption.ts';

export type ArchiveWriter = {
  write: (...lines: (Exclude<BackupLine, BackupEnd> | Row)[]) => Promise<void>;
  /**
   * Completes the archive and gives it its final name. When the promise resolves, the file is on disk. Returns its
   * size in bytes.
   */
  finish: (end: Omit<BackupEnd, 'type' | 'sha256'>) => Promise<number>;
  abandon: () => Promise<void>;
};

/**
 * Writes an archive that only its owner can read, encrypted if this is requested. The file appears complete or not at
 * all, and replaces an existing file only if `replace` is set.
 */
export async function openArchiveWriter(
  file: string,
  { replace, encryption = null }: { replace: boolean; encryption?: Encryption | null },
): Promise<ArchiveWriter> {
  const unfinished = unfinishedName(file);
  const target = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
  await once(target, 'open').catch((error: Error) => {
    throw new CommandProblem(`${file} can't be written: ${error.message}`);
  });
  const ignoreSignals = onInterruption(() => rmSync(unfinished, { force: true }));
  const gzip = createGzip();
  const hash = createHash('sha256');
  const written = encryption
    ? pipeline(gzip, (content: AsyncIterable<Uint8Array>) => encrypting(content, encryption), target)
    : pipeline(gzip, target);
  written.catch(() => {}); // A later write or `finish` reports the error.
  const put = async (text: string): Promise<void> => {
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), written]);
  };
  return {
    write: async (...lines) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      hash.update(text);
      await put(text);
    },
    finish: async (end) => {
      await put(`${JSON.stringify({ type: 'end', ...end, sha256: hash.digest('hex') })}\n`);
      gzip.end();
      await written;
      await sync(unfinished);
      await moveIntoPlace(unfinished, file, replace);
      ignoreSignals();
      await sync(dirname(file));
      return (await stat(file)).size;
    },
    abandon: async () => {
      gzip.destroy();
      await written.catch(() => {});
      await rm(unfinished, { force: true });
      ignoreSignals();
    },
  };
}

const DAY_MS = 86_400_000;

/**
 * Returns a temporary path for a file that isn't complete yet. Also removes unfinished files for `file` that were last
 * changed more than a day ago, because killed processes left them.
 */
export function unfinishedName(file: string): string {
  const [folder, start] = [dirname(file), `${basename(file)}.`];
  const isLeft = (name: string): boolean =>
    name.startsWith(start) && /^[\da-f]{12}\.unfinished$/.test(name.slice(start.length));
  try {
    for (const name of readdirSync(folder).filter(isLeft)) {
      const path = join(folder, name);
      const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
      if (changedAt < Date.now() - DAY_MS) rmSync(path, { force: true });
    }
  } catch {
    // The folder may be writable although it can't be listed. If it can't be written either, the next step reports
    // this.
  }
  // A process id isn't enough: in containers, it is often the same as that of a killed backup, whose file would be in
  // the way.
  return join(folder, `${start}${randomBytes(6).toString('hex')}.unfinished`);
}

/** Gives a complete file its final name. Replaces an existing file only if `replace` is set. */
export async function moveIntoPlace(unfinished: string, file: string, replace: boolean): Promise<void> {
  if (replace) return rename(unfinished, file);
  // The creation of a link never replaces a file, even one that was created in the meantime.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new CommandProblem(`${file} already exists.`) : error;
  });
  await rm(unfinished);
}

/** Resolves when a file or folder is on disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
