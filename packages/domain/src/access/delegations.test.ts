import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../sla/duration.ts';
import {
  decideDelegation,
  type DelegatedWork,
  type Delegation,
  DELEGATION_DAYS,
  DELEGATION_KINDS,
  delegationFor,
  isActiveAt,
  LENT_PERMISSIONS,
  lendsDecisions,
  MAX_DELEGATIONS,
  type WantedDelegation,
} from './delegations.ts';
import { PERMISSION_NAMES } from './permissions.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const delegation = (changes: Partial<Delegation> = {}): Delegation => ({
  id: 'd1',
  fromUserId: 'mara',
  toUserId: 'ben',
  from: NOW,
  until: NOW + 7 * DAY_MS,
  endedAt: null,
  kinds: ['tasks'],
  workflowKeys: null,
  ...changes,
});
const work = (changes: Partial<DelegatedWork> = {}): DelegatedWork => ({
  actorId: 'ben',
  onBehalfOf: 'mara',
  kind: 'tasks',
  workflowKey: 'invoice',
  at: NOW,
  ...changes,
});
const wanted = (changes: Partial<WantedDelegation> = {}): WantedDelegation => ({
  toUserId: 'ben',
  from: NOW,
  until: NOW + 7 * DAY_MS,
  kinds: ['tasks'],
  workflowKeys: null,
  ...changes,
});
const decide = (changes: Partial<WantedDelegation> = {}, own: Delegation[] = []) =>
  decideDelegation(wanted(changes), { actorId: 'mara', own, at: NOW });
const fieldsOf = (decision: ReturnType<typeof decide>): string[] =>
  decision.ok || decision.refusal.code !== 'invalid' ? [] : decision.refusal.problems.map(({ field }) => field);

describe('a delegation', () => {
  it.each<['is active' | 'isn’t active', string, Partial<Delegation>, number]>([
    ['is active', 'from its start', {}, NOW],
    ['isn’t active', 'before its start', {}, NOW - 1],
    ['is active', 'in the last moment before its end', {}, NOW + 7 * DAY_MS - 1],
    ['isn’t active', 'at its end', {}, NOW + 7 * DAY_MS],
    ['isn’t active', 'after it was ended early', { endedAt: NOW + HOUR_MS }, NOW + 2 * HOUR_MS],
  ])('%s %s', (state, _, changes, at) => {
    expect(isActiveAt(delegation(changes), at)).toBe(state === 'is active');
  });

  it.each<[string, Partial<DelegatedWork>, Partial<Delegation>]>([
    ['other kinds of work', { kind: 'votes' }, {}],
    ['other workflows', {}, { workflowKeys: ['order'] }],
    ['other delegators', { onBehalfOf: 'mike' }, {}],
    ['other delegates', { actorId: 'cem' }, {}],
    ['work after its end', { at: NOW + 7 * DAY_MS }, {}],
  ])('doesn’t cover %s', (_, asked, changes) => {
    expect(delegationFor([delegation(changes)], work(asked))).toBeUndefined();
  });

  it('covers the kinds and workflows that it names, and all workflows if it names none', () => {
    const some = delegation({ kinds: ['votes', 'reviews'], workflowKeys: ['order', 'invoice'] });
    expect(delegationFor([some], work({ kind: 'reviews' }))).toBe(some);
    const all = delegation();
    expect(delegationFor([delegation({ id: 'other', kinds: ['votes'] }), all], work())).toBe(all);
  });

  it('lends decisions if it is for votes or reviews, but not if it is for tasks', () => {
    expect(DELEGATION_KINDS.map((kind) => lendsDecisions({ kinds: [kind] }))).toEqual([false, true, true]);
  });

  it('never lends managing, merging, confirming, standing in or controlling runs', () => {
    const lent = new Set(Object.values(LENT_PERMISSIONS).flat());
    expect(PERMISSION_NAMES.filter((name) => lent.has(name))).toEqual([
      'draft.review',
      'step.act_any',
      'step.act_approval',
      'step.act_assigned',
    ]);
  });
});

