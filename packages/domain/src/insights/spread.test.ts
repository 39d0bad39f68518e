import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CellSum, loadNames, weekOf } from './cells.ts';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import {
  addSpreads,
  medianRange,
  percentileOf,
  roundedSeconds,
  spreadFromList,
  spreadToList,
  verdictOn,
} from './spread.ts';

const spreadOf = (seconds: readonly number[]) =>
  seconds.reduce(
    (sum, each) => addSpreads(sum, new Map([[each, 1]])),
    new Map<number, number>() as ReadonlyMap<number, number>,
  );

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

test('a percentile of rounded durations is the rounded percentile', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e10 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 100 }),
      (all, percent) => {
        const exact =
          all.toSorted((one, other) => one - other)[Math.max(0, Math.ceil((percent / 100) * all.length) - 1)] ?? 0;
        const spread = spreadOf(all.map(roundedSeconds));
        expect(percentileOf(spread, percent / 100)).toBe(roundedSeconds(exact));
        expect(spreadFromList(spreadToList(spread))).toEqual(spread);
        const { low, high } = medianRange(spread) ?? { low: 0, high: 0 };
        expect(low <= (percentileOf(spread, 0.5) ?? 0) && (percentileOf(spread, 0.5) ?? 0) <= high).toBe(true);
      },
    ),
  );
  expect(percentileOf(new Map(), 0.5)).toBeNull();
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

test('steps of the server are no load, and cells of zero disappear', () => {
  expect(loadNames(stepOf({ id: 'a', type: 'automated', assignee: 'system', config: {} }))).toEqual([]);
  const cell = { kind: 'run', week: '2026-11-16', version: 1, subject: '', counts: { ended: 1 }, spreads: {} } as const;
  expect(new CellSum().add([cell]).add([cell], -1).cells).toEqual([]);
});
