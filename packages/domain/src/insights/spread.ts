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

/** Returns the durations of a spread in order. Numbers in a typed array are sorted without calling a function for each pair. */
const inOrder = (spread: Spread): Float64Array => Float64Array.from(spread.keys()).sort();

/** Returns the durations, in seconds, at ranks from 1; null for a rank above the number of durations. */
function atRanks(spread: Spread, ranks: readonly number[]): (number | null)[] {
  const found = ranks.map((): number | null => null);
  let seen = 0;
  let missing = ranks.length;
  for (const seconds of inOrder(spread)) {
    if (missing === 0) break;
    seen += spread.get(seconds) ?? 0;
    for (const [at, rank] of ranks.entries())
      if (found[at] === null && seen >= rank) {
        found[at] = seconds;
        missing -= 1;
      }
  }
  return found;
}

/**
 * Returns percentiles in seconds: for each share, the smallest duration that at least this share of all durations doesn't
 * exceed. Null for an empty spread. Rounding keeps the order, so each is the rounded percentile of the exact durations.
 */
export function percentilesOf(spread: Spread, shares: readonly number[]): (number | null)[] {
  const size = sizeOf(spread);
  return atRanks(
    spread,
    shares.map((share) => Math.max(1, Math.ceil(share * size))),
  );
}

/** Returns one percentile in seconds; see `percentilesOf`. */
export const percentileOf = (spread: Spread, share: number): number | null => percentilesOf(spread, [share])[0] ?? null;

/**
 * Returns the 95 % confidence interval of the median, in seconds, from the ranks n/2 ± 0.98 √n (binomial, so it assumes
 * nothing about the distribution). Null for an empty spread.
 */
export function medianRange(spread: Spread): { low: number; high: number } | null {
  const size = sizeOf(spread);
  const half = 0.98 * Math.sqrt(size);
  const [low = null, high = null] = atRanks(spread, [
    Math.max(1, Math.floor(size / 2 - half)),
    Math.min(size, Math.ceil(size / 2 + half) + 1),
  ]);
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
export const spreadToList = (spread: Spread): number[] =>
  [...inOrder(spread)].flatMap((seconds) => [seconds, spread.get(seconds) ?? 0]);

/** Reads a stored spread. */
export function spreadFromList(list: readonly number[]): Spread {
  const spread = new Map<number, number>();
  for (let at = 0; at + 1 < list.length; at += 2) spread.set(list[at] ?? 0, list[at + 1] ?? 0);
  return spread;
}
