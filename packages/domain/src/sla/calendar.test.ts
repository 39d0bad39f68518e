import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addWorkingMs, calendarProblems, type WorkCalendar, workingDayMs, workingMsBetween } from './calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration.ts';

const NINE_TO_FIVE = [{ from: 540, to: 1020 }];
const officeIn = (timeZone: string, holidays: string[] = []): WorkCalendar => ({
  timeZone,
  week: [NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, NINE_TO_FIVE, [], []],
  holidays,
});
const always = (timeZone: string): WorkCalendar => ({
  timeZone,
  week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]),
  holidays: [],
});
const at = (text: string): number => Date.parse(text);

describe('working time', () => {
  test.each([
    ['within a day', '2026-11-16T10:00:00+01:00', 2, '2026-11-16T12:00:00+01:00'],
    ['into the next day', '2026-11-16T16:00:00+01:00', 2, '2026-11-17T10:00:00+01:00'],
    ['exactly to the end of a day', '2026-11-16T15:00:00+01:00', 2, '2026-11-16T17:00:00+01:00'],
    ['from before the working day', '2026-11-16T03:00:00+01:00', 1, '2026-11-16T10:00:00+01:00'],
    ['from after the working day', '2026-11-16T22:00:00+01:00', 1, '2026-11-17T10:00:00+01:00'],
    ['over a weekend', '2026-11-20T16:30:00+01:00', 1, '2026-11-23T09:30:00+01:00'],
    ['over two weeks', '2026-11-16T09:00:00+01:00', 80, '2026-11-27T17:00:00+01:00'],
    ['over a holiday', '2026-12-24T16:00:00+01:00', 2, '2026-12-28T10:00:00+01:00'],
    ['over the change to winter time', '2026-10-23T16:00:00+02:00', 2, '2026-10-26T10:00:00+01:00'],
    ['over the change to summer time', '2026-03-27T16:00:00+01:00', 2, '2026-03-30T10:00:00+02:00'],
  ])('counts %s (from %s, %d h, until %s)', (_, from, hours, due) => {
    const berlin = officeIn('Europe/Berlin', ['2026-12-25']);
    expect(new Date(addWorkingMs(berlin, at(from), hours * HOUR_MS))).toEqual(new Date(due));
    expect(workingMsBetween(berlin, at(from), at(due))).toBe(hours * HOUR_MS);
  });

  test('counts the real length of a night in which clocks change', () => {
    const night: WorkCalendar = {
      ...always('Europe/Berlin'),
      week: Array.from({ length: 7 }, () => [{ from: 0, to: 360 }]),
    };
    const [spring, autumn] = [at('2026-03-29T00:00:00+01:00'), at('2026-10-25T00:00:00+02:00')];
    expect(workingMsBetween(night, spring, spring + 12 * HOUR_MS)).toBe(5 * HOUR_MS);
    expect(workingMsBetween(night, autumn, autumn + 12 * HOUR_MS)).toBe(7 * HOUR_MS);
  });

  test('uses the average length of a working day for an SLA of one day', () => {
    expect(workingDayMs(officeIn('UTC'))).toBe(8 * HOUR_MS);
    expect(workingDayMs(always('UTC'))).toBe(DAY_MS);
  });

  test('handles the longest SLA with the least working time', () => {
    const hourAWeek: WorkCalendar = {
      ...officeIn('Europe/Berlin'),
      week: [[{ from: 540, to: 600 }], [], [], [], [], [], []],
    };
    const from = at('2026-11-16T00:00:00Z');
    const due = addWorkingMs(hourAWeek, from, 87_600 * HOUR_MS);
    expect((due - from) / (7 * DAY_MS)).toBeCloseTo(87_600, -1);
    expect(workingMsBetween(hourAWeek, from, due) / HOUR_MS).toBeCloseTo(87_600, 3);
  });
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago'];
const period = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 }))
  .map(([from, length]) => ({ from: from * 15, to: Math.min(1440, (from + length) * 15) }));
const week = fc
  .array(fc.option(period, { freq: 2 }), { minLength: 7, maxLength: 7 })
  .map((days) => days.map((day) => (day ? [day] : [])))
  .filter((days) => days.flat().reduce((sum, { from, to }) => sum + to - from, 0) >= 60);
