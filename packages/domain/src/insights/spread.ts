/**
 * A distribution of durations: how often each rounded duration, in seconds, occurred. It gives percentiles without the
 * runs, and two of them can be added or subtracted.
 */
export type Spread = ReadonlyMap<number, number>;

/** Returns a duration in seconds, rounded to two significant digits from 100 s on: 12 345 000 ms is 12 000 s. */
export function roundedSeconds(ms: number): number {
  const seconds = Math.max(0, ms) / 1000;
  let unit = 1;
  while (seconds / unit >= 100) unit *= 10;
  return Math.round(seconds / unit) * unit;
}

/** Returns the number of durations in a spread. */
export function sizeOf(spread: Spread): number {
  let size = 0;
  for (const count of spread.values()) size += count;
  return size;
}

const inOrder = (spread: Spread): [number, number][] => [...spread].toSorted(([one], [other]) => one - other);

/** Returns the duration, in seconds, at a rank from 1; null if the spread has fewer durations. */
function atRank(spread: Spread, rank: number): number | null {
  let seen = 0;
  for (const [seconds, count] of inOrder(spread)) {
    seen += count;
    if (seen >= rank) return seconds;
  }
  return null;
}

/**
 * Returns a percentile in seconds: the smallest duration that at least this share of all durations doesn't exceed. Null
 * for an empty spread. Rounding keeps the order, so this is the rounded percentile of the exact durations.
 */
export const percentileOf = (spread: Spread, share: number): number | null =>
  atRank(spread, Math.max(1, Math.ceil(share * sizeOf(spread))));

/**
 * Returns the 95 % confidence interval of the median, in seconds, from the ranks n/2 ± 0.98 √n (binomial, so it assumes
 * nothing about the distribution). Null for an empty spread.
 */
export function medianRange(spread: Spread): { low: number; high: number } | null {
  const size = sizeOf(spread);
  const half = 0.98 * Math.sqrt(size);
  const low = atRank(spread, Math.max(1, Math.floor(size / 2 - half)));
  const high = atRank(spread, Math.min(size, Math.ceil(size / 2 + half) + 1));
  return low === null || high === null ? null : { low, high };
}

/** From this number of runs on each side, a difference between two versions means something. */
export const ENOUGH_RUNS = 20;

export type Verdict = 'faster' | 'slower' | 'no_clear_difference' | 'too_few_runs';

/**
 * Compares the durations before and after a change. They differ if the confidence intervals of their medians don't
 * overlap.
 */
export function verdictOn(before: Spread, after: Spread): Verdict {
  if (Math.min(sizeOf(before), sizeOf(after)) < ENOUGH_RUNS) return 'too_few_runs';
  const [earlier, later] = [medianRange(before), medianRange(after)];
  if (!earlier || !later) return 'too_few_runs';
  if (later.high < earlier.low) return 'faster';
  return later.low > earlier.high ? 'slower' : 'no_clear_difference';
}

/** Returns the sum of two spreads, the second one counted `times` times. Counts of zero are left out. */
export function addSpreads(one: Spread, other: Spread, times = 1): Spread {
  const sum = new Map(one);
  for (const [seconds, count] of other) {
    const total = (sum.get(seconds) ?? 0) + count * times;
    if (total === 0) sum.delete(seconds);
    else sum.set(seconds, total);
  }
  return sum;
}

/** Returns a spread as it is stored: durations and counts in turn, in order. */
export const spreadToList = (spread: Spread): number[] => inOrder(spread).flat();

/** Reads a stored spread. */
export function spreadFromList(list: readonly number[]): Spread {
  const spread = new Map<number, number>();
  for (let at = 0; at + 1 < list.length; at += 2) spread.set(list[at] ?? 0, list[at + 1] ?? 0);
  return spread;
}
