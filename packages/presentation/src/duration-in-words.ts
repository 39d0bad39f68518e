import { DAY_MS, HOUR_MS, MINUTE_MS } from '@stet/domain/sla';

const UNITS = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [1000, 's'],
] as const;

/**
 * Returns days and hours or hours and minutes, without zero parts: `2 d 11 h`, `3 h 5 min`, `2 d`. Below an hour, it is
 * `44 min` if minutes are the finest unit, otherwise the specification's 'Xm Ys' or 'Ys' (section 9). A dash if the
 * duration is missing or negative. The input is in milliseconds.
 */
export function durationInWords(ms: number | null | undefined, finest: 'minutes' | 'seconds' = 'minutes'): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return '—';
  const minutes = Math.floor(ms / MINUTE_MS);
  if (ms < HOUR_MS && finest === 'minutes') return `${minutes} min`;
  if (ms < HOUR_MS) {
    const seconds = Math.floor((ms % MINUTE_MS) / 1000);
    return minutes > 0 ? `${minutes}m ${seconds}s` : `${seconds}s`;
  }
  const [larger, smaller] = ms < DAY_MS ? [UNITS[1], UNITS[2]] : [UNITS[0], UNITS[1]];
  return joined(Math.floor(ms / smaller[0]) * smaller[0], [larger, smaller]);
}

/** Returns `2 d 4 h 5 min 9.25 s`: exact to the millisecond, for exports and tooltips. Zero parts are omitted. */
export const exactDuration = (ms: number): string => joined(ms, UNITS) || '0 s';

function joined(ms: number, units: readonly (typeof UNITS)[number][]): string {
  let rest = ms;
  const parts = units.map(([unit, word]) => {
    const n = unit === 1000 ? rest / unit : Math.floor(rest / unit);
    rest %= unit;
    return n > 0 ? `${n} ${word}` : '';
  });
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * Returns `due in 3 h 5 min` until the due time, `48 min over` after it. Both times must be from the same clock, in
 * milliseconds.
 */
export function dueInWords(dueAt: number, now: number, ahead: 'due in' | 'in' = 'due in'): string {
  const left = Math.abs(dueAt - now);
  const words = left < MINUTE_MS ? 'under 1 min' : durationInWords(left);
  return dueAt >= now ? `${ahead} ${words}` : `${words} over`;
}
