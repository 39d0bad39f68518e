import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import {
  blockedAsSimulated,
  blockedByComments,
  countedApprovals,
  isStandingApproval,
  latestWords,
  peopleOfReview,
  voterOf,
  canApprove,
  waitsForReviewBy,
  whatBlocksMerge,
  type MergeQuestion,
  type Review,
} from './policy.ts';
import type { ApprovalMark } from './approval-marks.ts';
import type { DelegateVerdict, DraftStanding } from './who-counts.ts';

const approved = (reviewerId: string, contentHash = 'h1', dismissed = false): Review => ({
  reviewerId,
  verdict: 'approved',
  contentHash,
  dismissed,
  byToken: false,
});
const against = (reviewerId: string, contentHash = 'h1'): Review => ({
  reviewerId,
  verdict: 'changes_requested',
  contentHash,
  dismissed: false,
  byToken: false,
});

/** By default, Priya is the author, and approvals by Ellen and Jonas count. With `alone`, only authors can review. */
const standing = ({
  authors = ['priya'],
  counted = { ellen: [], jonas: [] },
  alone = false,
  delegates = [],
}: {
  authors?: string[];
  counted?: Record<string, ApprovalMark[]>;
  alone?: boolean;
  delegates?: ({ id: string } & (DelegateVerdict | { marks: ApprovalMark[] }))[];
} = {}): DraftStanding => ({
  authors: new Set(authors),
  ties: new Map(authors.map((id) => [id, 'certain'])),
  counted: new Map(Object.entries(alone ? {} : counted)),
  notCounted: [],
  delegates: new Map(delegates.map((verdict) => [verdict.id, verdict])),
  unable: new Set(),
  yieldsTo: new Map(),
  vouchersOfAuthors: new Set(),
  selfApproval: alone ? { allowed: true } : { allowed: false, from: null },
});

const question = (
  changes: Partial<MergeQuestion> = {},
  draft: Partial<MergeQuestion['draft']> = {},
): MergeQuestion => ({
  draft: { state: 'in_review', contentHash: 'h1', baseVersionId: 'v7', ...draft },
  reviews: [approved('ellen')],
  objections: [],
  policy: { requiredApprovals: 1, strict: false },
  liveVersionId: 'v7',
  standing: standing(),
  ...changes,
});
const needing = (requiredApprovals: number) => ({ policy: { requiredApprovals, strict: false } });

