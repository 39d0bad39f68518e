import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere, port2 } = new MessageChannel();
port2.close();

/**
 * Frees the memory of a buffer immediately instead of at the next garbage collection, which Node starts only after about
 * 64 MB of buffers. The buffer is empty afterwards. Nothing may still read or write it, not even a socket with unsent data.
 * A buffer that shares its memory with others stays as it is.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  // A transfer takes the memory away from its owner, and a closed port discards what it gets.
  if (byteLength > 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    nowhere.postMessage(null, [buffer]);
}

let collect: ((options: { type: 'minor' }) => void) | null = null;

/**
 * Frees the memory of recent objects and buffers that aren't in use any more, in about a millisecond. For work that leaves
 * megabytes of them: Node would wait until there are 16 MB of objects or 64 MB of buffers.
 */
export function collectYoungGarbage(): void {
  if (collect === null) {
    // V8 adds the function only to contexts that are created with the flag. Without it, the memory is freed later.
    setFlagsFromString('--expose-gc');
    try {
      collect = (runInNewContext('globalThis.gc') as typeof collect | undefined) ?? (() => {});
    } finally {
      setFlagsFromString('--no-expose-gc');
    }
  }
  collect({ type: 'minor' });
}
