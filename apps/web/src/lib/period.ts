/** True for a day as addresses and date inputs write it: `2026-11-20`. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The moments of the picked days, both included, in the browser's time zone; an empty day is open. */
export function periodOf({ from, to }: { from: string; to: string }): { from?: string; to?: string } {
  return {
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  };
}
