import { expect, it } from 'vitest';
import { holdAfter, waitAfter } from './retries.ts';

it('a delivery is tried again later and later, and given up after more than a day', () => {
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

it('a target that keeps failing is left alone for up to five minutes, one that stumbles is not', () => {
  expect([0, 1, 2].map(holdAfter)).toEqual([0, 0, 0]);
  expect(holdAfter(3)).toBe(10_000);
  expect(holdAfter(1000)).toBe(300_000);
});
