import { FILE_LIMITS } from '@stet/domain/steps';
import type { Tenant } from '../../../kernel/actor.ts';
import type { Database } from '../../../kernel/database.ts';
import type { ByteRange } from './byte-range.ts';
import { fileStore } from './file-store.ts';

export const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

let last: Promise<unknown> = Promise.resolve();

/**
 * Starts `work` once all earlier work has ended. `pg` receives each chunk as text. If several were read at the same
 * time, garbage collections of the young generation couldn't free these texts soon enough. Reading a chunk takes
 * milliseconds.
 */
function oneAfterTheOther<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => undefined);
  return mine;
}

/** Reads a part of a file, each chunk in its own transaction, so that a slow client doesn't occupy a connection. */
export async function* bytesOf(
  db: Database,
  tenant: Tenant & { orgId: string },
  fileId: string,
  { from, length }: ByteRange,
): AsyncGenerator<Buffer> {
  const file = { orgId: tenant.orgId, fileId };
  for (let at = from; at < from + length;) {
    const n = Math.floor(at / FILE_LIMITS.chunk);
    const part = {
      from: at % FILE_LIMITS.chunk,
      length: Math.min((n + 1) * FILE_LIMITS.chunk, from + length) - at,
    };
    const pieces = await oneAfterTheOther(() => db.transaction(tenant, (tx) => fileStore.read(tx, file, n, part)));
    if (lengthOf(pieces) !== part.length) throw new Error(`chunk ${n} of file ${fileId} is incomplete`);
    yield* pieces;
    at += part.length;
  }
}
