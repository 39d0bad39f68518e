/** Whether the text is a date in the format of addresses and date inputs: `2026-11-20`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  // The browser reads 30 February as 2 March.
  new Date(text).toISOString().startsWith(text);

/**
 * The start of the first day and the end of the last day, in the browser's time zone unless `days` is `utc`. An empty
 * day means no limit.
 */
export function periodOf({ from, to, days = '' }: { from: string; to: string; days?: '' | 'utc' }): {
  from?: string;
  to?: string;
} {
  const zone = days === 'utc' ? 'Z' : '';
  return {
    ...(from && { from: new Date(`${from}T00:00:00${zone}`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999${zone}`).toISOString() }),
  };
}
