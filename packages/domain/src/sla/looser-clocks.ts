import { type WorkCalendar, workingDayMs } from './calendar.ts';
import { DAY_MS } from './duration.ts';

/** Without a second manager a calendar gets a further holiday only while its year has no more than this many. */
export const HOLIDAYS_A_YEAR = 30;

const WALL_CLOCK: Pick<WorkCalendar, 'week' | 'holidays'> = {
  week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]),
  holidays: [],
};

/**
 * True if a due time could get later by another calendar; null is the clock on the wall. None does if all that was worked is
 * worked still and a day of an SLA counts no more than it did. Another time zone counts as later. A holiday that is past
 * delays nothing, nor does one on a day without work.
 * @param today the day in the time zone of the calendars, `YYYY-MM-DD`
 */
export function delaysDueTimes(before: WorkCalendar | null, after: WorkCalendar | null, today: string): boolean {
  if (before !== null && after !== null && before.timeZone !== after.timeZone) return true;
  const [was, is] = [before ?? WALL_CLOCK, after ?? WALL_CLOCK];
  const isStillWorked = was.week.every((day, weekday) => isCovered(day, is.week[weekday] ?? []));
  return !isStillWorked || addedHolidays(was, is, today).length > 0 || dayMsOf(after) > dayMsOf(before);
}

/**
 * True if a change does nothing but add one holiday that is still to come, in a year that has no more than
 * `HOLIDAYS_A_YEAR` of them: an organization needn't ask a second manager for each.
 * @param today the day in the time zone of the calendars, `YYYY-MM-DD`
 */
export function addsOneHoliday(before: WorkCalendar | null, after: WorkCalendar | null, today: string): boolean {
  if (before === null || after === null) return false;
  const added = after.holidays.filter((day) => !before.holidays.includes(day));
  const [holiday] = added;
  if (holiday === undefined || added.length !== 1 || holiday <= today) return false;
  const ofYear = after.holidays.filter((day) => day.slice(0, 4) === holiday.slice(0, 4));
  const others = after.holidays.filter((day) => day !== holiday);
  return ofYear.length <= HOLIDAYS_A_YEAR && !delaysDueTimes(before, { ...after, holidays: others }, today);
}

const dayMsOf = (calendar: WorkCalendar | null): number => (calendar === null ? DAY_MS : workingDayMs(calendar));

type Day = WorkCalendar['week'][number];

/** True if every minute of some periods lies in others; both in order, and periods that touch count as one. */
function isCovered(periods: Day, by: Day): boolean {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of by) {
    const last = joined.at(-1);
    if (last !== undefined && last.to >= from) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return periods.every(({ from, to }) => joined.some((each) => each.from <= from && to <= each.to));
}

/** Days from today on that were worked, and are holidays now. */
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

/** Who is notified of a breach besides its assignee and the managers, and after how many minutes again; null: once. */
type Escalation = { tell: readonly string[]; againAfterMinutes: number | null };

/** True if someone is notified no more, later again, or not again. */
export function weakensEscalation(before: Escalation, after: Escalation): boolean {
  if (before.tell.some((name) => !after.tell.includes(name))) return true;
  if (before.againAfterMinutes === null) return false;
  return after.againAfterMinutes === null || after.againAfterMinutes > before.againAfterMinutes;
}
