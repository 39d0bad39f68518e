import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentText } from '../audit/moment.ts';
import { type LiveChange, asOfInstant, inForceAt, liveChangeOf, periodsInForce } from './in-force.ts';

const merge = (at: bigint, version: number, isEmergency = false): LiveChange => ({
  act: 'merge',
  at,
  version,
  isEmergency,
});
const rollback = (at: bigint, version: number): LiveChange => ({ act: 'rollback', at, version, isEmergency: false });
const archive = (at: bigint): LiveChange => ({ act: 'archive', at });

describe('periods in force', () => {
  const cases: [string, LiveChange[], string[]][] = [
    ['no merge', [], []],
    ['the first merge', [merge(10n, 1)], ['v1 10–']],
    ['two merges', [merge(10n, 1), merge(20n, 2, true)], ['v1 10–20', 'v2 20–']],
    ['a rollback', [merge(10n, 1), merge(20n, 2), rollback(30n, 1)], ['v1 10–20', 'v2 20–30', 'v1 30–']],
    [
      'a rollback and another merge',
      [merge(10n, 1), merge(20n, 2), rollback(30n, 1), merge(40n, 3)],
      ['v1 10–20', 'v2 20–30', 'v1 30–40', 'v3 40–'],
    ],
    ['archiving', [merge(10n, 1), archive(15n)], ['v1 10–15']],
    ['archiving without a merge', [archive(15n)], []],
    ['changes given in another order', [archive(30n), merge(20n, 2), merge(10n, 1)], ['v1 10–20', 'v2 20–30']],
    ['a rollback to the version in force', [merge(10n, 1), rollback(20n, 1)], ['v1 10–']],
  ];
  test.each(cases)('after %s', (_name, changes, expected) => {
    const periods = periodsInForce(changes);
    expect(periods.map(({ version, from, until }) => `v${version} ${from}–${until ?? ''}`)).toEqual(expected);
  });

  test('name the changes that began and ended them, with all their fields', () => {
    const first = { ...merge(10n, 1, true), by: 'Mara' };
    const last = { ...archive(20n), by: 'Tomás' };
    expect(periodsInForce([first, last])).toEqual([{ version: 1, from: 10n, until: 20n, began: first, ended: last }]);
  });

  test('include the microsecond at which they begin, but not the one at which they end', () => {
    const periods = periodsInForce([merge(10n, 1), merge(20n, 2), archive(30n)]);
    const versionAt = (instant: bigint) => inForceAt(periods, instant)?.version ?? null;
    expect([9n, 10n, 19n, 20n, 29n, 30n].map(versionAt)).toEqual([null, 1, 1, 2, 2, null]);
  });

  const histories = fc
    .array(
      fc.record({
        gap: fc.bigInt({ min: 1n, max: 5n }),
        act: fc.constantFrom('merge', 'merge', 'rollback', 'archive'),
        to: fc.nat(),
      }),
      { maxLength: 30 },
    )
    .map((acts) => {
      const changes: LiveChange[] = [];
      let at = 0n;
      let versions = 0;
      for (const { gap, act, to } of acts) {
        at += gap;
        if (act === 'archive') changes.push(archive(at));
        else if (act === 'rollback' && versions > 0) changes.push(rollback(at, 1 + (to % versions)));
        else changes.push(merge(at, ++versions));
      }
      return { changes, end: at };
    });

  test('show the version of the last change at or before each instant', () => {
    fc.assert(
      fc.property(histories, ({ changes, end }) => {
        const periods = periodsInForce(changes);
        for (let instant = 0n; instant <= end + 1n; instant++) {
          const last = changes.findLast(({ at }) => at <= instant);
          expect(inForceAt(periods, instant)?.version).toBe(last?.act === 'archive' ? undefined : last?.version);
        }
      }),
    );
  });

  test('are ordered, never overlap and are never empty, and only the last one may be open', () => {
    fc.assert(
      fc.property(histories, ({ changes }) => {
        const periods = periodsInForce(changes);
        for (const [n, { from, until }] of periods.entries()) {
          const next = periods[n + 1];
          if (until === null) expect(next).toBeUndefined();
          else expect(from < until && (next === undefined || until <= next.from)).toBe(true);
        }
      }),
    );
  });

  test('don’t depend on the order of the changes', () => {
    const shuffled = histories.chain(({ changes }) =>
      fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length })),
    );
    fc.assert(
      fc.property(shuffled, ([changes, others]) => {
        expect(periodsInForce(others)).toEqual(periodsInForce(changes));
      }),
    );
  });
});

test.each([
  ['draft.merged', { version: 3 }, merge(7n, 3)],
  ['draft.merged', { version: 3, emergency: true }, merge(7n, 3, true)],
  ['version.rolled_back', { from: 3, to: 2 }, rollback(7n, 2)],
  ['version.rolled_back', {}, null],
  ['draft.merged', {}, null],
  ['workflow.archived', {}, archive(7n)],
  ['workflow.deleted', {}, null],
  ['draft.approved', { version: 3 }, null],
])('reads the change that the event %s with %j records', (action, data, change) => {
  expect(liveChangeOf({ action, at: 7n, data })).toEqual(change);
});

test.each([
  ['2026-09-01', 'UTC', '2026-09-01T23:59:59.999999Z'],
  ['2026-09-01', 'Europe/Berlin', '2026-09-01T21:59:59.999999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999999Z'],
  ['2026-12-31', 'America/Los_Angeles', '2027-01-01T07:59:59.999999Z'],
  // The next day has no midnight, because clocks go from 24:00 to 01:00.
  ['2018-11-03', 'America/Sao_Paulo', '2018-11-04T02:59:59.999999Z'],
  ['2026-09-01T10:00:00Z', 'Europe/Berlin', '2026-09-01T10:00:00.000000Z'],
  ['2026-09-01T10:00:00.123456Z', 'UTC', '2026-09-01T10:00:00.123456Z'],
  ['2026-09-01T10:00:00.1234567+02:00', 'UTC', '2026-09-01T08:00:00.123456Z'],
])('%s in %s stands for %s', (asOf, timeZone, instant) => {
  expect(momentText(asOfInstant(asOf, timeZone))).toBe(instant);
});
