import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandProblem } from '../command.ts';
import { moveIntoPlace, sync, unfinishedName } from '../installation/archive-writer.ts';
import { onInterruption } from '../installation/interruption.ts';
import { BLOCK, paddingOf, tarHeader } from './tar.ts';

export type Content = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
export type Added = { path: string; size: number; sha256: string };

export type TarWriter = {
  /** Adds a file. Its content is written as it arrives, so it can be larger than memory. */
  add: (path: string, content: Content) => Promise<Added>;
  /**
   * Completes the archive and gives it its name. Returns its size in bytes. When the promise resolves, the archive is
   * on disk.
   */
  finish: () => Promise<number>;
  abandon: () => Promise<void>;
};

// Smaller pieces are collected up to this size before they are written.
const PIECE_BYTES = 256 * 1024;

/**
 * Writes a tar archive that only its owner can read. The file appears complete or not at all, and replaces an existing
 * file only if `replace` is set.
 *
 * @param at the time of all its files, in seconds since 1970
 */
export async function openTarWriter(
  target: string,
  { replace, at }: { replace: boolean; at: number },
): Promise<TarWriter> {
  const unfinished = unfinishedName(target);
  const file = await open(unfinished, 'wx', 0o600).catch((error: Error) => {
    throw new CommandProblem(`${target} can't be written: ${error.message}`);
  });
  const ignoreSignals = onInterruption(() => rmSync(unfinished, { force: true }));
  let end = 0;
  return {
    add: async (path, content) => {
      const { size, sha256 } = await writeContent(file, end + BLOCK, content);
      // The size is known only now, so the header is written last.
      await writeAll(file, tarHeader({ path, size, at }), end);
      await writeAll(file, Buffer.alloc(paddingOf(size)), end + BLOCK + size);
      end += BLOCK + size + paddingOf(size);
      return { path, size, sha256 };
    },
    finish: async () => {
      await writeAll(file, Buffer.alloc(2 * BLOCK), end);
      await file.sync();
      await file.close();
      await moveIntoPlace(unfinished, target, replace);
      ignoreSignals();
      await sync(dirname(target));
      return end + 2 * BLOCK;
    },
    abandon: async () => {
      await file.close().catch(() => {});
      await rm(unfinished, { force: true });
      ignoreSignals();
    },
  };
}

async function writeContent(
  file: FileHandle,
  start: number,
  content: Content,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(waiting, waitingBytes);
    [waiting, waitingBytes] = [[], 0];
    hash.update(bytes);
    await writeAll(file, bytes, start + size);
    size += bytes.length;
  };
  for await (const piece of content) {
    const bytes =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes >= PIECE_BYTES) await flush();
  }
  await flush();
  return { size, sha256: hash.digest('hex') };
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
