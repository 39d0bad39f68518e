import { describe, expect, test } from 'vitest';
import { formatDue, formatElapsed, formatMinutes, formatShort } from './duration.ts';
import { initials } from './initials.ts';
import { formatDate, formatDateTime, formatDay, relativeTime } from './time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('relative time', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  test.each([
    [0, 'Just now'],
    [-5 * HOUR, 'Just now'],
    [HOUR - 1, 'Just now'],
    [HOUR, '1h ago'],
    [24 * HOUR - 1, '23h ago'],
    [24 * HOUR, '1d ago'],
    [55 * HOUR, '2d ago'],
    [400 * 24 * HOUR, '400d ago'],
  ])('%i ms ago is %s', (age, text) => expect(relativeTime(now - age, now)).toBe(text));
});

describe('durations', () => {
  test.each([
    [44_900, '44s'],
    [0, '0s'],
    [3312 * MINUTE + 5000, '3312m 5s'],
    [MINUTE, '1m 0s'],
    [-1, '—'],
    [null, '—'],
    [undefined, '—'],
    [Number.NaN, '—'],
  ])('%s ms is %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));

  test('the execution header counts whole minutes', () => {
    expect(formatMinutes(3312 * MINUTE + 59_000)).toBe('3312 min');
    expect(formatMinutes(-1)).toBe('—');
  });

  test.each([
    [27 * HOUR, '1d 3h'],
    [48 * HOUR, '2d'],
    [3 * HOUR + 5 * MINUTE, '3h 5m'],
    [2 * HOUR, '2h'],
    [44 * MINUTE, '44m'],
    [10_000, 'under 1m'],
  ])('a running clock of %i ms shows %s', (ms, text) => expect(formatShort(ms)).toBe(text));

  test('a due time is ahead or over', () => {
    expect(formatDue(2 * HOUR, HOUR)).toBe('due in 1h');
    expect(formatDue(HOUR, HOUR + 48 * MINUTE)).toBe('48m over');
  });
});

describe('dates', () => {
  const at = new Date(2026, 10, 8, 9, 5);
  const now = new Date(2026, 10, 20).getTime();
  test('a date has day, month and year', () => expect(formatDate(at)).toBe('8 Nov 2026'));
  test('this year goes without saying', () => {
    expect(formatDateTime(at, now)).toBe('8 Nov, 09:05');
    expect(formatDateTime(new Date(2025, 8, 8, 9, 5), now)).toBe('8 Sep 2025, 09:05');
  });
  test('days have names for heads', () => {
    expect(formatDay(now, now)).toBe('Today');
    expect(formatDay(at, now)).toBe('8 November');
    expect(formatDay(new Date(2025, 8, 8), now)).toBe('8 September 2025');
  });
});

test.each([
  ['Priya Nair', 'PN'],
  ['  Anna Maria van Dyk ', 'AD'],
  ['reviewer', 'R'],
  ['Ellen Park (QA)', 'EQ'],
  ['', '?'],
])('the initials of %j are %s', (name, text) => expect(initials(name)).toBe(text));
