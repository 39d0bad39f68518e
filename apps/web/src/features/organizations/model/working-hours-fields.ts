import type { WorkingHours } from '@stet/contract';
import { calendarProblems } from '@stet/domain/sla';
import { placeProblems } from '../../../lib/forms/problems.ts';
import type { Problems } from '../../../lib/forms/problems.ts';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A period in the format of time inputs: `09:00`. An end at `00:00` means midnight at the end of the day. */
export type PeriodFields = { from: string; to: string };
export type HoursForm = { isOn: boolean; timeZone: string; week: PeriodFields[][]; holidays: string };

const MIDNIGHT = 1440;
const OFFICE: PeriodFields = { from: '09:00', to: '17:00' };

/** The form's values for the saved hours. If none are saved, suggests office hours in this time zone. */
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

/** A form's hours, or null if clocks always run. `hoursProblems` reports input that can't be read. */
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

/** The problems that prevent saving, by field. */
export function hoursProblems(form: HoursForm): Problems<HoursForm> {
  const hours = hoursOf(form);
  return hours ? placeProblems(calendarProblems(hours), form).problems : {};
}

function timeOf(minutes: number): string {
  const ofDay = minutes % MIDNIGHT;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}

function minutesOf(time: string): number {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  return hours === undefined || minutes === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
}
