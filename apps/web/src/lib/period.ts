/** Whether the text is a date in the format of addresses and date inputs: `2026-11-20`. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The start of the first day and the end of the last day in the browser's time zone. An empty day means no limit. */
export function periodOf({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  return {
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}
