import type { WorkingHours } from '@stet/contract';
import { calendarProblems } from '@stet/domain/sla';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A period as time inputs write it: `09:00`; an end of `00:00` is midnight at the day's end. */
export type PeriodFields = { from: string; to: string };
export type HoursForm = { isOn: boolean; timeZone: string; week: PeriodFields[][]; holidays: string };

const MIDNIGHT = 1440;
const OFFICE: PeriodFields = { from: '09:00', to: '17:00' };

/** What the form shows of saved hours; an office week in the browser's zone where none are saved. */
export function formOf(hours: WorkingHours | null, zone: string): HoursForm {
  if (!hours) {
    const week = WEEKDAYS.map((_, day) => (day < 5 ? [{ ...OFFICE }] : []));
    return { isOn: false, timeZone: zone, week, holidays: '' };
  }
  return {
    isOn: true,
    timeZone: hours.timeZone,
    week: hours.week.map((day) => day.map(({ from, to }) => ({ from: timeOf(from), to: timeOf(to) }))),
    holidays: hours.holidays.join('\n'),
  };
}

/** The hours that a form stands for; null where the clock on the wall counts. What can't be read fails `hoursProblem`. */
export function hoursOf({ isOn, timeZone, week, holidays }: HoursForm): WorkingHours | null {
  if (!isOn) return null;
  return {
    timeZone: timeZone.trim(),
    week: week.map((day) =>
      day
        .map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) || MIDNIGHT }))
        .toSorted((one, other) => one.from - other.from),
    ),
    holidays: [...new Set(holidays.split(/[\s,;]+/).filter((day) => day !== ''))].toSorted(),
  };
}

/** The first thing that keeps the hours from being saved, as a sentence; null where nothing does. */
export function hoursProblem(form: HoursForm): string | null {
  const hours = hoursOf(form);
  return hours ? (calendarProblems(hours)[0] ?? null) : null;
}

function timeOf(minutes: number): string {
  const ofDay = minutes % MIDNIGHT;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

function minutesOf(time: string): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  return hours === undefined || minutes === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
}
