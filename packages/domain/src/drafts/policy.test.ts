import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  SELF_APPROVED,
  dismissedBySaving,
  latestWords,
  mayApprove,
  whatBlocksMerge,
  whoCouldApprove,
  type MergeQuestion,
  type Review,
} from './policy.ts';

const approved = (reviewerId: string, contentHash = 'h1', dismissed = false): Review => ({
  reviewerId,
  verdict: 'approved',
  contentHash,
  dismissed,
});
const against = (reviewerId: string, contentHash = 'h1'): Review => ({
  reviewerId,
  verdict: 'changes_requested',
  contentHash,
  dismissed: false,
});

const question = (
  changes: Partial<MergeQuestion> = {},
  draft: Partial<MergeQuestion['draft']> = {},
): MergeQuestion => ({
  draft: { state: 'in_review', contentHash: 'h1', baseVersionId: 'v7', contributors: ['priya'], ...draft },
  reviews: [approved('ellen')],
  policy: { requiredApprovals: 1 },
  liveVersionId: 'v7',
  eligibleReviewers: ['priya', 'ellen', 'jonas'],
  ...changes,
});

describe('a merge', () => {
  it('is blocked by nothing once it has its approvals', () => {
    expect(whatBlocksMerge(question())).toEqual([]);
  });

  it('needs the approvals of the policy, and says how many people could give them', () => {
    expect(whatBlocksMerge(question({ policy: { requiredApprovals: 3 } }))).toEqual([
      { code: 'needs_approvals', needed: 3, has: 1, available: 2 },
    ]);
  });

  it.each<[string, Review[]]>([
    ['an approval of other content', [approved('ellen', 'h0')]],
    ['a dismissed approval, though the content is back', [approved('ellen', 'h1', true)]],
    ['an approval by a contributor', [approved('priya')]],
    ['an approval by someone who may not review any more', [approved('gone')]],
    [
      'two approvals by one person, of which the later one is of other content',
      [approved('ellen'), approved('ellen', 'h0')],
    ],
  ])('does not count %s', (_, reviews) => {
    expect(whatBlocksMerge(question({ reviews }))).toEqual([
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
  });

  it('does not count a request for changes, though it is of this content', () => {
    expect(whatBlocksMerge(question({ reviews: [against('ellen')] }))).toEqual([
      { code: 'changes_requested', reviewerIds: ['ellen'] },
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
  });

  it('counts one person once', () => {
    const reviews = [approved('ellen'), approved('ellen')];
    expect(whatBlocksMerge(question({ reviews, policy: { requiredApprovals: 2 } }))).toMatchObject([{ has: 1 }]);
  });

  it("is blocked by a request for changes while it is the reviewer's latest word, whatever content it was of", () => {
    const blocked = [{ code: 'changes_requested', reviewerIds: ['jonas'] }];
    expect(whatBlocksMerge(question({ reviews: [against('jonas', 'h0'), approved('ellen')] }))).toEqual(blocked);
    expect(whatBlocksMerge(question({ reviews: [approved('jonas'), approved('ellen'), against('jonas')] }))).toEqual(
      blocked,
    );
    expect(whatBlocksMerge(question({ reviews: [against('jonas'), approved('jonas')] }))).toEqual([]);
  });

  it('is not held up by the word of someone who may not review any more', () => {
    expect(whatBlocksMerge(question({ reviews: [against('gone'), approved('ellen')] }))).toEqual([]);
  });

  it('is not held up by someone who asked for changes and then made some', () => {
    const asked = { reviews: [against('jonas'), approved('ellen')] };
    expect(whatBlocksMerge(question(asked, { contributors: ['priya', 'jonas'] }))).toEqual([]);
    expect(whatBlocksMerge(question(asked))).toMatchObject([{ code: 'changes_requested' }]);
  });

  it('is blocked when the base is not the live version, first of all', () => {
    expect(whatBlocksMerge(question({ liveVersionId: 'v8', reviews: [] }))).toEqual([
      { code: 'out_of_date', baseVersionId: 'v7', liveVersionId: 'v8' },
      { code: 'needs_approvals', needed: 1, has: 0, available: 2 },
    ]);
    expect(whatBlocksMerge(question({ liveVersionId: null }, { baseVersionId: null }))).toEqual([]);
    expect(whatBlocksMerge(question({}, { baseVersionId: null }))).toMatchObject([{ code: 'out_of_date' }]);
  });

  it('is blocked while it was not submitted, but not on a personal account', () => {
    expect(whatBlocksMerge(question({}, { state: 'draft' }))).toEqual([{ code: 'not_submitted' }]);
    const personal = { reviews: [], policy: { requiredApprovals: 0 }, eligibleReviewers: ['priya'] };
    expect(whatBlocksMerge(question(personal, { state: 'draft' }))).toEqual([]);
  });

  it("takes the author's approval only while nobody else could approve", () => {
    const alone = question({ reviews: [approved('priya')], eligibleReviewers: ['priya'] });
    expect(whatBlocksMerge(alone)).toEqual([]);
    expect(whatBlocksMerge({ ...alone, eligibleReviewers: ['priya', 'ellen'] })).toMatchObject([
      { code: 'needs_approvals', has: 0 },
    ]);
  });

  it('never goes through without an approval of this content by a non-contributor, unless only contributors may review', () => {
    const person = fc.constantFrom<string>('a', 'b', 'c', 'd');
    const people = fc.uniqueArray(person);
    const review = fc.record<Review>({
      reviewerId: person,
      verdict: fc.constantFrom('approved', 'changes_requested'),
      contentHash: fc.constantFrom('h1', 'h2'),
      dismissed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(review), people, people, (reviews, contributors, eligibleReviewers) => {
        const blockers = whatBlocksMerge(question({ reviews, eligibleReviewers }, { contributors }));
        const others = eligibleReviewers.filter((id) => !contributors.includes(id));
        const counting = reviews.filter(
          (one) =>
            one.verdict === 'approved' &&
            one.contentHash === 'h1' &&
            !one.dismissed &&
            eligibleReviewers.includes(one.reviewerId),
        );
        const byOthers = counting.some(({ reviewerId }) => others.includes(reviewerId));
        if (blockers.length === 0) expect(byOthers || (others.length === 0 && counting.length > 0)).toBe(true);
        const standing = (others.length > 0 ? others : eligibleReviewers).filter(
          (id) => reviews.findLast((one) => one.reviewerId === id)?.verdict === 'changes_requested',
        );
        const named = blockers.flatMap((blocker) => (blocker.code === 'changes_requested' ? blocker.reviewerIds : []));
        expect(named.toSorted()).toEqual(standing.toSorted());
      }),
    );
  });
});

describe('approving', () => {
  it('is open to those who have not contributed', () => {
    expect(mayApprove({ actorId: 'ellen', contributors: ['priya'], otherEligible: [] })).toEqual({
      ok: true,
      selfApproved: false,
    });
  });

  it('is closed to contributors, and says who else could', () => {
    expect(mayApprove({ actorId: 'priya', contributors: ['priya', 'sam'], otherEligible: ['ellen', 'sam'] })).toEqual({
      ok: false,
      refusal: { code: 'contributor_cannot_approve', others: ['ellen'] },
    });
  });

  it('is open to a contributor where nobody else could, and marked', () => {
    expect(mayApprove({ actorId: 'priya', contributors: ['priya', 'sam'], otherEligible: [] })).toEqual({
      ok: true,
      selfApproved: true,
    });
    expect(mayApprove({ actorId: 'priya', contributors: ['priya', 'sam'], otherEligible: ['sam'] })).toMatchObject({
      selfApproved: true,
    });
  });

  it('is up to the non-contributors where there are any', () => {
    expect(whoCouldApprove(['priya', 'ellen'], ['priya'])).toEqual(['ellen']);
    expect(whoCouldApprove(['priya'], ['priya', 'sam'])).toEqual(['priya']);
  });
});

describe('saving', () => {
  it('dismisses the approvals of other content that stand, and no request for changes', () => {
    const reviews = [approved('a', 'h1'), approved('b', 'h2'), approved('c', 'h1', true), against('d', 'h1')];
    expect(dismissedBySaving(reviews, 'h2')).toEqual([reviews[0]]);
    expect(dismissedBySaving(reviews, 'h1')).toEqual([reviews[1]]);
    expect(dismissedBySaving([against('ellen', 'h1')], 'h2')).toEqual([]);
  });
});

describe('the latest words', () => {
  it('are one a reviewer, in the order in which they were said', () => {
    const reviews = [against('a'), approved('b'), approved('a')];
    expect(latestWords(reviews)).toEqual([reviews[1], reviews[2]]);
  });
});

it('the audit trail has its own words for an approval by a contributor', () => {
  expect(SELF_APPROVED).toBe('self-approved: no other reviewer');
});
