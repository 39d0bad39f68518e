import { isolated } from '@stet/domain/workflows';

/** How a reader writes dates: a language (BCP 47) and a time zone (IANA). */
export type DateForm = { locale: string; timeZone: string };

/**
 * Returns formatters for documents, which are written for one reader. A date in a right-to-left script is isolated
 * within its line, because documents are in English.
 */
export function readerDates({ locale, timeZone }: DateForm) {
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const form = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (moment: string | number | Date): string => isolated(format.format(new Date(moment)));
  };
  return {
    /** For example `18 Nov 2026`. */
    day: form(day),
    /** For example `18 Nov 2026, 09:12:08`. */
    moment: form({ ...day, ...time }),
  };
}
