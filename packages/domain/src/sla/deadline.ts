import { addWorkingMs, type WorkCalendar, workingDayMs, workingMsBetween } from './calendar.ts';
import { AT_RISK_SHARE, type Clock, shiftedByPause } from './clock.ts';
import { DAY_MS, slaMsOf } from './duration.ts';

/**
 * The due time of a clock, in epoch milliseconds; null without an SLA. `riskAt` is set if working hours apply, because
 * then it can't be computed from elapsed time.
 */
export type Deadline = { dueAt: number | null; riskAt?: number };

/**
 * Returns the length of an SLA in milliseconds, or null if the text sets none. With working hours, `1 day` is one
 * working day (decision 42).
 */
export function countedSlaMs(sla: string, calendar: WorkCalendar | null): number | null {
  return slaMsOf(sla, calendar ? workingDayMs(calendar) : DAY_MS);
}

/** Returns the deadline of a clock that starts at `from` with `slaMs` left, by the calendar or in elapsed time. */
export function deadlineOf(from: number, slaMs: number | null, calendar: WorkCalendar | null): Deadline {
  if (slaMs === null) return { dueAt: null };
  if (!calendar) return { dueAt: from + slaMs };
  return {
    dueAt: addWorkingMs(calendar, from, slaMs),
    riskAt: addWorkingMs(calendar, from, Math.ceil(slaMs * AT_RISK_SHARE)),
  };
}

/**
 * Returns the deadline after a pause. In elapsed time it moves by the length of the pause. In working hours the
 * remaining time is counted from the end of the pause, so that a weekend within the pause isn't counted twice. A time
 * that had passed before the pause moves by its length.
 */
export function resumedDeadline(
  { dueAt, riskAt }: Deadline,
  { pausedSince, at }: { pausedSince: number; at: number },
  calendar: WorkCalendar | null,
): Deadline {
  const pauseMs = at - pausedSince;
  const moved = (moment: number): number => {
    if (!calendar || moment <= pausedSince) return moment + Math.max(0, pauseMs);
    return addWorkingMs(calendar, at, workingMsBetween(calendar, pausedSince, moment));
  };
  if (dueAt === null || riskAt === undefined) return { dueAt: shiftedByPause(dueAt, pauseMs) };
  return { dueAt: moved(dueAt), riskAt: moved(riskAt) };
}

/**
 * Returns the share of its SLA that a clock in working hours had used at `at`, excluding pauses. Null without an SLA,
 * or if it contains no working time.
 */
export function workedShareOf(clock: Clock, at: number, calendar: WorkCalendar): number | null {
  if (clock.dueAt === null) return null;
  const began = clock.activatedAt + (clock.pausedMs ?? 0);
  const left = workingMsBetween(calendar, at, clock.dueAt);
  const late = workingMsBetween(calendar, clock.dueAt, at);
  const whole = workingMsBetween(calendar, began, clock.dueAt);
  return whole > 0 ? Math.max(0, whole - left + late) / whole : null;
}
