import type { Tx } from '../../../kernel/database.ts';
import { findChunk, saveChunk } from './files.sql.ts';

type FilePlace = { orgId: string; fileId: string };

/**
 * The port to the bytes of files. They are in PostgreSQL, so that backups, row-level security and transactions include
 * them.
 */
export const fileStore = {
  put: (tx: Tx, file: FilePlace, n: number, bytes: Uint8Array): void => tx.write(saveChunk, { ...file, n, bytes }),
  /** Returns a chunk, or null if there is none. */
  get: async (tx: Tx, file: FilePlace, n: number): Promise<Buffer | null> =>
    (await tx.maybeOne(findChunk, { ...file, n }))?.bytes ?? null,
};
