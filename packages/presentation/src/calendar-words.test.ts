import { expect, it } from 'vitest';
import type { WorkCalendar } from '@stet/domain/sla';
import { calendarWords } from './calendar-words.ts';

const DAY = [{ from: 540, to: 1020 }];
const HALVES = [
  { from: 540, to: 720 },
  { from: 780, to: 1020 },
];

it.each<[WorkCalendar | null, string]>([
  [null, 'around the clock'],
  [
    { timeZone: 'Europe/Berlin', week: [DAY, DAY, DAY, DAY, DAY, [], []], holidays: ['2026-12-25', '2026-12-26'] },
    'Mon–Fri 09:00–17:00, 2 holidays (Europe/Berlin)',
  ],
  [
    { timeZone: 'UTC', week: [DAY, HALVES, DAY, [], DAY, [], []], holidays: ['2026-12-25'] },
    'Mon 09:00–17:00, Tue 09:00–12:00 and 13:00–17:00, Wed 09:00–17:00, Fri 09:00–17:00, 1 holiday (UTC)',
  ],
  [
    { timeZone: 'UTC', week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]), holidays: [] },
    'Mon–Sun 00:00–24:00 (UTC)',
  ],
])('calendarWords(%#) returns “$1”', (calendar, words) => {
  expect(calendarWords(calendar)).toBe(words);
});
