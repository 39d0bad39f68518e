import { appendFile, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitNotes } from '@stet/domain/audit';
import { makeDataFolder } from '../../kernel/data-folder.ts';

const fileOf = (dataDir: string, orgId: string): string => join(dataDir, 'checkpoints', `${orgId}.txt`);

/**
 * Appends a checkpoint to a file outside the database. The checkpoint is on disk when the promise resolves. An attacker
 * who rewrites the trail in the database would also have to change this file, but lacks the key to sign checkpoints.
 */
export async function saveCheckpoint(dataDir: string, orgId: string, note: string): Promise<void> {
  await makeDataFolder(dataDir, 'checkpoints');
  const file = await open(fileOf(dataDir, orgId), 'a', 0o600);
  try {
    await file.appendFile(`${note}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

// A note is about 400 bytes long.
const TAIL_BYTES = 512 * 1024;

/** Reads the newest checkpoints in the file, at most about 1300, oldest first. Empty if there is no file. */
export async function savedCheckpoints(dataDir: string, orgId: string): Promise<string[]> {
  const text = await tailOf(fileOf(dataDir, orgId));
  return splitNotes(text);
}

/** Moves the checkpoints that `stays` rejects to a separate file, because the database no longer has their events. */
export async function setAsideCheckpoints(
  dataDir: string,
  orgId: string,
  stays: (note: string) => boolean,
): Promise<void> {
  const path = fileOf(dataDir, orgId);
  const notes = splitNotes(await readFile(path, 'utf8'));
  const textOf = (some: readonly string[]): string => some.map((note) => `${note}\n`).join('');
  const [remaining, aside] = [notes.filter(stays), notes.filter((note) => !stays(note))];
  await appendFile(join(dataDir, 'checkpoints', `${orgId}.set-aside.txt`), textOf(aside), { mode: 0o600, flush: true });
  await writeFile(`${path}.part`, textOf(remaining), { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}

async function tailOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size <= TAIL_BYTES) return await readFile(file, 'utf8');
      const { buffer } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, size - TAIL_BYTES);
      const text = buffer.toString('utf8');
      // The chunk that was read may start in the middle of a note. The next note begins after an empty line.
      return text.slice(text.indexOf('\nstet/') + 1);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
