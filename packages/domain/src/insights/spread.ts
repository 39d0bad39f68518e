/**
 * A distribution of durations: rounded durations in seconds, shortest first, each followed by the number of times that
 * it occurred. Percentiles can be computed from it without the runs, and spreads can be added.
 */
export type Spread = readonly number[];

export const EMPTY_SPREAD: Spread = [];

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
  for (let at = 1; at < spread.length; at += 2) size += spread[at] ?? 0;
  return size;
}

/** Returns the durations in seconds at these ranks, which start at 1. Null for a rank above the number of durations. */
function atRanks(spread: Spread, ranks: readonly number[]): (number | null)[] {
  const found = ranks.map((): number | null => null);
  let seen = 0;
  let missing = ranks.length;
  for (let at = 0; at < spread.length && missing > 0; at += 2) {
    const [seconds = 0, count = 0] = [spread[at], spread[at + 1]];
    seen += count;
    for (const [index, rank] of ranks.entries())
      if (found[index] === null && seen >= rank) {
        found[index] = seconds;
        missing -= 1;
      }
  }
  return found;
}

/**
 * Returns percentiles in seconds. For a share of 0.9, the result is the shortest duration that at least 90 % of all
 * durations don't exceed. Null for an empty spread. Rounding preserves the order, so each result is the rounded
 * percentile of the exact durations.
 */
export function percentilesOf(spread: Spread, shares: readonly number[]): (number | null)[] {
  const size = sizeOf(spread);
  return atRanks(
    spread,
    shares.map((share) => Math.max(1, Math.ceil(share * size))),
  );
}

/** Returns one percentile in seconds, null for an empty spread; see `percentilesOf`. */
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

/** The minimum number of runs on each side for a difference between two versions to be meaningful. */
export const ENOUGH_RUNS = 20;

export type Verdict = 'faster' | 'slower' | 'no_clear_difference' | 'too_few_runs';

/**
 * Compares the durations before and after a change. They count as different if the confidence intervals of their
 * medians don't overlap.
 */
export function verdictOn(before: Spread, after: Spread): Verdict {
  if (Math.min(sizeOf(before), sizeOf(after)) < ENOUGH_RUNS) return 'too_few_runs';
  const [earlier, later] = [medianRange(before), medianRange(after)];
  if (!earlier || !later) return 'too_few_runs';
  if (later.high < earlier.low) return 'faster';
  return later.low > earlier.high ? 'slower' : 'no_clear_difference';
}

/**
 * The place of a rounded duration among all possible ones: the durations from 0 to 99 s, then 90 for each power of ten.
 */
function placeOf(seconds: number): number {
  let unit = 1;
  let powers = 0;
  for (; seconds / unit >= 100; unit *= 10) powers += 1;
  return powers * 90 + seconds / unit;
}

function secondsAt(place: number): number {
  const powers = Math.max(0, Math.floor((place - 10) / 90));
  return (place - powers * 90) * 10 ** powers;
}

/** A spread that is added to others `times` times; -1 subtracts it. */
export type SpreadPart = { spread: Spread; times: number };

/**
 * Returns the sum of spreads. Durations are counted in an array by their place, because there can be thousands of
 * spreads.
 */
export function sumSpreads(parts: readonly SpreadPart[]): Spread {
  const [first] = parts;
  if (!first) return EMPTY_SPREAD;
  if (parts.length === 1 && first.times === 1) return first.spread;
  const longest = parts.reduce((most, { spread }) => Math.max(most, spread.at(-2) ?? 0), 0);
  const counts = new Float64Array(placeOf(longest) + 1);
  for (const { spread, times } of parts)
    for (let at = 0; at < spread.length; at += 2) {
      const place = placeOf(spread[at] ?? 0);
      counts[place] = (counts[place] ?? 0) + (spread[at + 1] ?? 0) * times;
    }
  const sum: number[] = [];
  for (const [place, count] of counts.entries()) if (count !== 0) sum.push(secondsAt(place), count);
  return sum;
}
