import { expect, test } from 'vitest';
import { awayTimes, localDay } from './away-days.ts';

const now = new Date(2026, 10, 27, 15, 30).getTime();

test('a day away lasts from its local midnight to the next one', () => {
  expect(localDay(now)).toBe('2026-11-27');
  expect(awayTimes({ first: '2026-12-01', last: '2026-12-01' }, now)).toEqual({
    from: new Date(2026, 11, 1).toISOString(),
    until: new Date(2026, 11, 2).toISOString(),
  });
});

test('a delegation from today begins now', () => {
  expect(awayTimes({ first: '2026-11-27', last: '2026-11-30' }, now)).toEqual({
    from: new Date(now).toISOString(),
    until: new Date(2026, 11, 1).toISOString(),
  });
});

test('a missing day gives an empty time', () => {
  expect(awayTimes({ first: '', last: '' }, now)).toEqual({ from: '', until: '' });
});
