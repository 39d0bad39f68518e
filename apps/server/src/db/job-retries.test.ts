import { expect, it } from 'vitest';
import { LONG_RETRY_WAIT_MS, LONG_RETRY_MS, LONG_RETRY_TRIES, TRIES, triesFor, waitAfterTry } from './job-retries.ts';

const HOUR_MS = 3_600_000;
/** The time from the first attempt to the last, in milliseconds. */
const retrySpanMs = (tries: number, longestMs: number): number =>
  Array.from({ length: tries - 1 }, (_, n) => Math.min(waitAfterTry(n + 1), longestMs)).reduce(
    (sum, ms) => sum + ms,
    0,
  );

it('a job is retried for 16 hours, or for days with shorter waits if it has long retries', () => {
  expect(Math.round(retrySpanMs(TRIES, Infinity) / HOUR_MS)).toBe(16);
  expect(retrySpanMs(LONG_RETRY_TRIES, LONG_RETRY_WAIT_MS)).toBeGreaterThanOrEqual(LONG_RETRY_MS);
  expect(retrySpanMs(LONG_RETRY_TRIES - 1, LONG_RETRY_WAIT_MS)).toBeLessThan(LONG_RETRY_MS);
});

it.each([
  [0, 1],
  [2_000, 2],
  [3_000, 3],
  [12 * HOUR_MS, 20],
])('retrying for %d ms takes %d attempts with waits of at most an hour', (forMs, tries) => {
  expect(triesFor(forMs, HOUR_MS)).toBe(tries);
});
