import type { Log } from './log.ts';

/**
 * Runs the work every `everyMs` milliseconds, never concurrently. A failed run is retried the next time. Logs the third
 * failure in a row.
 */
export function regularly(everyMs: number, work: () => Promise<unknown>, log: Log): { stop: () => Promise<void> } {
  let working: Promise<void> | null = null;
  let failures = 0;
  const timer = setInterval(() => {
    working ??= work()
      .then(
        () => {
          failures = 0;
        },
        (error: unknown) => {
          failures += 1;
          // A short database outage is already logged by the requests that fail.
          if (failures === 3) log.warn({ err: error }, 'a periodic task keeps failing');
        },
      )
      .finally(() => (working = null));
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}
