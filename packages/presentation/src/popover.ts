import { POPOVER_RANGE } from '@stet/presentation/constants';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@stet/domain/sla';

export type DurationParts = { days: number; hours: number; minutes: number };

const GRAIN_MS = POPOVER_RANGE.minuteStep * MINUTE_MS;
const MAX_MS = POPOVER_RANGE.maxDays * DAY_MS + POPOVER_RANGE.maxHours * HOUR_MS + POPOVER_RANGE.maxMinutes * MINUTE_MS;

/**
 * Returns the dropdown values for a duration in milliseconds; all zero for no SLA. The duration is rounded up to a
 * multiple of five minutes, so that a short SLA (`1m`) doesn't become none, and limited to 30 days 23 hours 55 minutes.
 */
export function splitDuration(ms: number | null): DurationParts {
  const grains = Math.ceil(Math.min(Math.max(ms ?? 0, 0), MAX_MS) / GRAIN_MS);
  const whole = grains * GRAIN_MS;
  return {
    days: Math.floor(whole / DAY_MS),
    hours: Math.floor((whole % DAY_MS) / HOUR_MS),
    minutes: Math.floor((whole % HOUR_MS) / MINUTE_MS),
  };
}

/** Returns the milliseconds of dropdown values; null if all are zero, which means no SLA. */
export function joinDuration({ days, hours, minutes }: DurationParts): number | null {
  const ms = days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;
  return ms === 0 ? null : ms;
}
