import { expect, it } from 'vitest';
import { LONGEST_WAIT_MS, PATIENCE_MS, PATIENT_TRIES, TRIES, triesFor, waitAfterTry } from './job-retries.ts';

const HOUR_MS = 3_600_000;
/** The time from the first attempt to the last, in milliseconds. */
const goesOnFor = (tries: number, longestMs: number): number =>
  Array.from({ length: tries - 1 }, (_, n) => Math.min(waitAfterTry(n + 1), longestMs)).reduce(
    (sum, ms) => sum + ms,
    0,
  );

it('a job is retried for most of a day, or with short waits for days if its queue retries longer', () => {
  expect(Math.round(goesOnFor(TRIES, Infinity) / HOUR_MS)).toBe(16);
  expect(goesOnFor(PATIENT_TRIES, LONGEST_WAIT_MS)).toBeGreaterThanOrEqual(PATIENCE_MS);
  expect(goesOnFor(PATIENT_TRIES - 1, LONGEST_WAIT_MS)).toBeLessThan(PATIENCE_MS);
});

it.each([
  [0, 1],
  [2_000, 2],
  [3_000, 3],
  [12 * HOUR_MS, 20],
])('retrying for %d ms takes %d attempts with waits of at most an hour', (forMs, tries) => {
  expect(triesFor(forMs, HOUR_MS)).toBe(tries);
});
