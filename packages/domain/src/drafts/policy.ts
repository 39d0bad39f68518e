import { type Blocker, refuse, type Refused } from './refusals.ts';
import type { OpenState } from './state.ts';
import type { ApprovalMark, Contributor, DraftStanding } from './who-counts.ts';

/** How many current approvals a merge needs; 0 means that submitting approves. `strict`: none with a mark counts. */
export type ReviewPolicy = { requiredApprovals: number; strict: boolean };

/** One word of a reviewer on a draft; `contentHash` is what it was said of. Lists of reviews are oldest first. */
export type Review = {
  reviewerId: string;
  verdict: 'approved' | 'changes_requested';
  contentHash: string;
  /** True once a change in content has dismissed an approval; it stays so if the content returns. */
  dismissed: boolean;
  /** True if it was given with a personal API token. */
  byToken: boolean;
};

/**
 * Whether a person who may review may approve this draft, and with which marks (rulings, section 5). Refused:
 * `contributor_cannot_approve` for an author while someone else can review; `reviewer_not_counted_yet` for someone whose
 * approval doesn't count, and for an author while someone else could have reviewed lately; `forbidden` for anyone else.
 */
export function mayApprove(
  actorId: string,
  { authors, counted, notCounted, selfApproval }: DraftStanding,
): { ok: true; marks: readonly ApprovalMark[] } | Refused {
  const marks = counted.get(actorId);
  if (marks !== undefined) return { ok: true, marks };
  const others = [...counted.keys()];
  if (authors.has(actorId)) {
    if (selfApproval.allowed) return { ok: true, marks: ['self_approved'] };
    if (selfApproval.from === null) return refuse({ code: 'contributor_cannot_approve', others });
    return refuse({ code: 'reviewer_not_counted_yet', missing: 'self_approval', from: selfApproval.from, who: others });
  }
  const why = notCounted.find(({ id }) => id === actorId);
  if (why === undefined) return refuse({ code: 'forbidden' });
  return refuse({ code: 'reviewer_not_counted_yet', missing: why.because, from: why.from, who: others });
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
  return isStandingApproval(review) && review.contentHash === contentHash;
}

/** True for an approval that nothing has dismissed: what a save of other content, and every rebase, dismisses. */
export function isStandingApproval({ verdict, dismissed }: Review): boolean {
  return verdict === 'approved' && !dismissed;
}

/** A request for changes that nobody has ended; of this draft, or of an earlier one with the same content. */
export type Objection = { reviewerId: string };

/** What a merge is decided on, all read in one transaction. */
export type MergeQuestion = {
  draft: { state: OpenState['state']; contentHash: string; baseVersionId: string | null };
  reviews: readonly Review[];
  objections: readonly Objection[];
  contributors: readonly Contributor[];
  policy: ReviewPolicy;
  /** Null where nothing was merged yet. */
  liveVersionId: string | null;
  standing: DraftStanding;
};

/** An approval that counts for a merge, with what has to be known about it. */
export type CountedApproval = { reviewerId: string; marks: ApprovalMark[] };

/**
 * The approvals that count for a draft: the latest words that approve this very content, by people who count. Under `strict`
 * none by an API token. One person has one vote, whatever accounts they have.
 */
export function countedApprovals(
  { reviews, contentHash }: { reviews: readonly Review[]; contentHash: string },
  { counted, authors, selfApproval, personOf }: DraftStanding,
  { strict }: ReviewPolicy,
): CountedApproval[] {
  const voted = new Set<string>();
  return latestWords(reviews).flatMap((word): CountedApproval[] => {
    const person = personOf.get(word.reviewerId) ?? word.reviewerId;
    if (voted.has(person) || !isCurrentApproval(word, contentHash) || (strict && word.byToken)) return [];
    const isOwn = authors.has(word.reviewerId) && selfApproval.allowed;
    const marks = isOwn ? (['self_approved'] as const) : counted.get(word.reviewerId);
    if (marks === undefined) return [];
    voted.add(person);
    return [{ reviewerId: word.reviewerId, marks: [...marks, ...(word.byToken ? (['by_api_token'] as const) : [])] }];
  });
}

/**
 * What still blocks the merge of an open draft; empty when nothing does (rulings, section 5).
 *
 * In this order: the base is not the live version; not submitted, unless the policy asks for no approval; someone's request
 * for changes stands; too few approvals that count. A request stands whatever role its author has now; whoever made one and
 * then saved the draft has taken it back.
 */
export function whatBlocksMerge(question: MergeQuestion): Blocker[] {
  const { draft, reviews, objections, contributors, policy, liveVersionId, standing } = question;
  const blockers: Blocker[] = [];
  if (draft.baseVersionId !== liveVersionId) {
    blockers.push({ code: 'out_of_date', baseVersionId: draft.baseVersionId, liveVersionId });
  }
  if (draft.state === 'draft' && policy.requiredApprovals > 0) blockers.push({ code: 'not_submitted' });

  const tookBack = (id: string): boolean =>
    !standing.selfApproval.allowed && contributors.some((each) => each.id === id && each.through === null);
  const against = [...new Set(objections.map(({ reviewerId }) => reviewerId))].filter((id) => !tookBack(id));
  if (against.length > 0) blockers.push({ code: 'changes_requested', reviewerIds: against });

  const has = countedApprovals({ reviews, contentHash: draft.contentHash }, standing, policy).length;
  if (has < policy.requiredApprovals) {
    const could = standing.selfApproval.allowed ? standing.authors : standing.counted.keys();
    const available = new Set([...could].map((id) => standing.personOf.get(id) ?? id)).size;
    blockers.push({ code: 'needs_approvals', needed: policy.requiredApprovals, has, available });
  }
  return blockers;
}
