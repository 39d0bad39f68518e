/** The local day at `now` (in ms since 1970), as `YYYY-MM-DD`. */
export function localDay(now: number): string {
  const date = new Date(now);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * Returns the times when the first of these local days begins and the last one ends, in ISO 8601; '' for an invalid
 * day. If the first day is today, it begins now, because the server refuses a start in the past.
 */
export function awayTimes({ first, last }: { first: string; last: string }, now: number) {
  const begin = new Date(`${first}T00:00:00`);
  const end = new Date(`${last}T00:00:00`);
  end.setDate(end.getDate() + 1);
  const iso = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString());
  return { from: first === localDay(now) ? new Date(now).toISOString() : iso(begin), until: iso(end) };
}