// Times near the clock changes of 2026, where errors are likely.
const changes = ['2026-03-08', '2026-03-29', '2026-04-04', '2026-09-05', '2026-10-03', '2026-10-25', '2026-11-01'];
const moment = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * 1440, max: 4 * 1440 }))
  .map(([day, minutes]) => at(`${day}T00:00:00Z`) + minutes * MINUTE_MS);
const calendar = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  week,
  holidays: fc.subarray(['2026-03-30', '2026-10-26', '2026-11-02'], { maxLength: 2 }),
});
const span = fc.integer({ min: 0, max: 200 * 60 }).map((minutes) => minutes * MINUTE_MS);

/** Returns whether a minute is working time, according to the local time in that zone. */
function isWorked({ timeZone, week: days, holidays }: WorkCalendar, minute: number): boolean {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(minute);
  const [day = '', time = ''] = shown.split(' ');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
  const ofDay = hours * 60 + minutes;
  return !holidays.includes(day) && (days[weekday] ?? []).some(({ from, to }) => from <= ofDay && ofDay < to);
}

describe('any calendar', () => {
  test('agrees with counting minute by minute in local time, around clock changes', () => {
    // Periods that begin or end within a repeated hour would be ambiguous, so none of these do.
    const byDay = fc.record({
      timeZone: fc.constantFrom(...ZONES),
      holidays: fc.constant(['2026-03-30']),
      week: fc.constantFrom(
        officeIn('UTC').week,
        always('UTC').week,
        Array.from({ length: 7 }, () => [
          { from: 360, to: 720 },
          { from: 780, to: 1440 },
        ]),
      ),
    });
    fc.assert(
      fc.property(byDay, moment, fc.integer({ min: 0, max: 3 * 1440 }), (of, from, minutes) => {
        let worked = 0;
        for (let n = 0; n < minutes; n += 1) if (isWorked(of, from + n * MINUTE_MS)) worked += 1;
        expect(workingMsBetween(of, from, from + minutes * MINUTE_MS)).toBe(worked * MINUTE_MS);
      }),
      { numRuns: 6 },
    );
  });

  test('finds the earliest time by which exactly the added working time has passed', () => {
    fc.assert(
      fc.property(calendar, moment, span, (of, from, ms) => {
        const due = addWorkingMs(of, from, ms);
        expect(workingMsBetween(of, from, due)).toBe(ms);
        if (ms > 0) expect(workingMsBetween(of, from, due - 1)).toBe(ms - 1);
      }),
    );
  });

  test('gives the same result if the time is added in parts', () => {
    fc.assert(
      fc.property(calendar, moment, span, span, (of, from, one, other) => {
        const inParts = addWorkingMs(of, addWorkingMs(of, from, one), other);
        expect(inParts).toBe(addWorkingMs(of, from, one + other));
      }),
    );
  });

  test('equals elapsed time if it has no breaks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), moment, span, (timeZone, from, ms) => {
        expect(addWorkingMs(always(timeZone), from, ms)).toBe(from + ms);
      }),
    );
  });
});

test.each([
  [{ ...officeIn('Mars/Olympus') }, 'timeZone', 'Unknown time zone'],
  [{ ...officeIn('') }, 'timeZone', 'Unknown time zone'],
  [{ ...officeIn('UTC'), week: [NINE_TO_FIVE] }, 'week', 'A week must have seven days'],
  [
    { ...officeIn('UTC'), week: [[{ from: 600, to: 540 }], [], [], [], [], [], NINE_TO_FIVE] },
    'week',
    /end after they start/,
  ],
  [
    { ...officeIn('UTC'), week: [[...NINE_TO_FIVE, { from: 900, to: 1200 }], [], [], [], [], [], []] },
    'week',
    /overlap/,
  ],
  [{ ...officeIn('UTC'), week: [[], [], [], [], [], [], []] }, 'week', 'A week must have at least one working hour'],
  [{ ...officeIn('UTC', ['2026-02-30']) }, 'holidays', 'A holiday must be a date, for example 2026-12-25'],
  [{ ...officeIn('UTC', ['tomorrow']) }, 'holidays', 'A holiday must be a date, for example 2026-12-25'],
])('the problem of an invalid calendar names the invalid field (case %#)', (of, field, problem) => {
  const [found, ...more] = calendarProblems(of);
  expect(found?.field).toBe(field);
  expect(found?.problem).toMatch(problem);
  expect(more).toEqual([]);
});

test('ordinary office hours have no problem', () => {
  expect(calendarProblems(officeIn('America/New_York', ['2026-12-25', '2028-02-29']))).toEqual([]);
});