describe('delegating', () => {
  it('accepts what the person entered, with each kind and workflow once and in order', () => {
    const decision = decide({ kinds: ['reviews', 'tasks', 'tasks'], workflowKeys: ['order', 'invoice', 'order'] });
    expect(decision).toEqual({
      ok: true,
      delegation: wanted({ kinds: ['tasks', 'reviews'], workflowKeys: ['invoice', 'order'] }),
    });
  });

  it('starts now if the start is up to 5 minutes ago, because the browser’s clock may be slow', () => {
    expect(decide({ from: NOW - 5 * MINUTE_MS })).toEqual({ ok: true, delegation: wanted() });
  });

  it.each<[string, Partial<WantedDelegation>, string[]]>([
    ['to oneself', { toUserId: 'mara' }, ['toUserId']],
    ['with a start in the past', { from: NOW - 6 * MINUTE_MS }, ['from']],
    ['with a start and an end in the past', { from: NOW - 2 * DAY_MS, until: NOW - DAY_MS }, ['from', 'until']],
    ['too far ahead', { from: NOW + 366 * DAY_MS, until: NOW + 367 * DAY_MS }, ['from']],
    ['until the start', { until: NOW }, ['until']],
    ['until before the start', { from: NOW + DAY_MS, until: NOW + HOUR_MS }, ['until']],
    ['for more than 180 days', { until: NOW + DELEGATION_DAYS.longest * DAY_MS + 1 }, ['until']],
    ['without a kind of work', { kinds: [] }, ['kinds']],
    ['for no workflow', { workflowKeys: [] }, ['workflowKeys']],
    ['with several invalid fields', { toUserId: 'mara', kinds: [], until: 0 }, ['toUserId', 'until', 'kinds']],
  ])('is refused %s, naming the fields', (_, changes, fields) => {
    expect(fieldsOf(decide(changes))).toEqual(fields);
  });

  it('can start a year ahead and last 180 days', () => {
    const from = NOW + DELEGATION_DAYS.ahead * DAY_MS;
    expect(decide({ from, until: from + DELEGATION_DAYS.longest * DAY_MS }).ok).toBe(true);
  });

  it.each<['is possible' | 'is refused', string, Partial<WantedDelegation>, Partial<Delegation>]>([
    ['is refused', 'to someone else at the same time', { toUserId: 'cem' }, {}],
    ['is refused', 'to the same person at the same time', {}, {}],
    ['is refused', 'of one workflow while all are delegated', { workflowKeys: ['order'] }, {}],
    ['is refused', 'of all workflows while one is delegated', {}, { workflowKeys: ['order'] }],
    ['is refused', 'in the last moment of another', { from: NOW + DAY_MS - 1 }, { until: NOW + DAY_MS }],
    ['is possible', 'from the end of another', { from: NOW + DAY_MS }, { until: NOW + DAY_MS }],
    ['is possible', 'of another kind', { kinds: ['votes'] }, {}],
    ['is possible', 'of another workflow', { workflowKeys: ['order'] }, { workflowKeys: ['invoice'] }],
    ['is possible', 'after another was ended early', {}, { endedAt: NOW - 1 }],
    ['is possible', 'after another', {}, { from: NOW - 2 * DAY_MS, until: NOW - DAY_MS }],
  ])('%s %s', (outcome, _, changes, other) => {
    const decision = decide(changes, [delegation(other)]);
    expect(decision.ok).toBe(outcome === 'is possible');
    if (!decision.ok)
      expect(decision.refusal).toEqual({ code: 'delegation_overlaps', delegationId: 'd1', toUserId: 'ben' });
  });

  it(`is refused while a person has ${MAX_DELEGATIONS} delegations`, () => {
    const own = Array.from({ length: MAX_DELEGATIONS }, (_, n) => delegation({ id: `d${n}`, workflowKeys: [`w${n}`] }));
    expect(decide({ kinds: ['votes'] }, own)).toEqual({
      ok: false,
      refusal: { code: 'too_many_delegations', most: MAX_DELEGATIONS },
    });
    expect(decide({ kinds: ['votes'] }, own.slice(1)).ok).toBe(true);
  });
});

describe('in any history of delegations', () => {
  const PEOPLE = ['ann', 'bob', 'cem', 'dee'];
  const someone = fc.constantFrom(...PEOPLE);
  const day = fc.integer({ min: -2, max: 12 });
  const entered = fc.record({
    by: someone,
    toUserId: someone,
    start: day,
    length: fc.integer({ min: -1, max: 200 }),
    kinds: fc.subarray([...DELEGATION_KINDS]),
    workflowKeys: fc.option(fc.subarray(['invoice', 'order']), { nil: null }),
    endsEarly: fc.option(fc.integer({ min: 0, max: 6 }), { nil: null, freq: 3 }),
  });
  const history = fc.array(entered, { maxLength: 25 }).map((calls) => {
    const made: Delegation[] = [];
    for (const [n, { by, start, length, endsEarly, ...rest }] of calls.entries()) {
      const [from, until] = [NOW + start * DAY_MS, NOW + (start + length) * DAY_MS];
      const own = made.filter(({ fromUserId }) => fromUserId === by);
      const decision = decideDelegation({ ...rest, from, until }, { actorId: by, own, at: NOW });
      if (!decision.ok) continue;
      const endedAt = endsEarly === null ? null : NOW + endsEarly * DAY_MS;
      made.push({ ...decision.delegation, id: `d${n}`, fromUserId: by, endedAt });
    }
    return made;
  });
  const asked = fc.record<DelegatedWork>({
    actorId: someone,
    onBehalfOf: someone,
    kind: fc.constantFrom(...DELEGATION_KINDS),
    workflowKey: fc.constantFrom('invoice', 'order', 'unnamed'),
    at: day.map((days) => NOW + days * DAY_MS),
  });

  it('nobody acts for themselves, and at most one person does the same work for someone at a time', () => {
    fc.assert(
      fc.property(history, asked, (made, question) => {
        expect(delegationFor(made, { ...question, onBehalfOf: question.actorId })).toBeUndefined();
        const delegates = PEOPLE.filter((actorId) => delegationFor(made, { ...question, actorId }) !== undefined);
        expect(delegates.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  it('a person acts for another only through a direct delegation, and all other delegations have no effect', () => {
    fc.assert(
      fc.property(history, asked, (made, question) => {
        const { actorId, onBehalfOf } = question;
        const found = delegationFor(made, question);
        if (found) expect([found.fromUserId, found.toUserId]).toEqual([onBehalfOf, actorId]);
        // Delegations can't be chained: without a direct one, no other delegation is found.
        const others = made.filter((each) => each.fromUserId !== onBehalfOf || each.toUserId !== actorId);
        expect(delegationFor(others, question)).toBeUndefined();
        const direct = made.filter((each) => each.fromUserId === onBehalfOf && each.toUserId === actorId);
        expect(delegationFor(direct, question)).toBe(found);
      }),
      { numRuns: 1000 },
    );
  });

  it('no delegation is longer than the limit or starts before it was made', () => {
    fc.assert(
      fc.property(history, (made) => {
        for (const { from, until } of made) {
          expect(from).toBeGreaterThanOrEqual(NOW);
          expect(until).toBeGreaterThan(from);
          expect(until - from).toBeLessThanOrEqual(DELEGATION_DAYS.longest * DAY_MS);
        }
      }),
    );
  });
});
