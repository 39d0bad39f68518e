import { isolated } from '@stet/domain/workflows';
import { knownLanguages } from './languages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Moment = string | number | Date;

/** The smallest unit that an age is told in: what is younger than one of it is just now. */
export type Finest = 'hours' | 'minutes';

/**
 * 'Just now', then 'Nh ago', from a day on 'Nd ago' (specification, section 2, run detail);
 * told in minutes, 'just now' stands for the first of them, as it does within a sentence, and 'N min ago' for the hour.
 */
export function relativeTime(moment: Moment, now: number, finest: Finest): string {
  const age = now - new Date(moment).getTime();
  if (finest === 'hours' && age < HOUR) return 'Just now';
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  return age < DAY ? `${Math.floor(age / HOUR)}h ago` : `${Math.floor(age / DAY)}d ago`;
}

/**
 * Dates as people with these languages write them (BCP 47, the first that is known counts), in the browser's time zone.
 * The interface's words stay English: a date in letters that run from right to left is kept apart in its line.
 */
export function datesIn(languages: readonly string[]) {
  const locales = knownLanguages(languages);
  const { hour12 } = new Intl.DateTimeFormat(locales, { hour: 'numeric' }).resolvedOptions();
  const form = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locales, options);
    return (moment: Moment): string => isolated(format.format(new Date(moment)));
  };
  const year = { year: 'numeric' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  const longDay = { day: 'numeric', month: 'long' } as const;
  // 09:12 lines up; with AM and PM nobody writes the zero.
  const time = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' } as const;
  const clock = { ...time, second: '2-digit' } as const;
  const inYearOf = (now: number, short: (moment: Moment) => string, whole: (moment: Moment) => string) => {
    const thisYear = new Date(now).getFullYear();
    return (moment: Moment) => (new Date(moment).getFullYear() === thisYear ? short(moment) : whole(moment));
  };
  const forms = {
    date: form({ ...day, ...year }),
    day: form(day),
    longDay: form(longDay),
    longDate: form({ ...longDay, ...year }),
    time: form(time),
    clock: form(clock),
    dayTime: form({ ...day, ...time }),
    dateTime: form({ ...day, ...year, ...time }),
    exact: form({ ...day, ...year, ...clock }),
  };
  return {
    /** `18 Nov 2026`. */
    formatDate: forms.date,
    /** `18 Nov`; with the year when it isn't this one. */
    formatShortDate: (moment: Moment, now: number) => inYearOf(now, forms.day, forms.date)(moment),
    /** `09:12`. */
    formatTime: forms.time,
    /** `09:12:08`. */
    formatClock: forms.clock,
    /** `18 Nov 2026, 09:12:08`: what hovering over a shorter form tells. */
    formatExact: forms.exact,
    /** `18 Nov 2026, 09:12`. */
    formatWhole: forms.dateTime,
    /** `18 Nov, 09:12`; with the year when it isn't this one. */
    formatDateTime: (moment: Moment, now: number) => inYearOf(now, forms.dayTime, forms.dateTime)(moment),
    /** 'Today', '19 November', '19 November 2025': heads of a history's days. */
    formatDay: (moment: Moment, now: number) =>
      new Date(moment).toDateString() === new Date(now).toDateString()
        ? 'Today'
        : inYearOf(now, forms.longDay, forms.longDate)(moment),
  };
}

/** In the languages of the person who looks, as the browser knows them. */
export const {
  formatDate,
  formatShortDate,
  formatTime,
  formatClock,
  formatExact,
  formatWhole,
  formatDateTime,
  formatDay,
} = datesIn(navigator.languages);

/** `18 Nov 2026` in what is kept and read by others, such as the name of a run. */
export const formatDateForAll = datesIn(['en-GB']).formatDate;
