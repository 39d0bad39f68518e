import { type WorkCalendar, workingDayMs } from './calendar.ts';
import { DAY_MS } from './duration.ts';

/** An organization can add a holiday without a second manager as long as its year has at most this many. */
export const MAX_HOLIDAYS_PER_YEAR = 30;

const WALL_CLOCK: Pick<WorkCalendar, 'week' | 'holidays'> = {
  week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]),
  holidays: [],
};

/**
 * True if a new calendar could postpone a due time; null is elapsed time. The new calendar can't do so if it contains
 * all previous working time and its working day isn't longer. A different time zone always counts as a delay. Past
 * holidays, and holidays on non-working days, delay nothing.
 * @param today the day in the time zone of the calendars, `YYYY-MM-DD`
 */
export function delaysDueTimes(before: WorkCalendar | null, after: WorkCalendar | null, today: string): boolean {
  if (before !== null && after !== null && before.timeZone !== after.timeZone) return true;
  const [was, is] = [before ?? WALL_CLOCK, after ?? WALL_CLOCK];
  const isStillWorked = was.week.every((day, weekday) => isCovered(day, is.week[weekday] ?? []));
  return !isStillWorked || addedHolidays(was, is, today).length > 0 || dayMsOf(after) > dayMsOf(before);
}

/**
 * True if a change only adds one future holiday and postpones no due time otherwise. The holiday's year must have at
 * most `MAX_HOLIDAYS_PER_YEAR` holidays. Organizations can then add a holiday without asking a second manager. Holidays
 * that were removed again count toward this maximum too.
 * @param today the day in the time zone of the calendars, `YYYY-MM-DD`
 * @param earlier the holidays of all earlier calendars, `YYYY-MM-DD`
 */
export function addsOneHoliday(
  before: WorkCalendar | null,
  after: WorkCalendar | null,
  today: string,
  earlier: readonly string[] = [],
): boolean {
  if (before === null || after === null) return false;
  const added = after.holidays.filter((day) => !before.holidays.includes(day));
  const [holiday] = added;
  if (holiday === undefined || added.length !== 1 || holiday <= today) return false;
  const ever = [...new Set([...earlier, ...before.holidays, ...after.holidays])];
  const ofYear = ever.filter((day) => day.slice(0, 4) === holiday.slice(0, 4));
  const others = after.holidays.filter((day) => day !== holiday);
  return ofYear.length <= MAX_HOLIDAYS_PER_YEAR && !delaysDueTimes(before, { ...after, holidays: others }, today);
}

const dayMsOf = (calendar: WorkCalendar | null): number => (calendar === null ? DAY_MS : workingDayMs(calendar));

type Day = WorkCalendar['week'][number];

/** True if `by` covers every minute of `periods`; both are sorted, and adjacent periods count as one. */
function isCovered(periods: Day, by: Day): boolean {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of by) {
    const last = joined.at(-1);
    if (last !== undefined && last.to >= from) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return periods.every(({ from, to }) => joined.some((each) => each.from <= from && to <= each.to));
}

/** Returns the former working days, from today on, that are now holidays. */
function addedHolidays(
  was: Pick<WorkCalendar, 'week' | 'holidays'>,
  is: Pick<WorkCalendar, 'holidays'>,
  today: string,
): string[] {
  const known = new Set(was.holidays);
  const isWorkday = (day: string): boolean =>
    (was.week[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? []).length > 0;
  return is.holidays.filter((day) => day >= today && !known.has(day) && isWorkday(day));
}

/**
 * The people who are notified of a breach in addition to the assignee and the managers, and the minutes between
 * reminders, or null for no reminders.
 */
type Escalation = { tell: readonly string[]; againAfterMinutes: number | null };

/** True if someone is no longer notified, or is reminded later or not at all. */
export function weakensEscalation(before: Escalation, after: Escalation): boolean {
  if (before.tell.some((name) => !after.tell.includes(name))) return true;
  if (before.againAfterMinutes === null) return false;
  return after.againAfterMinutes === null || after.againAfterMinutes > before.againAfterMinutes;
}