describe('a merge', () => {
  it('isn’t blocked once it has enough approvals', () => {
    expect(whatBlocksMerge(question())).toEqual([]);
  });

  it('is blocked until it has the required approvals; the blocker says how many people could approve', () => {
    expect(whatBlocksMerge(question(needing(3)))).toEqual([
      { code: 'needs_approvals', needed: 3, has: 1, available: 2 },
    ]);
  });

  it.each<[string, Review[]]>([
    ['an approval of different content', [approved('ellen', 'h0')]],
    ['a dismissed approval, even if the content has been restored', [approved('ellen', 'h1', true)]],
    ['an approval by a contributor', [approved('priya')]],
    ['an approval by someone who does not count', [approved('gone')]],
    ['two approvals by one person, the later one of different content', [approved('ellen'), approved('ellen', 'h0')]],
  ])('does not count %s', (_, reviews) => {
    expect(whatBlocksMerge(question({ reviews }))).toEqual([
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
  });

  it('does not count a request for changes, even for the same content', () => {
    expect(whatBlocksMerge(question({ reviews: [against('ellen')], objections: [{ reviewerId: 'ellen' }] }))).toEqual([
      { code: 'changes_requested', reviewerIds: ['ellen'] },
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
  });

  it('counts two approvals by one person once', () => {
    const reviews = [approved('ellen'), approved('ellen')];
    expect(whatBlocksMerge(question({ reviews, ...needing(2) }))).toMatchObject([{ has: 1 }]);
  });

  it('is blocked by an open request for changes, regardless of its author’s current role', () => {
    const objections = [{ reviewerId: 'jonas' }, { reviewerId: 'gone' }, { reviewerId: 'jonas' }];
    expect(whatBlocksMerge(question({ objections }))).toEqual([
      { code: 'changes_requested', reviewerIds: ['jonas', 'gone'] },
    ]);
  });

  it('reports a base that is not the live version as the first blocker', () => {
    expect(whatBlocksMerge(question({ liveVersionId: 'v8', reviews: [] }))).toEqual([
      { code: 'out_of_date', baseVersionId: 'v7', liveVersionId: 'v8' },
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
    expect(whatBlocksMerge(question({ liveVersionId: null }, { baseVersionId: null }))).toEqual([]);
    expect(whatBlocksMerge(question({}, { baseVersionId: null }))).toMatchObject([{ code: 'out_of_date' }]);
  });

  it('is blocked until submission, unless the policy requires no approval', () => {
    expect(whatBlocksMerge(question({}, { state: 'draft' }))).toEqual([{ code: 'not_submitted' }]);
    expect(whatBlocksMerge(question({ reviews: [], ...needing(0) }, { state: 'draft' }))).toEqual([]);
  });

  it('accepts the author’s approval only while nobody else could approve', () => {
    const own = { reviews: [approved('priya')] };
    expect(whatBlocksMerge(question({ ...own, standing: standing({ alone: true }) }))).toEqual([]);
    expect(whatBlocksMerge(question(own))).toMatchObject([{ code: 'needs_approvals', has: 0 }]);
  });

  it('is possible if and only if it has the number of approvals that the policy requires', () => {
    const who = fc.constantFrom('a', 'b', 'c', 'd');
    const review = fc.record<Review>({
      reviewerId: who,
      verdict: fc.constantFrom('approved', 'changes_requested'),
      contentHash: fc.constantFrom('h1', 'h2'),
      dismissed: fc.boolean(),
      byToken: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(review),
        fc.uniqueArray(who),
        fc.nat(3),
        fc.boolean(),
        (reviews, counting, needed, strict) => {
          const counted = Object.fromEntries(counting.map((id) => [id, []]));
          const asked = question({
            reviews,
            standing: standing({ counted }),
            policy: { requiredApprovals: needed, strict },
          });
          const has = counting.filter((id) => {
            const last = reviews.findLast((one) => one.reviewerId === id);
            const isCurrent = last?.verdict === 'approved' && last.contentHash === 'h1' && !last.dismissed;
            return isCurrent && !(strict && last.byToken);
          });
          expect(whatBlocksMerge(asked).length === 0).toBe(has.length >= needed);
        },
      ),
    );
  });
});

describe('countedApprovals', () => {
  it('returns each approval’s marks, including one for a token', () => {
    const reviews = [approved('ellen'), { ...approved('jonas'), byToken: true }];
    const marked = standing({ counted: { ellen: ['added_by_author'], jonas: [] } });
    expect(countedApprovals({ reviews, contentHash: 'h1' }, marked, { requiredApprovals: 1, strict: false })).toEqual([
      { reviewerId: 'ellen', marks: ['added_by_author'] },
      { reviewerId: 'jonas', marks: ['by_api_token'] },
    ]);
  });
});

describe('one person', () => {
  it('has one vote even with two accounts', () => {
    const reviews = [approved('ellen'), approved('jonas')];
    const one = {
      ...standing(),
      yieldsTo: new Map([
        ['ellen', new Set(['jonas'])],
        ['jonas', new Set(['ellen'])],
      ]),
    };
    expect(whatBlocksMerge(question({ reviews, standing: one, ...needing(2) }))).toEqual([
      { code: 'needs_approvals', needed: 2, has: 1, available: 1 },
    ]);
    expect(whatBlocksMerge(question({ reviews, ...needing(2) }))).toEqual([]);
  });

  it('shares one vote with an account that only they vouch for, no matter who approves first', () => {
    const one = { ...standing(), yieldsTo: new Map([['jonas', new Set(['ellen'])]]) };
    for (const reviews of [
      [approved('ellen'), approved('jonas')],
      [approved('jonas'), approved('ellen')],
    ])
      expect(countedApprovals({ reviews, contentHash: 'h1' }, one, needing(2).policy)).toEqual([
        { reviewerId: 'ellen', marks: [] },
      ]);
    expect(whatBlocksMerge(question({ reviews: [approved('jonas')], standing: one, ...needing(1) }))).toEqual([]);
  });
});

describe('canApprove', () => {
  it('allows everyone who counts, and returns their marks', () => {
    const marked = standing({ counted: { ellen: ['added_by_author'] } });
    expect(canApprove('ellen', marked)).toEqual({ ok: true, marks: ['added_by_author'] });
  });

  it('refuses authors, and lists who else could approve', () => {
    expect(canApprove('priya', standing())).toEqual({
      ok: false,
      refusal: { code: 'contributor_cannot_approve', others: ['ellen', 'jonas'] },
    });
  });

  it('allows an author if nobody else could approve, and marks the approval', () => {
    expect(canApprove('priya', standing({ alone: true }))).toEqual({ ok: true, marks: ['self_approved'] });
  });

  it('refuses with the missing condition and the time when the approval would count', () => {
    const from = 1_800_000_000_000;
    const behind = {
      ...standing(),
      notCounted: [{ id: 'inviter', because: 'behind_the_author' as const, from: null }],
    };
    expect(canApprove('inviter', behind)).toMatchObject({
      refusal: { code: 'reviewer_not_counted_yet', missing: 'behind_the_author', from: null },
    });
    const late = { ...standing(), notCounted: [{ id: 'new', because: 'added_after_first_save' as const, from }] };
    expect(canApprove('new', late)).toMatchObject({
      refusal: { code: 'reviewer_not_counted_yet', missing: 'added_after_first_save', from, who: ['ellen', 'jonas'] },
    });
    const soon = { ...standing({ alone: true }), selfApproval: { allowed: false as const, from } };
    expect(canApprove('priya', soon)).toMatchObject({ refusal: { missing: 'self_approval', from } });
  });
});

describe('an approval for someone', () => {
  const forEllen = (changes: Partial<Review> = {}): Review => ({ ...approved('ben'), onBehalfOf: 'ellen', ...changes });
  const delegated = (marks: ApprovalMark[] = [], more: Parameters<typeof standing>[0] = {}) =>
    standing({ delegates: [{ id: 'ben', marks }], ...more });
  const countOf = (reviews: Review[], among = delegated()) =>
    countedApprovals({ reviews, contentHash: 'h1' }, among, needing(2).policy);

  it('counts with the marks of both people', () => {
    const among = delegated(['added_by_author', 'address_not_proved'], {
      counted: { ellen: ['author_not_proved', 'added_by_author'] },
    });
    const marks = ['author_not_proved', 'added_by_author', 'address_not_proved'];
    expect(countOf([forEllen()], among)).toEqual([{ reviewerId: 'ben', onBehalfOf: 'ellen', marks }]);
    expect(canApprove('ben', among, 'ellen')).toEqual({ ok: true, marks });
  });

  it('uses up both votes, in any order', () => {
    const delegates = ['ben', 'cem'].map((id) => ({ id, marks: [] }));
    const among = standing({ delegates, counted: { ellen: [], jonas: [], ben: [] } });
    for (const other of [approved('ellen'), approved('ben'), forEllen({ reviewerId: 'cem' })])
      for (const reviews of [
        [forEllen(), other],
        [other, forEllen()],
      ])
        expect(countOf(reviews, among)).toHaveLength(1);
    expect(countOf([forEllen(), forEllen({ onBehalfOf: 'jonas' })], among)).toHaveLength(1);
    expect(countOf([approved('jonas'), forEllen()], among)).toHaveLength(2);
    // In the end, Ben and Ellen have each approved for themselves, so each has one vote.
    expect(countOf([forEllen(), approved('ben'), approved('ellen')], among)).toHaveLength(2);
  });

  it('shares a vote with everyone who shares a vote with the delegate or the delegator', () => {
    const yieldsTo = new Map([['jonas', new Set(['ben'])]]);
    expect(countOf([approved('jonas'), forEllen()], { ...delegated(), yieldsTo })).toEqual([
      { reviewerId: 'ben', onBehalfOf: 'ellen', marks: [] },
    ]);
  });

  it('ends when either person requests changes, and replaces the earlier verdict of both', () => {
    for (const id of ['ben', 'ellen']) {
      expect(countOf([forEllen(), against(id)])).toEqual([]);
      expect(latestWords([approved(id), forEllen()])).toEqual([forEllen()]);
    }
    expect(latestWords([approved('ellen'), forEllen(), approved('ben')])).toEqual([approved('ben')]);
  });

  it.each<[string, string, string, DraftStanding]>([
    ['by an author', 'contributor_cannot_approve', 'priya', delegated()],
    [
      'by someone whom an author added late',
      'delegate_added_after_first_save',
      'ellen',
      standing({ delegates: [{ id: 'ben', because: 'added_after_first_save', from: null }] }),
    ],
    ['by someone who is no delegate', 'delegator', 'ellen', standing()],
    ['for an author', 'delegator', 'priya', delegated()],
    ['for an author who may approve alone', 'delegator', 'priya', delegated([], { alone: true })],
    [
      'for someone behind an author who may approve alone',
      'delegator',
      'ellen',
      delegated([], { counted: { ellen: ['self_approved'] } }),
    ],
    ['for someone whose approval doesn’t count', 'delegator', 'gone', delegated()],
  ])('is refused %s: %s', (_, why, who, among) => {
    const [by, onBehalfOf] = why === 'contributor_cannot_approve' ? [who, 'ellen'] : ['ben', who];
    const decision = canApprove(by, among, onBehalfOf);
    expect(decision.ok ? null : decision.refusal).toMatchObject(
      why === 'contributor_cannot_approve' ? { code: why } : { code: 'reviewer_not_counted_yet', missing: why },
    );
    expect(countOf([forEllen({ reviewerId: by, onBehalfOf })], among)).toEqual([]);
  });

  it('is awaited while the delegator’s approval is missing, or would end their request for changes', () => {
    const waits = (changes: Partial<MergeQuestion> = {}): boolean => {
      const asked = { contentHash: 'h1', ...question({ reviews: [], standing: delegated(), ...changes }) };
      return waitsForReviewBy('ben', asked, 'ellen');
    };
    expect(waits()).toBe(true);
    expect(waits({ reviews: [approved('jonas')] })).toBe(false);
    expect(waits({ reviews: [approved('ellen')], ...needing(2) })).toBe(false);
    expect(waits({ reviews: [forEllen()], ...needing(2) })).toBe(false);
    expect(waits({ reviews: [approved('jonas')], objections: [{ reviewerId: 'ellen' }] })).toBe(true);
    expect(waits({ standing: standing() })).toBe(false);
  });

  it('is awaited as an approval by a reviewer of the workflow only if the delegator is a reviewer', () => {
    const waits = (
      named: string,
      reviews: Review[],
      standingNow = delegated([], { counted: { ellen: [], jonas: [], ben: [] } }),
    ) =>
      waitsForReviewBy(
        'ben',
        {
          contentHash: 'h1',
          ...question({ reviews, standing: standingNow }),
          named: new Map([[named, { isMarked: false }]]),
        },
        'ellen',
      );
    // Jonas's approval is enough for the policy, but he isn't the workflow's reviewer.
    expect(waits('ellen', [approved('jonas')])).toBe(true);
    expect(waits('ben', [approved('jonas')])).toBe(false);
    expect(waits('ellen', [approved('jonas'), forEllen({ reviewerId: 'ben' })])).toBe(false);
  });

  it('counts in the place of the delegator, and is a review by both people', () => {
    expect([voterOf(forEllen()), voterOf(approved('ben'))]).toEqual(['ellen', 'ben']);
    expect([peopleOfReview(forEllen()), peopleOfReview(approved('ben'))]).toEqual([['ben', 'ellen'], ['ben']]);
  });

  it('never gives people more votes than there are people, for any reviews', () => {
    const who = fc.constantFrom('a', 'b', 'c', 'd');
    const review = fc.record<Review>({
      reviewerId: who,
      onBehalfOf: fc.option(who, { nil: null }),
      verdict: fc.constantFrom('approved', 'approved', 'approved', 'changes_requested'),
      contentHash: fc.constant('h1'),
      dismissed: fc.boolean(),
      byToken: fc.constant(false),
    });
    const ids = ['a', 'b', 'c', 'd'];
    const among = standing({
      counted: Object.fromEntries(ids.map((id) => [id, []])),
      delegates: ids.map((id) => ({ id, marks: [] })),
    });
    fc.assert(
      fc.property(fc.array(review), (reviews) => {
        const counted = countOf(
          reviews.filter(({ reviewerId, onBehalfOf }) => reviewerId !== onBehalfOf),
          among,
        );
        const people = counted.flatMap(({ reviewerId, onBehalfOf }) => [
          reviewerId,
          ...(onBehalfOf ? [onBehalfOf] : []),
        ]);
        expect(new Set(people).size).toBe(people.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('isStandingApproval', () => {
  it('is true only for approvals that weren’t dismissed', () => {
    const reviews = [approved('a'), approved('c', 'h1', true), against('d')];
    expect(reviews.filter(isStandingApproval)).toEqual([reviews[0]]);
  });
});

describe('latestWords', () => {
  it('returns each reviewer’s latest verdict in chronological order', () => {
    const reviews = [against('a'), approved('b'), approved('a')];
    expect(latestWords(reviews)).toEqual([reviews[1], reviews[2]]);
  });
});

test('blockedAsSimulated lists all simulated steps if the policy refuses them', () => {
  const automated = (id: string, script?: string) =>
    stepOf({ id, type: 'automated', config: script === undefined ? {} : { script } });
  const steps = [automated('a'), automated('b', ' '), automated('c', 'return 1'), stepOf({ id: 'd' })];
  expect(blockedAsSimulated(steps, 'refused')).toEqual([{ code: 'simulated_steps', stepIds: ['a', 'b'] }]);
  expect(blockedAsSimulated(steps, 'allowed')).toEqual([]);
  expect(blockedAsSimulated(steps.slice(2), 'refused')).toEqual([]);
});

test('blockedByComments lists the unresolved comments if the policy requires resolving them', () => {
  const comments = [{ stepId: 'a' }, { stepId: null }];
  expect(blockedByComments(comments, true)).toEqual([{ code: 'unresolved_comments', comments }]);
  expect(blockedByComments(comments, false)).toEqual([]);
  expect(blockedByComments([], true)).toEqual([]);
});

describe('a submitted draft', () => {
  const waits = (actorId: string, changes: Partial<MergeQuestion> = {}): boolean =>
    waitsForReviewBy(actorId, { contentHash: 'h1', ...question({ reviews: [], ...changes }) });

  it('waits for each person whose approval would count, until it has enough', () => {
    expect(['ellen', 'jonas', 'priya', 'gone'].filter((id) => waits(id))).toEqual(['ellen', 'jonas']);
    expect(waits('jonas', { reviews: [approved('ellen')] })).toBe(false);
    expect(waits('jonas', { reviews: [approved('ellen')], ...needing(2) })).toBe(true);
    expect(waits('ellen', { reviews: [approved('ellen')], ...needing(2) })).toBe(false);
    expect(waits('ellen', { reviews: [approved('ellen', 'h0')] })).toBe(true);
    expect(waits('ellen', needing(0))).toBe(false);
  });

  it('waits for a person whose request for changes is open, even if it has enough approvals', () => {
    const objected = { reviews: [against('jonas'), approved('ellen')], objections: [{ reviewerId: 'jonas' }] };
    expect(waits('jonas', objected)).toBe(true);
    expect(waits('ellen', objected)).toBe(false);
  });

  it('waits for its author only if nobody else can review', () => {
    expect(waits('priya', { standing: standing({ alone: true }) })).toBe(true);
  });

  it('doesn’t wait for a person who shares the vote of someone who has approved', () => {
    const shared = { ...standing(), yieldsTo: new Map([['jonas', new Set(['ellen'])]]) };
    expect(waits('jonas', { reviews: [approved('ellen')], standing: shared, ...needing(2) })).toBe(false);
  });

  it('waits under strict review for a person who has approved with a token', () => {
    const byToken = { ...approved('ellen'), byToken: true };
    expect(waits('ellen', { reviews: [byToken], policy: { requiredApprovals: 1, strict: true } })).toBe(true);
  });
});
