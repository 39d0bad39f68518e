import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitNotes } from '@stet/domain/audit';

const fileOf = (dataDir: string, orgId: string): string => join(dataDir, 'checkpoints', `${orgId}.txt`);

/**
 * Keeps a checkpoint outside the database, behind those before it; it is on the disk when this resolves.
 * Whoever rewrites the database's trail would have to change this file too, and has no key to sign with.
 */
export async function keepCheckpoint(dataDir: string, orgId: string, note: string): Promise<void> {
  await mkdir(join(dataDir, 'checkpoints'), { recursive: true, mode: 0o700 });
  const file = await open(fileOf(dataDir, orgId), 'a', 0o600);
  try {
    await file.appendFile(`${note}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

// A note has some 400 bytes.
const TAIL_BYTES = 512 * 1024;

/** The newest checkpoints of the file, a thousand or so, oldest first; none where there is no file. */
export async function keptCheckpoints(dataDir: string, orgId: string): Promise<string[]> {
  const text = await tailOf(fileOf(dataDir, orgId));
  return splitNotes(text);
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size <= TAIL_BYTES) return await readFile(file, 'utf8');
      const { buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, size - TAIL_BYTES);
      const text = buffer.toString('utf8');
      // The first note of the tail is cut somewhere; the next one begins behind an empty line.
      return text.slice(text.indexOf('\nstet/') + 1);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
