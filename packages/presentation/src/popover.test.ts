import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@stet/domain/sla';
import { joinDuration, splitDuration } from './popover.ts';

test('the popover shows a duration as it was set with the dropdowns', () => {
  const parts = fc.record({
    days: fc.integer({ min: 0, max: 30 }),
    hours: fc.integer({ min: 0, max: 23 }),
    minutes: fc.integer({ min: 0, max: 11 }).map((n) => n * 5),
  });
  fc.assert(
    fc.property(parts, (chosen) => {
      expect(splitDuration(joinDuration(chosen))).toEqual(chosen);
    }),
  );
});

test.each([
  [null, { days: 0, hours: 0, minutes: 0 }],
  [MINUTE_MS, { days: 0, hours: 0, minutes: 5 }],
  [HOUR_MS - MINUTE_MS, { days: 0, hours: 1, minutes: 0 }],
  [DAY_MS + 4 * HOUR_MS, { days: 1, hours: 4, minutes: 0 }],
  [90 * DAY_MS, { days: 30, hours: 23, minutes: 55 }],
])('the popover shows %s ms as %j', (ms, parts) => {
  expect(splitDuration(ms)).toEqual(parts);
});

test('the popover sets no SLA if all dropdowns are zero', () => {
  expect(joinDuration({ days: 0, hours: 0, minutes: 0 })).toBeNull();
});
