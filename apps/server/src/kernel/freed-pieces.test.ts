import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { FreedPieces } from './freed-pieces.ts';

const PIECE = 32 * 1024;
let stop = (): void => {};
afterEach(() => stop());

/** Serves pieces of different bytes. Returns the address, the pieces, and whether their source was closed. */
async function serve(count: number) {
  const pieces: Buffer[] = [];
  const source = { isClosed: false };
  async function* make(): AsyncGenerator<Buffer> {
    try {
      for (let n = 0; n < count; n += 1) {
        const piece = Buffer.allocUnsafeSlow(PIECE).fill(n % 251);
        pieces.push(piece);
        yield piece;
      }
    } finally {
      source.isClosed = true;
    }
  }
  const server = createServer((_, response) => {
    const stream = new FreedPieces(make());
    response.once('close', () => stream.destroy());
    stream.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => void server.close();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pieces, source };
}

describe('a stream of pieces that are freed', () => {
  it('arrives completely at a slow client, and then all pieces are freed', async () => {
    const count = 300;
    const { url, pieces, source } = await serve(count);
    const parts: Buffer[] = [];
    const response = await fetch(url);
    for await (const part of response.body ?? []) {
      parts.push(Buffer.from(part as Uint8Array));
      if (parts.length % 20 === 0) await sleep(5);
    }
    const received = Buffer.concat(parts);
    expect(received).toHaveLength(count * PIECE);
    for (let n = 0; n < count; n += 1) expect(received[n * PIECE + n]).toBe(n % 251);
    await expect.poll(() => pieces.filter(({ length }) => length > 0)).toEqual([]);
    expect(source.isClosed).toBe(true);
  });

  it('closes its source if the client disconnects', async () => {
    const { url, pieces, source } = await serve(10_000);
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await expect.poll(() => source.isClosed).toBe(true);
    expect(pieces.length).toBeLessThan(10_000);
  });
});
