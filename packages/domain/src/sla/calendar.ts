import { DAY_MS, MINUTE_MS } from './duration.ts';
import { isTimeZone, momentOf, offsetsOf } from './time-zone.ts';

/** A working period within one day, in minutes from local midnight, between 0 and 1440 (the next midnight). */
type WorkingPeriod = { from: number; to: number };

/**
 * An organization's working hours (decision 42): an IANA time zone, the periods of each weekday from Monday to Sunday
 * in order, and holidays as `YYYY-MM-DD`. Other functions expect a calendar without `calendarProblems`.
 */
export type WorkCalendar = {
  timeZone: string;
  week: readonly (readonly WorkingPeriod[])[];
  holidays: readonly string[];
};

export const CALENDAR_LIMITS = { periodsPerDay: 4, holidays: 400, minutesPerWeek: 60 } as const;

type CalendarProblem = { field: keyof WorkCalendar; problem: string };

/** Returns the reasons why a calendar is invalid, each as a sentence; empty if it is valid. */
export function calendarProblems({ timeZone, week, holidays }: WorkCalendar): CalendarProblem[] {
  const problems: CalendarProblem[] = [];
  const refuse = (field: keyof WorkCalendar, problem: string): void => void problems.push({ field, problem });
  if (!isTimeZone(timeZone)) refuse('timeZone', 'Unknown time zone');
  if (week.length !== 7) refuse('week', 'A week must have seven days');
  if (week.some((day) => day.length > CALENDAR_LIMITS.periodsPerDay))
    refuse('week', `A day can have at most ${CALENDAR_LIMITS.periodsPerDay} working periods`);
  if (!week.every(isDayInOrder)) refuse('week', 'Working hours must end after they start, and can’t overlap');
  if (weekMinutes(week) < CALENDAR_LIMITS.minutesPerWeek) refuse('week', 'A week must have at least one working hour');
  if (holidays.length > CALENDAR_LIMITS.holidays)
    refuse('holidays', `A calendar can have at most ${CALENDAR_LIMITS.holidays} holidays`);
  if (holidays.some((day) => !isCalendarDay(day)))
    refuse('holidays', 'A holiday must be a date, for example 2026-12-25');
  return problems;
}

/**
 * Returns the length of `1 day` of an SLA in this calendar, in milliseconds: the average working time of a working day.
 */
export function workingDayMs({ week }: WorkCalendar): number {
  const days = week.filter((day) => day.length > 0).length;
  return days === 0 ? DAY_MS : Math.round(weekMinutes(week) / days) * MINUTE_MS;
}

/**
 * Returns the time when `ms` of working time have passed since `from`, both in epoch milliseconds. The result is within
 * working time or at its end; if `ms` is zero, it is `from` itself. Clock changes count in real time: an hour that is
 * skipped in spring doesn't count, and one that is repeated in autumn counts twice. Beyond ten years, average weeks are
 * used.
 */
export function addWorkingMs(calendar: WorkCalendar, from: number, ms: number): number {
  let left = ms;
  if (left <= 0) return from;
  for (const { start, end } of workingTimes(calendar, from)) {
    const begin = Math.max(start, from);
    const worth = Math.max(0, end - begin);
    if (left <= worth) return begin + left;
    left -= worth;
  }
  return from + EXACT_DAYS * DAY_MS + Math.ceil(left / workedShare(calendar));
}

/** Returns the working time between two times, in milliseconds; zero if the second is not later. */
export function workingMsBetween(calendar: WorkCalendar, from: number, to: number): number {
  let sum = 0;
  if (to <= from) return 0;
  for (const { start, end } of workingTimes(calendar, from)) {
    if (start >= to) return sum;
    sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return sum + Math.max(0, Math.floor((to - from - EXACT_DAYS * DAY_MS) * workedShare(calendar)));
}

// The search needs a limit, and the exact minute doesn't matter ten years ahead.
const EXACT_DAYS = 3660;

const workedShare = ({ week }: WorkCalendar): number => (weekMinutes(week) * MINUTE_MS) / (7 * DAY_MS);

/** Returns the working times in order from the day of `from`, for the days that are counted exactly. */
function* workingTimes(calendar: WorkCalendar, from: number): Generator<{ start: number; end: number }> {
  const offsetAt = offsetsOf(calendar.timeZone);
  const holidays = new Set(calendar.holidays);
  // Local midnight of that day, read as UTC.
  const first = Math.floor((from + offsetAt(from)) / DAY_MS) * DAY_MS;
  let offset: number | null = null;
  for (let n = 0; n < EXACT_DAYS; n += 1) {
    const day = first + n * DAY_MS;
    // Computing an offset costs more than everything else, and most weeks have only one offset.
    if (n % 7 === 0) {
      const before = offsetAt(day - DAY_MS);
      offset = before === offsetAt(day + 8 * DAY_MS) ? before : null;
    }
    if (holidays.size > 0 && holidays.has(new Date(day).toISOString().slice(0, 10))) continue;
    // 1970 began on a Thursday.
    for (const { from: begins, to: ends } of calendar.week[(Math.floor(day / DAY_MS) + 3) % 7] ?? []) {
      const [start, end] = [begins, ends].map((minute) => {
        const local = day + minute * MINUTE_MS;
        return offset === null ? momentOf(local, offsetAt) : local - offset;
      });
      if (start !== undefined && end !== undefined && end > start) yield { start, end };
    }
  }
}

function isDayInOrder(day: readonly WorkingPeriod[]): boolean {
  let last = -1;
  for (const { from, to } of day) {
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to > 1440 || from < last || to <= from)
      return false;
    last = to;
  }
  return true;
}

function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

function weekMinutes(week: WorkCalendar['week']): number {
  return week.flat().reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
}
