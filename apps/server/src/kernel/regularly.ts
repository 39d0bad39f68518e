import type { Log } from './log.ts';

/** Does the work every `everyMs`, never twice at once; a failure is logged, and tried again the next time. */
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
          // A database that is away for a minute is told once, by those whom it fails.
          if (failures === 3) log.warn({ err: error }, 'regular work fails');
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
