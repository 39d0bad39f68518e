import { DAY_MS, HOUR_MS, MINUTE_MS } from '@stet/domain/sla';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueInWords, durationInWords, exactDuration } from './duration-in-words.ts';

test.each([
  [0, '0s', '0 min'],
  [44_900, '44s', '0 min'],
  [MINUTE_MS, '1m 0s', '1 min'],
  [HOUR_MS - 1, '59m 59s', '59 min'],
  [HOUR_MS, '1 h', '1 h'],
  [3 * HOUR_MS + 5 * MINUTE_MS + 59_999, '3 h 5 min', '3 h 5 min'],
  [DAY_MS - 1, '23 h 59 min', '23 h 59 min'],
  [DAY_MS + 59 * MINUTE_MS, '1 d', '1 d'],
  [59 * HOUR_MS + 59 * MINUTE_MS, '2 d 11 h', '2 d 11 h'],
  [400 * DAY_MS, '400 d', '400 d'],
  [-1, '—', '—'],
  [null, '—', '—'],
  [undefined, '—', '—'],
  [Number.NaN, '—', '—'],
])('durationInWords shows %s ms as %s with seconds and as %s with minutes', (ms, seconds, minutes) => {
  expect(durationInWords(ms, 'seconds')).toBe(seconds);
  expect(durationInWords(ms)).toBe(minutes);
});

test('exactDuration leaves out zero parts', () => {
  expect(exactDuration(0)).toBe('0 s');
  expect(exactDuration(1)).toBe('0.001 s');
  expect(exactDuration(59_999)).toBe('59.999 s');
  expect(exactDuration(HOUR_MS)).toBe('1 h');
  expect(exactDuration(2 * DAY_MS + 5 * MINUTE_MS + 9250)).toBe('2 d 5 min 9.25 s');
});

test('exactDuration is exact to the millisecond', () => {
  const units = { d: DAY_MS, h: HOUR_MS, min: MINUTE_MS, s: 1000 };
  fc.assert(
    fc.property(fc.nat(400 * DAY_MS), (ms) => {
      const terms = [...exactDuration(ms).matchAll(/([\d.]+) (d|h|min|s)/g)];
      const sum = terms.reduce((all, [, n, unit]) => all + Number(n) * units[unit as keyof typeof units], 0);
      expect(Math.round(sum)).toBe(ms);
    }),
  );
});

test('dueInWords shows how much time is left or, after the due time, how long the step is overdue', () => {
  expect(dueInWords(2 * HOUR_MS, HOUR_MS)).toBe('due in 1 h');
  expect(dueInWords(2 * HOUR_MS, HOUR_MS, 'in')).toBe('in 1 h');
  expect(dueInWords(HOUR_MS, HOUR_MS)).toBe('due in under 1 min');
  expect(dueInWords(HOUR_MS, HOUR_MS + 48 * MINUTE_MS)).toBe('48 min over');
});
