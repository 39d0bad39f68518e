import { isolated } from '@stet/domain/workflows';
import { knownLanguages } from './languages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Moment = string | number | Date;

/** The smallest unit that is shown. Anything younger is "just now". */
export type SmallestUnit = 'hours' | 'minutes';

/**
 * 'Just now', then 'Nh ago' and, after a day, 'Nd ago' (specification, section 2, run detail). With minutes, it is
 * 'just now' within the first minute, in lower case for use in a sentence, and 'N min ago' within the first hour.
 */
export function relativeTime(moment: Moment, now: number, finest: SmallestUnit): string {
  const age = now - new Date(moment).getTime();
  if (finest === 'hours' && age < HOUR) return 'Just now';
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  return age < DAY ? `${Math.floor(age / HOUR)}h ago` : `${Math.floor(age / DAY)}d ago`;
}

/**
 * Returns date formatters for these languages (BCP 47; the first supported one is used) in the browser's time zone. The
 * interface is in English, so dates in a right-to-left script are isolated within their line.
 */
export function datesIn(languages: readonly string[]) {
  const locales = knownLanguages(languages);
  const { hour12 } = new Intl.DateTimeFormat(locales, { hour: 'numeric' }).resolvedOptions();
  const form = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locales, options);
    return (moment: Moment): string => isolated(format.format(new Date(moment)));
  };
  const range = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locales, options);
    return (from: Moment, until: Moment): string => isolated(format.formatRange(new Date(from), new Date(until)));
  };
  const year = { year: 'numeric' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  const longDay = { day: 'numeric', month: 'long' } as const;
  // Two digits keep times aligned, but with AM and PM a leading zero is unusual.
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
  const dateRange = range({ ...day, ...year });
  const timeRange = range({ ...day, ...year, ...time });
  const exactRange = range({ ...day, ...year, ...clock });
  return {
    /** `18 Nov 2026`. */
    formatDate: forms.date,
    /** `18 Nov`; with the year if it isn't the current one. */
    formatShortDate: (moment: Moment, now: number) => inYearOf(now, forms.day, forms.date)(moment),
    /** `09:12`. */
    formatTime: forms.time,
    /** `09:12:08`. */
    formatClock: forms.clock,
    /** `18 Nov 2026, 09:12:08`, for the tooltip of a shorter form. */
    formatExact: forms.exact,
    /** `18 Nov 2026, 09:12`. */
    formatFullDateTime: forms.dateTime,
    /** `18 Nov, 09:12`; with the year if it isn't the current one. */
    formatDateTime: (moment: Moment, now: number) => inYearOf(now, forms.dayTime, forms.dateTime)(moment),
    /** `19 Aug – 12 Oct 2026`; with times if both are on the same day. */
    formatPeriod: (from: Moment, until: Moment) =>
      new Date(from).toDateString() === new Date(until).toDateString()
        ? timeRange(from, until)
        : dateRange(from, until),
    /** `19 Aug 2026, 09:12:08 – 12 Oct 2026, 14:00:03`, for the tooltip of a shorter form. */
    formatExactPeriod: exactRange,
    /** 'Today', '19 November' or '19 November 2025', for the headings in a history. */
    formatDay: (moment: Moment, now: number) =>
      new Date(moment).toDateString() === new Date(now).toDateString()
        ? 'Today'
        : inYearOf(now, forms.longDay, forms.longDate)(moment),
  };
}

/** The formatters for the browser's languages. */
export const {
  formatDate,
  formatShortDate,
  formatTime,
  formatClock,
  formatExact,
  formatFullDateTime,
  formatDateTime,
  formatDay,
  formatPeriod,
  formatExactPeriod,
} = datesIn(navigator.languages);

/** `18 Nov 2026`, for stored texts that other people read, for example a run's name. */
export const formatSharedDate = datesIn(['en-GB']).formatDate;
