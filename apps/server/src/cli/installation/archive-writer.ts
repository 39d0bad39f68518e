import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandProblem } from '../command.ts';
import type { BackupEnd, BackupLine, Row } from './backup-format.ts';

export type ArchiveWriter = {
  write: (...lines: (Exclude<BackupLine, BackupEnd> | Row)[]) => Promise<void>;
  /** Completes the archive and gives it its name; it is on disk when this resolves. Returns its size in bytes. */
  finish: (end: Omit<BackupEnd, 'type' | 'sha256'>) => Promise<number>;
  abandon: () => Promise<void>;
};

/**
 * Writes an archive that only its owner can read. It appears complete or not at all, and never replaces an existing
 * file unless `replace` is set.
 */
export async function openArchiveWriter(file: string, { replace }: { replace: boolean }): Promise<ArchiveWriter> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  const target = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
  await once(target, 'open').catch((error: Error) => {
    throw new CommandProblem(`${file} can't be written: ${error.message}`);
  });
  const gzip = createGzip();
  const hash = createHash('sha256');
  const written = pipeline(gzip, target);
  written.catch(() => {}); // The next write reports it.
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
      await sync(dirname(file));
      return (await stat(file)).size;
    },
    abandon: async () => {
      gzip.destroy();
      await written.catch(() => {});
      await rm(unfinished, { force: true });
    },
  };
}

async function moveIntoPlace(unfinished: string, file: string, replace: boolean): Promise<void> {
  if (replace) return rename(unfinished, file);
  // A link never replaces a file, even one created while this was being written.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new CommandProblem(`${file} already exists.`) : error;
  });
  await rm(unfinished);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
