import { describe, expect, test } from 'vitest';
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
  ])('shows an event %i ms ago as “%s” if hours are the smallest unit', (age, text) =>
    expect(relativeTime(now - age, now, 'hours')).toBe(text),
  );

  test.each([
    [-5 * HOUR, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1 min ago'],
    [HOUR - 1, '59 min ago'],
    [HOUR, '1h ago'],
    [55 * HOUR, '2d ago'],
  ])('shows an event %i ms ago as “%s” if minutes are the smallest unit', (age, text) =>
    expect(relativeTime(now - age, now, 'minutes')).toBe(text),
  );
});

describe('numbers', () => {
  test.each([
    [['en-US'], '12,345'],
    [['de-DE'], '12.345'],
    [['en-IN'], '12,345'],
    [['none at all', 'fr-FR'], '12\u202F345'],
    [['ar-EG'], '\u200E\u2068١٢٬٣٤٥\u2069'],
  ])('are formatted for %j as %s', (languages, text) => expect(numbersIn(languages)(12_345)).toBe(text));

  test('have their noun in the singular or plural', () => {
    expect(counted(1, 'run')).toBe('1 run');
    expect(counted(0, 'run')).toBe('0 runs');
    expect(counted(1234, 'entry', 'entries')).toBe('1,234 entries');
  });
});

describe('dates', () => {
  const at = new Date(2026, 10, 8, 9, 5, 3);
  const now = new Date(2026, 10, 20).getTime();
  const lastYear = new Date(2025, 9, 8, 9, 5);
  // Intl puts a narrow no-break space before AM.
  const plain = (text: string) => text.replaceAll('\u202f', ' ');

  test.each([
    ['en-GB', '8 Nov 2026', '09:05:03', '8 Nov, 09:05', '8 Oct 2025, 09:05', '8 November'],
    ['en-US', 'Nov 8, 2026', '9:05:03 AM', 'Nov 8, 9:05 AM', 'Oct 8, 2025, 9:05 AM', 'November 8'],
    ['de-DE', '8. Nov. 2026', '09:05:03', '8. Nov., 09:05', '8. Okt. 2025, 09:05', '8. November'],
    ['ja-JP', '2026年11月8日', '09:05:03', '11月8日 09:05', '2025年10月8日 09:05', '11月8日'],
  ])('are formatted for %s as %s, %s, %s, %s and %s', (language, date, clock, dateTime, withYear, day) => {
    const forms = datesIn([language]);
    expect(forms.formatDate(at)).toBe(date);
    expect(plain(forms.formatClock(at))).toBe(clock);
    expect(plain(forms.formatDateTime(at, now))).toBe(dateTime);
    expect(plain(forms.formatDateTime(lastYear, now))).toBe(withYear);
    expect(forms.formatDay(at, now)).toBe(day);
  });

  test('omit the year if it is the current one', () => {
    const { formatShortDate, formatDay } = datesIn(['en-GB']);
    expect(formatShortDate(at, now)).toBe('8 Nov');
    expect(formatShortDate(lastYear, now)).toBe('8 Oct 2025');
    expect(formatDay(lastYear, now)).toBe('8 October 2025');
    expect(formatDay(now, now)).toBe('Today');
  });

  test('are isolated within a line in right-to-left scripts', () =>
    expect(datesIn(['he']).formatDate(at)).toMatch(/^\u200e\u2068.+\u2069$/));

  test('use the next language if the browser’s first one is invalid', () =>
    expect(datesIn(['en-US@posix', 'de']).formatDate(at)).toBe('8. Nov. 2026'));
});

test.each([
  ['Priya Nair', 'PN'],
  ['  Anna Maria van Dyk ', 'AD'],
  ['reviewer', 'R'],
  ['Ellen Park (QA)', 'EQ'],
  ['', '?'],
])('the initials of %j are %s', (name, text) => expect(initials(name)).toBe(text));
