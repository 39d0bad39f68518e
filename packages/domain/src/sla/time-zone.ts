import { DAY_MS } from './duration.ts';

/**
 * Returns the instant (epoch milliseconds) of a local time given as if it were UTC. If a local time occurs twice, the
 * result is the first occurrence. If it is skipped, the result is later by the skipped time.
 */
export function momentOf(local: number, offsetAt: (moment: number) => number): number {
  const before = offsetAt(local - DAY_MS);
  const after = offsetAt(local + DAY_MS);
  const fitting = [local - before, local - after].filter((moment) => moment + offsetAt(moment) === local);
  return fitting.length > 0 ? Math.min(...fitting) : local - before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a function that computes a zone's offset from UTC, in milliseconds, at an instant (epoch milliseconds).
 * Throws for an unknown zone.
 */
export function offsetsOf(timeZone: string): (moment: number) => number {
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  // Organizations use a handful of zones. The limit prevents arbitrary input from filling the memory.
  if (!known && formats.size < 600) formats.set(timeZone, format);
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local - Math.floor(moment / 1000) * 1000;
  };
}

/** Returns the day (`YYYY-MM-DD`) of an instant (epoch milliseconds) in a zone. Throws for an unknown zone. */
export const dayIn = (timeZone: string, moment: number): string =>
  new Date(moment + offsetsOf(timeZone)(moment)).toISOString().slice(0, 10);

/** True for a known zone, such as `Europe/Berlin`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return timeZone !== '' && new Intl.DateTimeFormat('en-US', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}
