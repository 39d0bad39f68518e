const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// The waits after each failure add up to a bit more than a day, so a target that was down overnight receives
// everything.
const WAITS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR, 12 * HOUR] as const;

/**
 * Returns the milliseconds to wait after a delivery's nth failure (`failures`, at least 1); null after the last
 * attempt.
 */
export function waitAfter(failures: number): number | null {
  return WAITS[failures - 1] ?? null;
}

/**
 * Returns the milliseconds for which all deliveries to a target pause after this many consecutive failures. The pause
 * limits a dead target to an occasional attempt, however many deliveries are pending.
 */
export function pauseAfterFailures(failuresInRow: number): number {
  if (failuresInRow < 3) return 0;
  return Math.min(10 * SECOND * 2 ** Math.min(failuresInRow - 3, 20), 5 * MINUTE);
}

/** How long a rotated secret is used for signatures in addition to the new one, in milliseconds. */
export const ROTATION_GRACE_MS = 24 * HOUR;
