import { DAY_MS, MINUTE_MS } from './duration.ts';
import { isTimeZone, momentOf, offsetsOf } from './time-zone.ts';

/** Working time of one day, in minutes from midnight of its time zone: from 0, until at most 1440, which is the next midnight. */
type WorkingPeriod = { from: number; to: number };

/**
 * When an organization works (rulings, section 7): an IANA time zone, the periods of each weekday from Monday to Sunday in
 * order, and days without work as `YYYY-MM-DD`. Only what `calendarProblems` finds nothing wrong with may be counted in.
 */
export type WorkCalendar = {
  timeZone: string;
  week: readonly (readonly WorkingPeriod[])[];
  holidays: readonly string[];
};

export const CALENDAR_LIMITS = { periodsPerDay: 4, holidays: 400, minutesPerWeek: 60 } as const;

/** What keeps a calendar from being counted in, as sentences; empty where nothing does. */
export function calendarProblems({ timeZone, week, holidays }: WorkCalendar): string[] {
  const problems: string[] = [];
  if (!isTimeZone(timeZone)) problems.push('This time zone is not known');
  if (week.length !== 7) problems.push('A week has seven days');
  if (week.some((day) => day.length > CALENDAR_LIMITS.periodsPerDay))
    problems.push(`A day has at most ${CALENDAR_LIMITS.periodsPerDay} working periods`);
  if (!week.every(isDayInOrder)) problems.push('Working hours end after they begin, and don’t overlap');
  if (weekMinutes(week) < CALENDAR_LIMITS.minutesPerWeek) problems.push('A week needs at least one working hour');
  if (holidays.length > CALENDAR_LIMITS.holidays)
    problems.push(`A calendar has at most ${CALENDAR_LIMITS.holidays} holidays`);
  if (holidays.some((day) => !isCalendarDay(day))) problems.push('A holiday is a day such as 2026-12-25');
  return problems;
}

/** What `1 day` of an SLA is in this calendar, in milliseconds: the working time of an average working day. */
export function workingDayMs({ week }: WorkCalendar): number {
  const days = week.filter((day) => day.length > 0).length;
  return days === 0 ? DAY_MS : Math.round(weekMinutes(week) / days) * MINUTE_MS;
}

/**
 * The moment at which `ms` of working time have passed since `from`; both moments epoch milliseconds. It lies within
 * working time, or at its end; with none to pass it is `from` itself. Changes of the zone's clock are counted as they fall:
 * an hour that a night in spring leaves out is not worked, the one that a night in autumn repeats is. What lies more than
 * ten years away is reckoned by average weeks.
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

/** How much working time lies between two moments, in milliseconds; none where the second is not the later. */
export function workingMsBetween(calendar: WorkCalendar, from: number, to: number): number {
  let sum = 0;
  if (to <= from) return 0;
  for (const { start, end } of workingTimes(calendar, from)) {
    if (start >= to) return sum;
    sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
  return sum + Math.max(0, Math.floor((to - from - EXACT_DAYS * DAY_MS) * workedShare(calendar)));
}

// Nobody waits for the minute of a day in ten years, and the count has to end.
const EXACT_DAYS = 3660;

const workedShare = ({ week }: WorkCalendar): number => (weekMinutes(week) * MINUTE_MS) / (7 * DAY_MS);

/** The working times from the day of `from` on, in order, for the days that are counted exactly. */
function* workingTimes(calendar: WorkCalendar, from: number): Generator<{ start: number; end: number }> {
  const offsetAt = offsetsOf(calendar.timeZone);
  const holidays = new Set(calendar.holidays);
  // Local midnight of that day, written as if it were UTC.
  const first = Math.floor((from + offsetAt(from)) / DAY_MS) * DAY_MS;
  let offset: number | null = null;
  for (let n = 0; n < EXACT_DAYS; n += 1) {
    const day = first + n * DAY_MS;
    // Asking for an offset costs more than all the rest, and most weeks have one.
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
