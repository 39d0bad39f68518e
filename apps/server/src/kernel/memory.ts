import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';

const { port1: nowhere, port2 } = new MessageChannel();
port2.close();

/**
 * Frees the memory of a buffer immediately. Node would wait for the next garbage collection, which it starts only after
 * about 64 MB of buffers. The buffer is empty afterwards. Nothing may still read or write it, not even a socket with
 * unsent data. A buffer that shares its memory with others isn't changed.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  // A transfer detaches the memory from its owner, and a closed port discards the data that it receives.
  if (byteLength > 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    nowhere.postMessage(null, [buffer]);
}

let collect: ((options: { type: 'minor' }) => void) | null = null;

/**
 * Frees the memory of recent objects and buffers that are no longer in use, in about a millisecond. Meant for work that
 * creates megabytes of them, because Node would wait until there are 16 MB of objects or 64 MB of buffers.
 */
export function collectYoungGarbage(): void {
  if (collect === null) {
    // V8 adds the function only to contexts that are created with the flag. If it is missing, the memory is freed
    // later.
    setFlagsFromString('--expose-gc');
    try {
      collect = (runInNewContext('globalThis.gc') as typeof collect | undefined) ?? (() => {});
    } finally {
      setFlagsFromString('--no-expose-gc');
    }
  }
  collect({ type: 'minor' });
}
