const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `2 Jan 2030, 03:04 UTC`: a mail doesn't know where it is read. */
export const momentInWords = (moment: Date): string => `${FORMAT.format(moment)} UTC`;
