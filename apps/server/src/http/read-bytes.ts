import type { IncomingMessage } from 'node:http';
import { freeBuffer } from '../kernel/memory.ts';
import { Refused } from '../kernel/refused.ts';

/**
 * Reads a body of at most `limit` bytes into one buffer. Refuses a body that is longer, or that ends before its
 * declared length.
 */
export async function readBytes(body: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = body.headers['content-length'];
  const expected = declared === undefined ? limit : Number(declared);
  if (expected > limit) throw new Refused({ code: 'too_large' });
  // The buffer isn't from the pool, so that its memory can be freed.
  const bytes = Buffer.allocUnsafeSlow(expected);
  let length = 0;
  // An iterator would join pieces that arrive together, which needs additional memory.
  await new Promise<void>((resolve, reject) => {
    body.on('data', (piece: Buffer) => {
      if (length + piece.length > expected) return reject(new Refused({ code: 'too_large' }));
      piece.copy(bytes, length);
      length += piece.length;
      freeBuffer(piece);
    });
    body.once('end', resolve);
    body.once('close', () => reject(new Refused({ code: 'client_gone' })));
    body.once('error', () => reject(new Refused({ code: 'client_gone' })));
    if (body.destroyed) reject(new Refused({ code: 'client_gone' }));
  });
  return length === expected ? bytes : bytes.subarray(0, length);
}
