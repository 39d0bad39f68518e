import { DAY_MS, HOUR_MS, momentOf, offsetsOf } from '../sla/index.ts';

/** The hour when the digest is sent, in the organization's time zone. */
export const DIGEST_HOUR = 8;
/** The time zone of an organization that hasn't set one. */
export const DIGEST_ZONE = 'UTC';

/**
 * Returns the latest digest due at or before `now` (epoch milliseconds), and its day (`YYYY-MM-DD`) in its time zone.
 * It covers everything before that time. Throws for an unknown time zone.
 */
export function lastDigest(timeZone: string, now: number): { at: number; day: string } {
  const offsetAt = offsetsOf(timeZone);
  const today = Math.floor((now + offsetAt(now)) / DAY_MS) * DAY_MS;
  const at = (midnight: number): number => momentOf(midnight + DIGEST_HOUR * HOUR_MS, offsetAt);
  const midnight = at(today) <= now ? today : today - DAY_MS;
  return { at: at(midnight), day: new Date(midnight).toISOString().slice(0, 10) };
}
