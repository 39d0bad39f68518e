import { setImmediate } from 'node:timers/promises';

/** A pause to be awaited within long work: lets other requests through when `everyMs` have gone since the last. */
export function breather(everyMs = 12): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < everyMs) return;
    await setImmediate();
    since = performance.now();
  };
}
