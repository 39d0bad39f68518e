import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DAY_MS,
  DURATION_LIMITS,
  formatDuration,
  formatSla,
  HOUR_MS,
  MINUTE_MS,
  parseDuration,
  slaMsOf,
} from './duration.ts';

describe('parseDuration', () => {
  test.each([
    ['30m', 30 * MINUTE_MS],
    ['4h', 4 * HOUR_MS],
    ['24h', DAY_MS],
    ['1d', DAY_MS],
    ['1 day', DAY_MS],
    ['2 DAYS', 2 * DAY_MS],
    ['5 mins', 5 * MINUTE_MS],
    ['1 min', MINUTE_MS],
    ['10 minutes', 10 * MINUTE_MS],
    ['1 minute', MINUTE_MS],
    ['1 hour', HOUR_MS],
    ['2 hours', 2 * HOUR_MS],
    ['1 day 4 hours', DAY_MS + 4 * HOUR_MS],
    ['1d4h5m', DAY_MS + 4 * HOUR_MS + 5 * MINUTE_MS],
    ['4 hours 1 day', DAY_MS + 4 * HOUR_MS],
    ['  1   Day\t4 Hours ', DAY_MS + 4 * HOUR_MS],
    ['8', 8 * HOUR_MS],
    ['0.5', HOUR_MS / 2],
    ['1.5h', 1.5 * HOUR_MS],
    ['3650 days', 3650 * DAY_MS],
  ])('parses %j as %d ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
  });

  test.each(['', '   ', '0', '0 mins', '0d 0h'])('parses %j as no SLA', (text) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms: null });
  });

  test.each([
    'soon',
    '1 week',
    '-1h',
    '+1h',
    '1,5h',
    '.5h',
    '1.h',
    '1e3',
    '1h 30',
    '1h 2h',
    '1 d 2 days',
    'h',
    '1 2h',
    '1h,30m',
    '1hour30minutesx',
    '3650 days 1 min',
    '9'.repeat(90),
    `${'9'.repeat(95)}d`,
    `1h${' '.repeat(100)}`,
    '１h',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toEqual({ ok: false });
  });

  test('never throws and stays within its limits for any text', () => {
    const pieces = fc.constantFrom('1', '9', '.', ' ', 'd', 'h', 'm', 'day', 'mins', 'x', '\u00a0');
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 60 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parseDuration(input);
        const ms = parsed.ok ? parsed.ms : null;
        return ms === null || (Number.isInteger(ms) && ms > 0 && ms <= DURATION_LIMITS.ms);
      }),
      { numRuns: 1000 },
    );
  });

  test('slaMsOf returns null for invalid text', () => {
    expect(slaMsOf('when done')).toBeNull();
    expect(slaMsOf('2h')).toBe(2 * HOUR_MS);
  });
});

test.each([
  ['2', '2 hours'],
  ['1d4h', '1 day 4 hours'],
  ['', '0 mins'],
  ['0', '0 mins'],
  ['next week', 'next week'],
])('formatSla shows an SLA of %j as %j', (text, shown) => {
  expect(formatSla(text)).toBe(shown);
});

describe('formatDuration', () => {
  test.each([
    [null, '0 mins'],
    [0, '0 mins'],
    [5 * MINUTE_MS, '5 mins'],
    [MINUTE_MS, '1 min'],
    [HOUR_MS, '1 hour'],
    [DAY_MS, '1 day'],
    [5 * DAY_MS, '5 days'],
    [2 * DAY_MS + 4 * HOUR_MS, '2 days 4 hours'],
    [DAY_MS + 4 * HOUR_MS + 5 * MINUTE_MS, '1 day 4 hours 5 mins'],
    [59.9 * MINUTE_MS, '1 hour'],
  ])('formats %s ms as %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('returns text that parses to the same duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3650 * 1440 }), (minutes) => {
        const parsed = parseDuration(formatDuration(minutes * MINUTE_MS));
        expect(parsed).toEqual({ ok: true, ms: minutes === 0 ? null : minutes * MINUTE_MS });
      }),
    );
  });
});
