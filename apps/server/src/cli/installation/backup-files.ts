import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupLine } from './backup-format.ts';

/** The folders of the data directory that a backup contains. The database is read with SQL instead. */
export const BACKUP_FOLDERS = ['keys', 'checkpoints', 'mail'] as const;
type FileLine = Extract<BackupLine, { type: 'file' }>;

const PIECE_BYTES = 512 * 1024;

/**
 * The current size of each file in a folder, in bytes, by its path below the data directory. Excludes unfinished files.
 */
export function measure(dataDir: string, folder: (typeof BACKUP_FOLDERS)[number]): Map<string, number> {
  let names: string[];
  try {
    names = readdirSync(join(dataDir, folder)).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  const lengths = new Map<string, number>();
  for (const name of names) {
    const found = statSync(join(dataDir, folder, name), { throwIfNoEntry: false });
    if (found?.isFile() && !name.endsWith('.part')) lengths.set(`${folder}/${name}`, found.size);
  }
  return lengths;
}

/** Reads the first `length` bytes of a file in chunks. */
export async function* piecesOf(dataDir: string, path: string, length: number): AsyncGenerator<FileLine> {
  const file = await open(join(dataDir, path), 'r');
  try {
    const mode = (await file.stat()).mode & 0o777;
    for (let from = 0; from < length || from === 0; from += PIECE_BYTES) {
      const wanted = Math.min(PIECE_BYTES, length - from);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, from);
      yield { type: 'file', path, mode, base64: buffer.subarray(0, bytesRead).toString('base64') };
    }
  } finally {
    await file.close();
  }
}

/** Appends a chunk to a file. */
export function putPiece(dataDir: string, { path, mode, base64 }: FileLine): void {
  const target = join(dataDir, path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(target, Buffer.from(base64, 'base64'), { flag: 'a', mode });
}
