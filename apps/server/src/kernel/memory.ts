import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
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

let collector: ((options?: { type: 'minor' }) => void) | null = null;

/** Collects all garbage, or only young garbage. */
function collect(options?: { type: 'minor' }): void {
  if (collector === null) {
    // V8 adds the function only to contexts that are created with the flag. If it is missing, the memory is freed
    // later.
    setFlagsFromString('--expose-gc');
    try {
      collector = (runInNewContext('globalThis.gc') as typeof collector | undefined) ?? (() => {});
    } finally {
      setFlagsFromString('--no-expose-gc');
    }
  }
  // In Node 24, `undefined` as the argument collects only young garbage.
  if (options) collector(options);
  else collector();
}

/**
 * Frees the memory of recent objects and buffers that are no longer in use, in about a millisecond. Meant for work that
 * creates megabytes of them, because Node would wait until there are 16 MB of objects or 64 MB of buffers.
 */
export const collectYoungGarbage = (): void => collect({ type: 'minor' });

// Below this share of its time, the main thread counts as idle. Health checks and periodic work take less.
const IDLE_SHARE = 0.05;
// A collection takes about a millisecond per megabyte in use, so it isn't worth it for less garbage than this.
const WORTH_BYTES = 16 * 2 ** 20;

/**
 * Returns a function for regular calls, which collects all garbage if the main thread was idle since the last call and
 * the heap has grown by at least 16 MB since the last collection. After a load, V8 would keep the garbage until the
 * next load, often more than twice the memory in use. Collecting more often under load would cost a tenth of the CPU
 * time. The next idle call collects once more, because V8 returns most of the freed memory to the system only then.
 */
export function openIdleCollector(
  measure: typeof performance.eventLoopUtilization = performance.eventLoopUtilization,
): () => void {
  let measured = measure();
  let kept = 0;
  let isReturned = true;
  return () => {
    const { utilization } = measure(measured);
    const hasGrown = getHeapStatistics().used_heap_size >= kept + WORTH_BYTES;
    if (utilization <= IDLE_SHARE && (hasGrown || !isReturned)) {
      // In Node 20, `type: 'major'` collects nothing.
      collect();
      kept = getHeapStatistics().used_heap_size;
      isReturned = !hasGrown;
    }
    // The collection itself doesn't count as work.
    measured = measure();
  };
}
