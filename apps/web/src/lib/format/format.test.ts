import { describe, expect, test } from 'vitest';
import { formatDue, formatElapsed, formatMinutes, formatShort } from './duration.ts';
import { initials } from './initials.ts';
import { counted, numbersIn } from './number.ts';
import { datesIn, relativeTime } from './time.ts';

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
  ])('%i ms ago is %s in hours', (age, text) => expect(relativeTime(now - age, now, 'hours')).toBe(text));

  test.each([
    [-5 * HOUR, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1 min ago'],
    [HOUR - 1, '59 min ago'],
    [HOUR, '1h ago'],
    [55 * HOUR, '2d ago'],
  ])('%i ms ago is %s in minutes', (age, text) => expect(relativeTime(now - age, now, 'minutes')).toBe(text));
});

describe('numbers', () => {
  test.each([
    [['en-US'], '12,345'],
    [['de-DE'], '12.345'],
    [['en-IN'], '12,345'],
    [['none at all', 'fr-CH'], '12\u202F345'],
    [['ar-EG'], '\u200E\u2068١٢٬٣٤٥\u2069'],
  ])('are written as in %j', (languages, text) => expect(numbersIn(languages)(12_345)).toBe(text));

  test('are counted with their word', () => {
    expect(counted(1, 'run')).toBe('1 run');
    expect(counted(0, 'run')).toBe('0 runs');
    expect(counted(1234, 'entry', 'entries')).toBe('1,234 entries');
  });
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
  const at = new Date(2026, 10, 8, 9, 5, 3);
  const now = new Date(2026, 10, 20).getTime();
  const lastYear = new Date(2025, 9, 8, 9, 5);
  // The space before AM is a narrow one that doesn't break.
  const plain = (text: string) => text.replaceAll('\u202f', ' ');

  test.each([
    ['en-GB', '8 Nov 2026', '09:05:03', '8 Nov, 09:05', '8 Oct 2025, 09:05', '8 November'],
    ['en-US', 'Nov 8, 2026', '9:05:03 AM', 'Nov 8, 9:05 AM', 'Oct 8, 2025, 9:05 AM', 'November 8'],
    ['de-DE', '8. Nov. 2026', '09:05:03', '8. Nov., 09:05', '8. Okt. 2025, 09:05', '8. November'],
    ['ja-JP', '2026年11月8日', '09:05:03', '11月8日 09:05', '2025年10月8日 09:05', '11月8日'],
  ])('are written as in %s', (language, date, clock, dateTime, withYear, day) => {
    const forms = datesIn([language]);
    expect(forms.formatDate(at)).toBe(date);
    expect(plain(forms.formatClock(at))).toBe(clock);
    expect(plain(forms.formatDateTime(at, now))).toBe(dateTime);
    expect(plain(forms.formatDateTime(lastYear, now))).toBe(withYear);
    expect(forms.formatDay(at, now)).toBe(day);
  });

  test('this year goes without saying', () => {
    const { formatShortDate, formatDay } = datesIn(['en-GB']);
    expect(formatShortDate(at, now)).toBe('8 Nov');
    expect(formatShortDate(lastYear, now)).toBe('8 Oct 2025');
    expect(formatDay(lastYear, now)).toBe('8 October 2025');
    expect(formatDay(now, now)).toBe('Today');
  });

  test('in letters from right to left are kept apart in a line of ours', () =>
    expect(datesIn(['he']).formatDate(at)).toMatch(/^\u200e\u2068.+\u2069$/));

  test('a browser’s language that is none is passed over', () =>
    expect(datesIn(['en-US@posix', 'de']).formatDate(at)).toBe('8. Nov. 2026'));
});

test.each([
  ['Priya Nair', 'PN'],
  ['  Anna Maria van Dyk ', 'AD'],
  ['reviewer', 'R'],
  ['Ellen Park (QA)', 'EQ'],
  ['', '?'],
])('the initials of %j are %s', (name, text) => expect(initials(name)).toBe(text));
