import { type Blocker, refuse, type Refused } from './refusals.ts';
import type { OpenState } from './state.ts';

/** How many current approvals a merge needs; 0 means that submitting approves. */
export type ReviewPolicy = { requiredApprovals: number };

/** What the audit trail says of an approval by a contributor (rulings, section 5). */
export const SELF_APPROVED = 'self-approved: no other reviewer';

/** One word of a reviewer on a draft; `contentHash` is what it was said of. Lists of reviews are oldest first. */
export type Review = {
  reviewerId: string;
  verdict: 'approved' | 'changes_requested';
  contentHash: string;
  /** True once a change in content has dismissed an approval; it stays so if the content returns. */
  dismissed: boolean;
};

/** Who could give an approval that counts: those who may review and have never saved this draft, or else all who may review. */
export function whoCouldApprove(eligibleReviewers: readonly string[], contributors: readonly string[]): string[] {
  const others = eligibleReviewers.filter((id) => !contributors.includes(id));
  return others.length > 0 ? others : [...eligibleReviewers];
}

/**
 * Whether a person who may review may approve this draft (rulings, section 5). A contributor can't, except where the
 * organization has nobody else who could: that approval is marked, and the audit trail says `SELF_APPROVED`.
 * Refused: `contributor_cannot_approve`.
 * @param otherEligible the ids of members who may review and have not contributed
 */
export function mayApprove(input: {
  actorId: string;
  contributors: readonly string[];
  otherEligible: readonly string[];
}): { ok: true; selfApproved: boolean } | Refused {
  if (!input.contributors.includes(input.actorId)) return { ok: true, selfApproved: false };
  const others = input.otherEligible.filter((id) => !input.contributors.includes(id));
  return others.length === 0
    ? { ok: true, selfApproved: true }
    : refuse({ code: 'contributor_cannot_approve', others });
}

/** The latest word of each reviewer, in the order in which those words were said. */
export function latestWords<R extends Review>(reviews: readonly R[]): R[] {
  const last = new Map<string, R>();
  for (const review of reviews) {
    last.delete(review.reviewerId);
    last.set(review.reviewerId, review);
  }
  return [...last.values()];
}

/** True for an approval of exactly this content that nothing has dismissed. */
export function isCurrentApproval(review: Review, contentHash: string): boolean {
  return review.verdict === 'approved' && !review.dismissed && review.contentHash === contentHash;
}

/** The approvals that saving this content dismisses: those that stand and were of other content. */
export function dismissedBySaving<R extends Review>(reviews: readonly R[], contentHash: string): R[] {
  return reviews.filter(
    (review) => review.verdict === 'approved' && !review.dismissed && review.contentHash !== contentHash,
  );
}

/** What a merge is decided on, all read in one transaction. */
export type MergeQuestion = {
  draft: {
    state: OpenState['state'];
    contentHash: string;
    baseVersionId: string | null;
    contributors: readonly string[];
  };
  reviews: readonly Review[];
  policy: ReviewPolicy;
  /** Null where nothing was merged yet. */
  liveVersionId: string | null;
  /** The ids of all members who may review now; the word of anyone else doesn't count, for or against. */
  eligibleReviewers: readonly string[];
};

/**
 * What still blocks the merge of an open draft; empty when nothing does (rulings, section 5).
 *
 * In this order: the base is not the live version; not submitted, unless the policy asks for no approval; someone's
 * latest word asks for changes; too few people whose latest word approves this very content. The word of a contributor
 * counts only while nobody else could approve: whoever asked for changes and then made some has taken it back.
 */
export function whatBlocksMerge({
  draft,
  reviews,
  policy,
  liveVersionId,
  eligibleReviewers,
}: MergeQuestion): Blocker[] {
  const blockers: Blocker[] = [];
  if (draft.baseVersionId !== liveVersionId) {
    blockers.push({ code: 'out_of_date', baseVersionId: draft.baseVersionId, liveVersionId });
  }
  if (draft.state === 'draft' && policy.requiredApprovals > 0) blockers.push({ code: 'not_submitted' });

  const approvers = whoCouldApprove(eligibleReviewers, draft.contributors);
  const words = latestWords(reviews).filter(({ reviewerId }) => approvers.includes(reviewerId));
  const against = words.filter(({ verdict }) => verdict === 'changes_requested').map(({ reviewerId }) => reviewerId);
  if (against.length > 0) blockers.push({ code: 'changes_requested', reviewerIds: against });

  const has = words.filter((word) => isCurrentApproval(word, draft.contentHash)).length;
  if (has < policy.requiredApprovals) {
    blockers.push({ code: 'needs_approvals', needed: policy.requiredApprovals, has, available: approvers.length });
  }
  return blockers;
}
