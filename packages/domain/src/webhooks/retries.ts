const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// After the n-th failure. All in all a bit more than a day: a target that was away over night hears everything.
const WAITS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR, 12 * HOUR] as const;

/**
 * How many milliseconds to wait after the `failures`-th failure of a delivery, from 1; null where it is given up.
 */
export function waitAfter(failures: number): number | null {
  return WAITS[failures - 1] ?? null;
}

/**
 * For how many milliseconds nothing at all is sent to a target that has failed so many times in a row: a dead one costs a
 * try now and then, however much waits for it.
 */
export function holdAfter(failuresInRow: number): number {
  if (failuresInRow < 3) return 0;
  return Math.min(10 * SECOND * 2 ** Math.min(failuresInRow - 3, 20), 5 * MINUTE);
}

/** How long, in milliseconds, a rotated secret signs beside the new one. */
export const ROTATION_GRACE_MS = 24 * HOUR;
