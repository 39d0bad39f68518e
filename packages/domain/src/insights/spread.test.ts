import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_KINDS, CellSum, blockCells, blocksBetween, loadNames, weekOf } from './cells.ts';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import { medianRange, percentileOf, roundedSeconds, sumSpreads, verdictOn } from './spread.ts';

const spreadOf = (seconds: readonly number[]) =>
  sumSpreads(seconds.map((each) => ({ spread: [roundedSeconds(each * 1000), 1], times: 1 })));

test.each([
  [0, 0],
  [499, 0],
  [500, 1],
  [99_400, 99],
  [99_500, 100],
  [104_999, 100],
  [105_000, 110],
  [12_345_000, 12_000],
  [995_000_000, 1_000_000],
])('%i ms are rounded to %i s', (ms, seconds) => expect(roundedSeconds(ms)).toBe(seconds));

test('a percentile of rounded durations is the rounded percentile of the exact durations', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 100 }),
      (all, percent) => {
        const exact =
          all.toSorted((one, other) => one - other)[Math.max(0, Math.ceil((percent / 100) * all.length) - 1)] ?? 0;
        const spread = spreadOf(all.map(roundedSeconds));
        expect(percentileOf(spread, percent / 100)).toBe(roundedSeconds(exact));
        const { low, high } = medianRange(spread) ?? { low: 0, high: 0 };
        expect(low <= (percentileOf(spread, 0.5) ?? 0) && (percentileOf(spread, 0.5) ?? 0) <= high).toBe(true);
      },
    ),
  );
  expect(percentileOf([], 0.5)).toBeNull();
});

test('the blocks of a period and its remaining weeks have the same sum as all its weeks', () => {
  const week = fc.integer({ min: 0, max: 70 }).map((n) => weekOf(Date.UTC(2026, 0, 5 + 7 * n)));
  const cell = fc.record({
    kind: fc.constantFrom('step' as const, 'run' as const),
    week,
    seconds: fc.nat(99),
    subject: fc.constantFrom('one', 'two'),
  });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 80 }), week, week, (made, one, other) => {
      const [first, last] = one < other ? [one, other] : [other, one];
      const cells = new CellSum().add(
        made.map(({ seconds, ...key }) => ({
          ...key,
          version: 1,
          counts: { visits: 1 },
          spreads: { calendar: [seconds, 1] },
        })),
      ).cells;
      const total = (all: typeof cells) =>
        new CellSum()
          .add(all.map((each) => ({ ...each, week: '' })))
          .cells.toSorted((a, b) => `${a.kind}${a.subject}`.localeCompare(`${b.kind}${b.subject}`));
      const { from, before } = blocksBetween(first, last);
      const inPeriod = cells.filter((each) => each.week >= first && each.week <= last);
      const outside = inPeriod.filter(
        (each) => !BLOCK_KINDS.includes(each.kind) || each.week < from || each.week >= before,
      );
      const blocks = blockCells(cells).filter((each) => each.week >= from && each.week < before);
      expect(total([...outside, ...blocks])).toEqual(total(inPeriod));
      expect(new Set(outside.filter(({ kind }) => kind === 'step').map((each) => each.week)).size).toBeLessThan(16);
    }),
  );
});

test('sums of spreads count each duration, and subtracting a spread removes it', () => {
  const seconds = fc.array(fc.nat(1e9).map((ms) => roundedSeconds(ms)));
  fc.assert(
    fc.property(seconds, seconds, (one, other) => {
      const counted = new Map<number, number>();
      for (const each of [...one, ...other]) counted.set(each, (counted.get(each) ?? 0) + 1);
      const sum = sumSpreads([
        { spread: spreadOf(one), times: 1 },
        { spread: spreadOf(other), times: 1 },
      ]);
      expect(sum).toEqual([...counted].toSorted(([a], [b]) => a - b).flat());
      expect(
        sumSpreads([
          { spread: sum, times: 1 },
          { spread: spreadOf(other), times: -1 },
        ]),
      ).toEqual(spreadOf(one));
    }),
  );
});

describe('the verdict on a change', () => {
  const times = (from: number, count: number) => spreadOf(Array.from({ length: count }, (_, n) => from + n));
  test.each([
    ['too_few_runs', times(100, 19), times(10, 50)],
    ['too_few_runs', times(100, 50), times(10, 19)],
    ['faster', times(1000, 40), times(100, 40)],
    ['slower', times(100, 40), times(1000, 40)],
    ['no_clear_difference', times(100, 40), times(105, 40)],
  ])('is %s', (verdict, before, after) => expect(verdictOn(before, after)).toBe(verdict));
});

test.each([
  ['2026-11-22T23:59:59Z', '2026-11-16'],
  ['2026-11-23T00:00:00Z', '2026-11-23'],
  ['1970-01-01T00:00:00Z', '1969-12-29'],
])('%s belongs to the week of %s', (at, monday) => expect(weekOf(Date.parse(at))).toBe(monday));

test.each([
  ['group:finance, editor', ['group:finance', 'role:editor']],
  ['ann@example.com, bob@example.com', ['people']],
  ['starter', ['starter']],
  ['Unassigned', ['anyone']],
])('the load of a step for %s is counted for %j', (assignee, names) =>
  expect(loadNames(stepOf({ id: 'a', assignee }))).toEqual(names),
);

test('steps of the server aren’t counted as load, and cells with only zeros are removed', () => {
  expect(loadNames(stepOf({ id: 'a', type: 'automated', assignee: 'system', config: {} }))).toEqual([]);
  const cell = { kind: 'run', week: '2026-11-16', version: 1, subject: '', counts: { ended: 1 }, spreads: {} } as const;
  expect(new CellSum().add([cell]).add([cell], -1).cells).toEqual([]);
});
