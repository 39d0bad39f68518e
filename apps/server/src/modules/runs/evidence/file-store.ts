import type { Tx } from '../../../kernel/database.ts';
import { collectYoungGarbage } from '../../../kernel/memory.ts';
import { listPieces, saveChunk } from './files.sql.ts';

type FilePlace = { orgId: string; fileId: string };
/** Offset and length in bytes. */
type Part = { from: number; length: number };

/**
 * The port for storing the bytes of files. They are in PostgreSQL, so that backups, row-level security and transactions
 * include them.
 */
export const fileStore = {
  put: (tx: Tx, file: FilePlace, n: number, bytes: Uint8Array): void => tx.write(saveChunk, { ...file, n, bytes }),
  /**
   * Reads a part of a chunk in pieces, which the caller can free with `freeBuffer`. Returns no pieces if the chunk
   * doesn't exist.
   */
  read: async (tx: Tx, file: FilePlace, n: number, { from, length }: Part): Promise<Buffer[]> => {
    const pieces = (await tx.many(listPieces, { ...file, n, from, length })).map(({ bytes }) => bytes);
    uncollected += length;
    if (uncollected >= COLLECTED_BYTES) {
      uncollected = 0;
      collectYoungGarbage();
    }
    return pieces;
  },
};

/** Number of bytes that are read between two garbage collections, which free the texts received from PostgreSQL. */
const COLLECTED_BYTES = 512 * 1024;
let uncollected = 0;
