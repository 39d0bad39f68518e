import { DAY_MS, HOUR_MS, momentOf, offsetsOf } from '../sla/index.ts';

/** The hour of the day, on the organization's clock, at which what was held back is told. */
export const DIGEST_HOUR = 8;
/** The clock of an organization that has not said where it works. */
export const DIGEST_ZONE = 'UTC';

/**
 * The latest time that a digest was due at `now` (epoch milliseconds) or before, and the day (`YYYY-MM-DD`) that it is of
 * in its zone. What was told before that moment belongs into it. Throws for a zone that is not known.
 */
export function lastDigest(timeZone: string, now: number): { at: number; day: string } {
  const offsetAt = offsetsOf(timeZone);
  const today = Math.floor((now + offsetAt(now)) / DAY_MS) * DAY_MS;
  const at = (midnight: number): number => momentOf(midnight + DIGEST_HOUR * HOUR_MS, offsetAt);
  const midnight = at(today) <= now ? today : today - DAY_MS;
  return { at: at(midnight), day: new Date(midnight).toISOString().slice(0, 10) };
}
