import { isSimulated, type Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { contentErrors } from '../workflows/content-findings.ts';
import { visibleText } from '../workflows/hidden-characters.ts';
import { type Blocker, type IncompleteContent, refuse, type Refused } from './refusals.ts';
import type { OpenState } from './state.ts';
import type { ApprovalMark } from './approval-marks.ts';
import type { AcceptedMembers } from './routes/members.ts';
import type { DraftStanding } from './who-counts.ts';

/**
 * The number of current approvals that a merge needs; 0 if no review is needed. `strict`: marked approvals don't count.
 */
export type ReviewPolicy = { requiredApprovals: number; strict: boolean };

/** A reviewer's verdict on a draft with this `contentHash`. Lists of reviews are oldest first. */
export type Review = {
  reviewerId: string;
  verdict: 'approved' | 'changes_requested';
  contentHash: string;
  /**
   * True once a change of content, a rebase or a withdrawal has dismissed the approval; it stays dismissed even if the
   * content is restored.
   */
  dismissed: boolean;
  /** True if the review was given with a personal API token. */
  byToken: boolean;
  /** The delegator, if the reviewer acted as their delegate: the verdict is then the latest one of both people. */
  onBehalfOf?: string | null;
};

/** Returns the people whose verdict a review is: the reviewer and, if they acted as a delegate, the delegator. */
export const peopleOfReview = ({ reviewerId, onBehalfOf }: Pick<Review, 'reviewerId' | 'onBehalfOf'>): string[] =>
  onBehalfOf ? [reviewerId, onBehalfOf] : [reviewerId];

/** Returns the person in whose place an approval counts: the delegator, if a delegate gave it. */
export const voterOf = ({ reviewerId, onBehalfOf }: Pick<Review, 'reviewerId' | 'onBehalfOf'>): string =>
  onBehalfOf ?? reviewerId;

/**
 * Returns whether a reviewer may approve this draft, and with which marks. With `onBehalfOf`, the reviewer acts for
 * this delegator, and neither may have written the draft. Refused:
 * - `contributor_cannot_approve`: an author, while someone else can review, and always under strict review or with
 *   `onBehalfOf`
 * - `reviewer_not_counted_yet`: someone whose approval doesn't count, or an author, while someone else could have
 *   reviewed recently; with `onBehalfOf`, everyone who isn't an author
 * - `forbidden`: anyone else
 */
export function canApprove(
  actorId: string,
  standing: DraftStanding,
  onBehalfOf: string | null = null,
): { ok: true; marks: readonly ApprovalMark[] } | Refused {
  const { ties, counted, notCounted, selfApproval } = standing;
  if (onBehalfOf !== null) return canApproveFor(actorId, onBehalfOf, standing);
  const marks = counted.get(actorId);
  if (marks !== undefined) return { ok: true, marks };
  const others = [...counted.keys()];
  if (ties.get(actorId) === 'certain') {
    if (selfApproval.allowed) return { ok: true, marks: ['self_approved'] };
    const { from } = selfApproval;
    if (from === null) return refuse({ code: 'contributor_cannot_approve', others });
    return refuse({ code: 'reviewer_not_counted_yet', missing: 'self_approval', from, who: others });
  }
  const why = notCounted.find(({ id }) => id === actorId);
  if (why === undefined) return refuse({ code: 'forbidden' });
  return refuse({ code: 'reviewer_not_counted_yet', missing: why.because, from: why.from, who: others });
}

function canApproveFor(
  actorId: string,
  delegatorId: string,
  standing: DraftStanding,
): { ok: true; marks: readonly ApprovalMark[] } | Refused {
  const { ties, counted, delegates } = standing;
  const marks = marksFor(actorId, delegatorId, standing);
  if (marks !== undefined) return { ok: true, marks };
  const who = [...counted.keys()];
  if (ties.get(actorId) === 'certain') return refuse({ code: 'contributor_cannot_approve', others: who });
  const delegate = delegates.get(actorId);
  const [missing, from] =
    delegate && 'because' in delegate ? [delegate.because, delegate.from] : ['delegator' as const, null];
  const isAddedLate = missing === 'added_after_first_save';
  return refuse({
    code: 'reviewer_not_counted_yet',
    missing: isAddedLate ? 'delegate_added_after_first_save' : missing,
    from,
    who,
  });
}

/**
 * Returns the marks of an approval by a delegate, which are those of both people; undefined if it doesn't count. A
 * delegate can't approve for someone who could only approve their own work.
 */
function marksFor(
  delegateId: string,
  delegatorId: string,
  { counted, delegates }: DraftStanding,
): readonly ApprovalMark[] | undefined {
  const [delegate, delegator] = [delegates.get(delegateId), counted.get(delegatorId)];
  if (!delegate || 'because' in delegate || !delegator || delegator.includes('self_approved')) return undefined;
  return [...new Set([...delegator, ...delegate.marks])];
}

/**
 * Returns the latest verdict of each reviewer, in chronological order. A delegate's verdict is the latest one of both
 * people, until either of them reviews again.
 */
export function latestWords<R extends Review>(reviews: readonly R[]): R[] {
  const spokeLater = new Set<string>();
  const latest = reviews.toReversed().filter((review) => {
    const people = peopleOfReview(review);
    const isLatest = !people.some((id) => spokeLater.has(id));
    for (const id of people) spokeLater.add(id);
    return isLatest;
  });
  return latest.toReversed();
}

/** True for an undismissed approval of this exact content. */
export function isCurrentApproval(review: Review, contentHash: string): boolean {
  return isStandingApproval(review) && review.contentHash === contentHash;
}

/** True for an undismissed approval. A save with other content, every rebase and a withdrawal dismiss it. */
export function isStandingApproval({ verdict, dismissed }: Review): boolean {
  return verdict === 'approved' && !dismissed;
}

/**
 * An open request for changes, on this draft or on any other one with the same content. If a delegate made it, it
 * counts as the delegator's.
 */
export type Objection = { reviewerId: string };

/** The input of a merge decision, all read in one transaction. */
export type MergeQuestion = {
  draft: { state: OpenState['state']; contentHash: string; baseVersionId: string | null };
  reviews: readonly Review[];
  objections: readonly Objection[];
  policy: ReviewPolicy;
  /** Null if nothing was merged yet. */
  liveVersionId: string | null;
  standing: DraftStanding;
};

/** An approval that counts for a merge, with its marks. */
export type CountedApproval = { reviewerId: string; onBehalfOf?: string; marks: ApprovalMark[] };

/**
 * Returns the approvals that count for a draft: each person's latest verdict, if it approves this exact content and the
 * person counts. Under `strict`, approvals by API token don't count. A person has one vote, however many accounts they
 * have. An account that only one other account vouches for shares that account's vote. An approval for someone uses up
 * both people's votes.
 */
export function countedApprovals(
  { reviews, contentHash }: { reviews: readonly Review[]; contentHash: string },
  standing: DraftStanding,
  { strict }: ReviewPolicy,
): CountedApproval[] {
  const { counted, ties, selfApproval, yieldsTo } = standing;
  const approvals = latestWords(reviews).flatMap((word): CountedApproval[] => {
    if (!isCurrentApproval(word, contentHash) || (strict && word.byToken)) return [];
    const { reviewerId, onBehalfOf } = word;
    const isOwn = ties.get(reviewerId) === 'certain' && selfApproval.allowed;
    const marks = onBehalfOf
      ? marksFor(reviewerId, onBehalfOf, standing)
      : isOwn
        ? (['self_approved'] as const)
        : counted.get(reviewerId);
    if (marks === undefined) return [];
    const all = [...marks, ...(word.byToken ? (['by_api_token'] as const) : [])];
    return [{ reviewerId, ...(onBehalfOf && { onBehalfOf }), marks: all }];
  });
  return votersAmong(approvals, peopleOfReview, yieldsTo);
}

/**
 * Returns the approvals that count as separate votes. Of two people who could each vote in the other's place, only the
 * first one to approve counts. If only one of them yields to the other, that one
 * doesn't count, whoever approved first.
 */
function votersAmong<V>(
  voters: readonly V[],
  idsOf: (voter: V) => readonly string[],
  yieldsTo: DraftStanding['yieldsTo'],
): V[] {
  const yields = (one: V, other: V): boolean =>
    idsOf(one).some((id) => idsOf(other).some((to) => id === to || (yieldsTo.get(id)?.has(to) ?? false)));
  return voters.filter(
    (one, n) => !voters.some((other, m) => m !== n && yields(one, other) && (m < n || !yields(other, one))),
  );
}

/**
 * Returns the blockers of an open draft's merge; empty if there are none. They are, in this order:
 * - The base is not the live version.
 * - The draft is not submitted, unless the policy requires no approval.
 * - A request for changes is open, regardless of its author's current role.
 * - Too few approvals count.
 */
export function whatBlocksMerge(question: MergeQuestion): Blocker[] {
  const { draft, reviews, objections, policy, liveVersionId, standing } = question;
  const blockers: Blocker[] = [];
  if (draft.baseVersionId !== liveVersionId) {
    blockers.push({ code: 'out_of_date', baseVersionId: draft.baseVersionId, liveVersionId });
  }
  if (draft.state === 'draft' && policy.requiredApprovals > 0) blockers.push({ code: 'not_submitted' });

  const against = [...new Set(objections.map(({ reviewerId }) => reviewerId))];
  if (against.length > 0) blockers.push({ code: 'changes_requested', reviewerIds: against });

  const has = countedApprovals({ reviews, contentHash: draft.contentHash }, standing, policy).length;
  if (has < policy.requiredApprovals) {
    const could = standing.selfApproval.allowed ? standing.authors : standing.counted.keys();
    const available = votersAmong([...could], (id) => [id], standing.yieldsTo).length;
    blockers.push({ code: 'needs_approvals', needed: policy.requiredApprovals, has, available });
  }
  return blockers;
}

/** The parts of a submitted draft that determine whose review it waits for. */
export type ReviewQuestion = Pick<MergeQuestion, 'reviews' | 'objections' | 'policy' | 'standing'> & {
  contentHash: string;
  /** The reviewers of the workflow whose approval fulfills its requirement; null if it requires none of them. */
  named?: AcceptedMembers | null;
};

/**
 * True if a submitted draft waits for this person. Either their approval, in general or as a reviewer of the workflow,
 * would count and is still missing, or it would end their own request for changes. With `onBehalfOf`, this is about an
 * approval in the place of this delegator.
 */
export function waitsForReviewBy(
  actorId: string,
  { contentHash, reviews, objections, policy, standing, named = null }: ReviewQuestion,
  onBehalfOf: string | null = null,
): boolean {
  if (!canApprove(actorId, standing, onBehalfOf).ok) return false;
  if (objections.some(({ reviewerId }) => reviewerId === (onBehalfOf ?? actorId))) return true;
  const count = (all: readonly Review[]): CountedApproval[] =>
    countedApprovals({ reviews: all, contentHash }, standing, policy);
  const has = count(reviews);
  const given = { verdict: 'approved', contentHash, dismissed: false, byToken: false } as const;
  const own = { reviewerId: actorId, onBehalfOf, ...given };
  const lacksReviewer = named !== null && !has.some((approval) => named.has(voterOf(approval)));
  const isMissing = has.length < policy.requiredApprovals || (lacksReviewer && named.has(voterOf(own)));
  return isMissing && count([...reviews, own]).length > has.length;
}

/** Returns the blocker for unresolved comments if the policy requires resolving them first; empty if there is none. */
export function blockedByComments(
  unresolved: readonly { stepId: string | null }[],
  mustBeResolved: boolean,
): Blocker[] {
  if (!mustBeResolved || unresolved.length === 0) return [];
  return [{ code: 'unresolved_comments', comments: unresolved.map(({ stepId }) => ({ stepId })) }];
}

/** Whether versions with simulated steps may go live; existing runs continue either way (decision 72). */
export const SIMULATED_STEPS_POLICIES = ['allowed', 'refused'] as const;
export type SimulatedStepsPolicy = (typeof SIMULATED_STEPS_POLICIES)[number];

/** Returns the blockers of a merge under the policy on simulated steps; empty if there are none. */
export function blockedAsSimulated(steps: readonly Step[], policy: SimulatedStepsPolicy): Blocker[] {
  const stepIds = policy === 'refused' ? steps.filter(isSimulated).map(({ id }) => id) : [];
  return stepIds.length > 0 ? [{ code: 'simulated_steps', stepIds }] : [];
}

/**
 * Returns the blocker for content with errors (see `contentErrors`), with the first 50 of them; empty if there is none.
 */
export function blockedAsIncomplete({ metadata, steps }: WorkflowContent): IncompleteContent[] {
  const problems = contentErrors({ metadata, steps })
    .slice(0, 50)
    .map(({ stepId, sentence }) => {
      const title = steps.find(({ id }) => id === stepId)?.title || stepId;
      return { stepId, problem: title === null ? sentence : `Step "${visibleText(title)}": ${sentence}` };
    });
  return problems.length > 0 ? [{ code: 'content_incomplete', problems }] : [];
}
