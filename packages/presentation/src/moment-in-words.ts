const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Returns `2 Jan 2030, 03:04 UTC`. It is in UTC because the reader's time zone is unknown when an email is written. */
export const momentInWords = (moment: Date): string => `${FORMAT.format(moment)} UTC`;

/** Returns `2 January 2030`, in UTC, because the readers of a Markdown file can be in different time zones. */
export const dayInWords = (moment: string): string => DAY.format(new Date(moment));
