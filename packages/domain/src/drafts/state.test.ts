import { describe, expect, it } from 'vitest';
import {
  approve,
  discard,
  merge,
  requestChanges,
  save,
  submit,
  versionStateOf,
  withdraw,
  withdrawApproval,
  type Draft,
  type InReview,
  type Live,
  type Superseded,
  type VersionState,
} from './state.ts';
import { rollBackTo } from './roll-back.ts';

const draft: Draft = { state: 'draft' };
const inReview: InReview = { state: 'in_review' };
const live: Live = { state: 'live', version: 7 };
const superseded: Superseded = { state: 'superseded', version: 7 };

const outcome = (answer: { ok: true; state?: VersionState } | { ok: false; refusal: { code: string } }) =>
  answer.ok ? (answer.state?.state ?? 'gone') : answer.refusal.code;

type Act = (from: VersionState) => string;
const ACTS: [string, Act, draft: string, inReview: string, live: string, superseded: string][] = [
  [
    'save',
    (from) => outcome(save(from, { sent: 3, current: 3 })),
    'draft',
    'in_review',
    'already_merged',
    'already_merged',
  ],
  ['submit', (from) => outcome(submit(from)), 'in_review', 'already_in_review', 'already_merged', 'already_merged'],
  ['withdraw', (from) => outcome(withdraw(from)), 'not_in_review', 'draft', 'already_merged', 'already_merged'],
  ['approve', (from) => outcome(approve(from)), 'in_review', 'in_review', 'already_merged', 'already_merged'],
  [
    'withdraw an approval',
    (from) => outcome(withdrawApproval(from, true)),
    'not_in_review',
    'in_review',
    'already_merged',
    'already_merged',
  ],
  [
    'withdraw an approval that was never given',
    (from) => outcome(withdrawApproval(from, false)),
    'not_in_review',
    'not_approved',
    'already_merged',
    'already_merged',
  ],
  [
    'request changes',
    (from) => outcome(requestChanges(from, 'Why 60?')),
    'draft',
    'draft',
    'already_merged',
    'already_merged',
  ],
  ['merge', (from) => outcome(merge(from, 8, [])), 'live', 'live', 'already_merged', 'already_merged'],
  ['discard', (from) => outcome(discard(from, discarding())), 'gone', 'gone', 'already_merged', 'already_merged'],
  ['roll back to', (from) => outcome(rollBackTo(from, [])), 'never_merged', 'never_merged', 'already_live', 'live'],
];

function discarding(changes: Partial<Parameters<typeof discard>[1]> = {}): Parameters<typeof discard>[1] {
  const nobody = { isManager: false, hasCurrentReview: false, reason: undefined };
  return { actorId: 'priya', authorId: 'sam', contributors: ['priya', 'sam'], ...nobody, ...changes };
}

describe('a version', () => {
  it.each(ACTS)('allows or refuses the action "%s" depending on its state', (_, act, ...expected) => {
    expect([draft, inReview, live, superseded].map(act)).toEqual(expected);
  });

  it('refuses a save with an old revision, but accepts one without a revision', () => {
    expect(save(draft, { sent: 3, current: 4 })).toEqual({
      ok: false,
      refusal: { code: 'stale_revision', sent: 3, current: 4 },
    });
    expect(save(draft, { sent: null, current: 4 }).ok).toBe(true);
  });

  it('is submitted by an approval if it isn’t submitted yet', () => {
    expect(submit(draft)).toEqual({ ok: true, state: inReview });
    expect(approve(draft)).toEqual({ ok: true, state: inReview });
    expect(approve(inReview)).toEqual({ ok: true, state: inReview });
  });

  it.each<VersionState>([draft, inReview, live, superseded])('can be restored from the stored values (%j)', (state) => {
    const version = 'version' in state ? state.version : null;
    expect(versionStateOf({ status: state.state, version })).toEqual(state);
  });

  it('must have a number once it is merged', () => {
    expect(() => versionStateOf({ status: 'live', version: null })).toThrow('A live version must have a number');
  });

  it.each(['', '  \n'])('refuses a request for changes with the comment %j', (comment) => {
    expect(requestChanges(inReview, comment)).toEqual({ ok: false, refusal: { code: 'comment_required' } });
  });

  it('refuses a blocked merge with the code of the first blocker and the list of all blockers', () => {
    const blockers = [
      { code: 'not_submitted' as const },
      { code: 'needs_approvals' as const, needed: 1, has: 0, available: 2 },
    ];
    expect(merge(draft, 8, blockers)).toEqual({
      ok: false,
      refusal: { code: 'not_submitted', blockers },
    });
  });

  it.each<[string, string, Parameters<typeof discarding>[0]]>([
    ['a contributor, while there are no reviews', 'ok', {}],
    ['someone who has not contributed', 'not_your_draft', { actorId: 'ellen' }],
    ['a manager who has not contributed', 'not_your_draft', { actorId: 'ellen', isManager: true }],
    ['a contributor, despite a review', 'not_your_draft', { hasCurrentReview: true, reason: 'Obsolete' }],
    ['the author, despite a review, without a reason', 'reason_required', { actorId: 'sam', hasCurrentReview: true }],
    [
      'the author, despite a review, with a reason',
      'ok',
      { actorId: 'sam', hasCurrentReview: true, reason: 'Obsolete' },
    ],
    [
      'a manager, despite a review, with a reason',
      'ok',
      { actorId: 'ellen', isManager: true, hasCurrentReview: true, reason: 'x' },
    ],
  ])('decides whether it can be discarded by %s: %s', (_, expected, question) => {
    const decision = discard(inReview, discarding(question));
    expect(decision.ok ? 'ok' : decision.refusal.code).toBe(expected);
  });

  it('keeps its number in a rollback', () => {
    expect(rollBackTo(superseded, [])).toEqual({ ok: true, state: live });
  });
});
