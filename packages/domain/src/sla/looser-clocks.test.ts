import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WorkCalendar, addWorkingMs, workingDayMs } from './calendar.ts';
import { DAY_MS, MINUTE_MS, parseDuration } from './duration.ts';
import { MAX_HOLIDAYS_PER_YEAR, addsOneHoliday, delaysDueTimes, weakensEscalation } from './looser-clocks.ts';

const OFFICE = [{ from: 540, to: 1020 }];
const office = (change: Partial<WorkCalendar> = {}): WorkCalendar => ({
  timeZone: 'Europe/Berlin',
  week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, [], []],
  holidays: [],
  ...change,
});
const always = office({ week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]) });
const TODAY = '2026-11-23';

describe('delaysDueTimes', () => {
  it.each<[boolean, string, WorkCalendar | null, WorkCalendar | null]>([
    [false, 'no change', office(), office()],
    [
      true,
      'one working hour fewer',
      office(),
      office({ week: [[{ from: 540, to: 960 }], OFFICE, OFFICE, OFFICE, OFFICE, [], []] }),
    ],
    [
      true,
      'a lunch break',
      office(),
      office({
        week: [
          [
            { from: 540, to: 720 },
            { from: 780, to: 1020 },
          ],
          OFFICE,
          OFFICE,
          OFFICE,
          OFFICE,
          [],
          [],
        ],
      }),
    ],
    [
      true,
      'a later shift',
      office(),
      office({ week: [[{ from: 600, to: 1080 }], OFFICE, OFFICE, OFFICE, OFFICE, [], []] }),
    ],
    [
      false,
      'one more working day of the same length',
      office(),
      office({ week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, []] }),
    ],
    [
      false,
      'one more, shorter working day',
      office(),
      office({ week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, [{ from: 540, to: 600 }], []] }),
    ],
    [
      true,
      'longer working days, because they make an SLA of one day longer',
      office(),
      office({ week: [[{ from: 480, to: 1080 }], OFFICE, OFFICE, OFFICE, OFFICE, [], []] }),
    ],
    [true, 'working hours instead of elapsed time', null, office()],
    [true, 'elapsed time instead of working hours, because its days are longer', office(), null],
    [false, 'all hours of all days instead of elapsed time', null, always],
    [false, 'elapsed time instead of all hours', always, null],
    [true, 'a different time zone', office(), office({ timeZone: 'Europe/Paris' })],
    [true, 'a future holiday', office(), office({ holidays: ['2026-12-25'] })],
    [true, 'a holiday today', office(), office({ holidays: [TODAY] })],
    [false, 'a past holiday', office(), office({ holidays: ['2026-11-20'] })],
    [false, 'a holiday on a Sunday', office(), office({ holidays: ['2026-12-27'] })],
    [false, 'one holiday fewer', office({ holidays: ['2026-12-25'] }), office()],
    [
      false,
      'a period split into two adjacent ones',
      office(),
      office({
        week: [
          [
            { from: 540, to: 720 },
            { from: 720, to: 1020 },
          ],
          OFFICE,
          OFFICE,
          OFFICE,
          OFFICE,
          [],
          [],
        ],
      }),
    ],
  ])('returns %s for %s', (expected, _, before, after) => {
    expect(delaysDueTimes(before, after, TODAY)).toBe(expected);
  });

  const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  const period = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
    .map(([from, length]) => ({ from: from * 60, to: Math.min(1440, (from + length) * 60) }));
  const week = fc
    .array(fc.option(period, { freq: 3 }), { minLength: 7, maxLength: 7 })
    .map((days) => days.map((day) => (day ? [day] : [])))
    .filter((days) => days.flat().length > 0);
  const days = ['2026-11-20', '2026-11-23', '2026-11-27', '2026-12-25', '2027-03-29'];
  const calendarIn = (timeZone: fc.Arbitrary<string>): fc.Arbitrary<WorkCalendar> =>
    fc.record({ timeZone, week, holidays: fc.subarray(days, { maxLength: 3 }) });
  const one = calendarIn(fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'));
  // Two random calendars rarely have anything in common, so the second one is usually a wider version of the first.
  const widened = one.chain((before) =>
    fc
      .record({ week: fc.array(fc.option(period, { freq: 2 }), { minLength: 7, maxLength: 7 }), isFewer: fc.boolean() })
      .map(({ week: wider, isFewer }) => ({
        before,
        after: {
          ...before,
          week: before.week.map((day, n) => {
            const [was, is] = [day[0], wider[n]];
            if (!is) return day;
            return [was ? { from: Math.min(was.from, is.from), to: Math.max(was.to, is.to) } : is];
          }),
          holidays: isFewer ? before.holidays.slice(1) : before.holidays,
        } as WorkCalendar,
      })),
  );
  const pair = fc.oneof(
    { weight: 3, arbitrary: widened },
    { weight: 1, arbitrary: fc.tuple(fc.option(one), fc.option(one)).map(([before, after]) => ({ before, after })) },
  );
  const sla = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 50 })).map(([d, h]) => `${d}d ${h}h`);
  const moment = fc
    .tuple(
      fc.constantFrom('2026-11-23', '2026-12-24', '2027-03-27', '2027-10-30'),
      fc.integer({ min: 0, max: 10 * 1440 }),
    )
    .map(([day, minutes]) => at(day) + 14 * 3_600_000 + minutes * MINUTE_MS);
  const dueAt = (calendar: WorkCalendar | null, from: number, text: string): number => {
    const parsed = parseDuration(text, calendar === null ? DAY_MS : workingDayMs(calendar));
    const ms = parsed.ok ? (parsed.ms ?? 0) : 0;
    return calendar === null ? from + ms : addWorkingMs(calendar, from, ms);
  };

  it('returns false only if no due time becomes later', () => {
    fc.assert(
      fc.property(pair, moment, sla, ({ before, after }, from, text) => {
        fc.pre(!delaysDueTimes(before, after, TODAY));
        expect(dueAt(after, from, text)).toBeLessThanOrEqual(dueAt(before, from, text));
      }),
      { numRuns: 200 },
    );
  });

  it('returns true if a weekday loses working time, and some step is really delayed', () => {
    fc.assert(
      fc.property(one, fc.nat(), fc.nat(), (before, pickDay, pickPart) => {
        const worked = before.week.flatMap((day, weekday) => (day.length > 0 ? [weekday] : []));
        const weekday = worked[pickDay % worked.length] ?? 0;
        const [was = { from: 0, to: 60 }] = before.week[weekday] ?? [];
        const cut = was.from + 1 + (pickPart % (was.to - was.from - 1));
        const after = {
          ...before,
          week: before.week.map((day, n) => (n === weekday ? [{ from: was.from, to: cut }] : day)),
        };
        expect(delaysDueTimes(before, after, TODAY)).toBe(true);
        const isLater = Array.from({ length: 21 * 24 }, (_, hour) => at('2026-12-28') + hour * 3_600_000).some((from) =>
          ['1m', '30m', '1h', '30h'].some((text) => dueAt(after, from, text) > dueAt(before, from, text)),
        );
        expect(isLater).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});

describe('addsOneHoliday', () => {
  const with30 = Array.from({ length: 30 }, (_, n) => `2027-01-${String(n + 1).padStart(2, '0')}`);
  it.each<[boolean, string, WorkCalendar | null, WorkCalendar | null]>([
    [true, 'in the future', office(), office({ holidays: ['2026-12-25'] })],
    [false, 'today', office(), office({ holidays: [TODAY] })],
    [false, 'that is added together with another', office(), office({ holidays: ['2026-12-24', '2026-12-25'] })],
    [
      false,
      'that is added while working hours are removed',
      office(),
      office({ holidays: ['2026-12-25'], week: [[], OFFICE, OFFICE, OFFICE, OFFICE, [], []] }),
    ],
    [
      true,
      'that is added together with working hours',
      office(),
      office({ holidays: ['2026-12-25'], week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, []] }),
    ],
    [
      false,
      'that is added while the time zone changes',
      office(),
      office({ holidays: ['2026-12-25'], timeZone: 'UTC' }),
    ],
    [false, 'that is added when working hours are introduced', null, office({ holidays: ['2026-12-25'] })],
    [true, 'that replaces another one', office({ holidays: ['2026-12-24'] }), office({ holidays: ['2026-12-25'] })],
    [
      false,
      `that is number ${MAX_HOLIDAYS_PER_YEAR + 1} of its year`,
      office({ holidays: with30 }),
      office({ holidays: [...with30, '2027-05-05'] }),
    ],
    [
      true,
      'that is the first of the next year',
      office({ holidays: with30 }),
      office({ holidays: [...with30, '2028-05-05'] }),
    ],
  ])('returns %s for a holiday %s', (expected, _, before, after) => {
    expect(addsOneHoliday(before, after, TODAY)).toBe(expected);
  });
});

it.each([
  [['owner', 'a@b.c'], 60, ['owner'], 60, true],
  [['owner'], 60, ['owner', 'a@b.c'], 60, false],
  [['owner'], 60, ['owner'], 61, true],
  [['owner'], 60, ['owner'], null, true],
  [['owner'], null, ['owner'], 5, false],
  [['owner'], 60, ['owner'], 30, false],
  [[], null, ['owner'], null, false],
])(
  'an escalation to %j every %j that becomes %j every %j is weaker: %j',
  (recipients, repeatMinutes, toRecipients, toMinutes, weaker) => {
    const after = { tell: toRecipients, againAfterMinutes: toMinutes };
    expect(weakensEscalation({ tell: recipients, againAfterMinutes: repeatMinutes }, after)).toBe(weaker);
  },
);
