import type { Log } from './log.ts';

/**
 * Runs the work every `everyMs` milliseconds, never twice at once; a failure is logged, and the next run tries again.
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
          // Requests that fail already log a short database outage.
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
