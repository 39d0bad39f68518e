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
  /** Seals the archive and gives it its name; it is on the disk when this resolves. Answers its size in bytes. */
  finish: (end: Omit<BackupEnd, 'type' | 'sha256'>) => Promise<number>;
  abandon: () => Promise<void>;
};

/** Writes an archive that only its owner may read. A file is there whole or not at all; one that is there is kept. */
export async function openArchiveWriter(file: string, { replace }: { replace: boolean }): Promise<ArchiveWriter> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  const target = createWriteStream(unfinished, { mode: 0o600, flags: 'wx' });
  await once(target, 'open').catch((error: Error) => {
    throw new CommandProblem(`${file} can't be written: ${error.message}`);
  });
  const gzip = createGzip();
  const hash = createHash('sha256');
  const written = pipeline(gzip, target);
  written.catch(() => {}); // Met by whoever writes next.
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
      await settle(unfinished, file, replace);
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

async function settle(unfinished: string, file: string, replace: boolean): Promise<void> {
  if (replace) return rename(unfinished, file);
  // A link replaces nothing, also where the file came to be while this was written.
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new CommandProblem(`${file} is there already.`) : error;
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
