/** Working hours in minutes of a day, always full hours in the play. Null means elapsed time. */
export type Hours = {
  timeZone: string;
  week: readonly (readonly { from: number; to: number }[])[];
  holidays: readonly string[];
} | null;

export type Escalation = { tell: readonly string[]; againAfterMinutes: number | null };

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** A Monday so far in the future that all holidays of the play are in the future too. */
const FIRST_START = Date.parse('2099-12-14T00:00:00Z');
const STARTS = 14 * DAY_HOURS;
const LONGEST_WAIT = 90 * DAY_HOURS;

const worksAt = (hours: Hours, moment: number): boolean => {
  if (hours === null) return true;
  const date = new Date(moment);
  if (hours.holidays.includes(date.toISOString().slice(0, 10))) return false;
  const minute = date.getUTCHours() * 60;
  return (hours.week[(date.getUTCDay() + 6) % 7] ?? []).some(({ from, to }) => from <= minute && minute < to);
};

/** The length of an SLA day in hours: the working time of an average working day. */
const hoursOfDay = (hours: Hours): number => {
  const days = hours?.week.filter((day) => day.length > 0) ?? [];
  const minutes = days.flat().reduce((sum, { from, to }) => sum + to - from, 0);
  return days.length === 0 ? DAY_HOURS : minutes / days.length / 60;
};

function dueAfter(hours: Hours, start: number, workedHours: number): number {
  let left = workedHours;
  for (let hour = 0; hour < LONGEST_WAIT; hour += 1) {
    const moment = start + hour * HOUR_MS;
    if (!worksAt(hours, moment)) continue;
    if (left <= 1) return moment + left * HOUR_MS;
    left -= 1;
  }
  return Infinity;
}

/** Cached due times, because plays use few different working hours. */
const known = new Map<string, readonly number[]>();

function dueTimes(hours: Hours): readonly number[] {
  const name = JSON.stringify(hours);
  const times = known.get(name) ?? computeDueTimes(hours);
  known.set(name, times);
  return times;
}

/** The due times of steps with different SLAs, one for each starting hour of two weeks. */
function computeDueTimes(hours: Hours): number[] {
  const day = hoursOfDay(hours);
  return Array.from({ length: STARTS }, (_, hour) => FIRST_START + hour * HOUR_MS).flatMap((start) =>
    [1, 8, day, 3 * day].map((worked) => dueAfter(hours, start, worked)),
  );
}

/** True if any step would be due later, according to computed due times. A different time zone counts as later. */
function isLater(before: Hours, after: Hours): boolean {
  if (before !== null && after !== null && before.timeZone !== after.timeZone) return true;
  const was = dueTimes(before);
  return dueTimes(after).some((due, at) => due > (was[at] ?? 0) + 1);
}

/**
 * True if a change to the working hours needs a second manager because a step would be due later. A single additional
 * holiday doesn't count.
 */
export function loosensHours(before: Hours, after: Hours): boolean {
  if (!isLater(before, after)) return false;
  if (before === null || after === null) return true;
  const added = after.holidays.filter((day) => !before.holidays.includes(day));
  if (added.length !== 1) return true;
  return isLater(before, { ...after, holidays: after.holidays.filter((day) => !added.includes(day)) });
}

/**
 * True if someone who is notified of an overdue step would no longer be notified, would be reminded later, or would no
 * longer be reminded.
 */
export function loosensEscalation(before: Escalation, after: Escalation): boolean {
  const isDropped = before.tell.some((name) => !after.tell.includes(name));
  const [was, is] = [before.againAfterMinutes ?? Infinity, after.againAfterMinutes ?? Infinity];
  return isDropped || is > was;
}
