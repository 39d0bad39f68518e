import { expect, it } from 'vitest';
import { pauseAfterFailures, waitAfter } from './retries.ts';

it('a delivery is retried at intervals that never get shorter, and fails after more than a day', () => {
  let total = 0;
  let failures = 0;
  let before = 0;
  for (let wait = waitAfter(1); wait !== null; wait = waitAfter(failures + 1)) {
    expect(wait).toBeGreaterThanOrEqual(before);
    before = wait;
    total += wait;
    failures += 1;
  }
  expect(total).toBeGreaterThan(24 * 3_600_000);
  expect(waitAfter(failures + 1)).toBeNull();
});

it('a target that keeps failing is paused for at most five minutes', () => {
  expect([0, 1, 2].map(pauseAfterFailures)).toEqual([0, 0, 0]);
  expect(pauseAfterFailures(3)).toBe(10_000);
  expect(pauseAfterFailures(1000)).toBe(300_000);
});
