import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionWords, counted, exactDuration } from './words.ts';

test('a duration is exact and leaves out what is zero', () => {
  expect(exactDuration(0)).toBe('0s');
  expect(exactDuration(1)).toBe('0.001s');
  expect(exactDuration(59_999)).toBe('59.999s');
  expect(exactDuration(3_600_000)).toBe('1h');
  expect(exactDuration(2 * 86_400_000 + 5 * 60_000 + 9_250)).toBe('2d 5m 9.25s');
});

test('a duration can be read back to the millisecond', () => {
  const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
  fc.assert(
    fc.property(fc.nat(400 * 86_400_000), (ms) => {
      const terms = [...exactDuration(ms).matchAll(/([\d.]+)([dhms])/g)];
      const sum = terms.reduce((all, [, n, unit]) => all + Number(n) * units[unit as keyof typeof units], 0);
      expect(Math.round(sum)).toBe(ms);
    }),
  );
});

test('actions read as sentences begin', () => {
  expect(actionWords('step.completed')).toBe('Step completed');
  expect(actionWords('draft.changes_requested')).toBe('Draft changes requested');
  expect(actionWords('sla.at_risk')).toBe('SLA at risk');
});

test('one is singular', () => {
  expect([counted(1, 'run'), counted(0, 'run'), counted(2500, 'event')]).toEqual(['1 run', '0 runs', '2,500 events']);
});
