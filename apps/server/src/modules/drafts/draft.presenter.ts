import type { Review, WholeDraft } from '@stet/contract';
import { isCurrentApproval, isOpen, latestWords, mayApprove, whoCouldApprove } from '@stet/domain/drafts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { PersonRow } from '../workflows/reads.ts';
import { presentBlocker } from './blocker.presenter.ts';
import { presentComment } from './comment.presenter.ts';
import type { CommentRow } from './comments.sql.ts';
import type { LoadedDraft } from './load-draft.ts';
import { recordOf } from './record-of.ts';

/** How many of those who could approve are named. */
const MOST_REVIEWERS = 50;

/** A draft, whole, with what this person may do with it now; `reviewers` are all who may review in the organization. */
export function presentDraft(
  draft: LoadedDraft,
  actor: OrgActor,
  { comments, reviewers }: { comments: readonly CommentRow[]; reviewers: readonly PersonRow[] },
): WholeDraft {
  const { row } = draft;
  const couldApprove = whoCouldApprove(draft.eligible, draft.contributorIds);
  return {
    ...recordOf(draft),
    key: row.key,
    metadata: row.metadata,
    steps: row.steps,
    baseVersion: row.base_version,
    liveVersion: row.live_version,
    nextVersion: row.next_version,
    submitted: row.submitted_by && row.submitted_at && { by: row.submitted_by, at: row.submitted_at.toISOString() },
    merged: row.merged_by && row.merged_at && { by: row.merged_by, at: row.merged_at.toISOString() },
    reviewers: reviewers.filter(({ id }) => couldApprove.includes(id)).slice(0, MOST_REVIEWERS),
    own: {
      approvedAt: lastWordOf(draft, actor.userId, 'approved'),
      reviewedAt: lastWordOf(draft, actor.userId),
    },
    contributors: draft.contributors,
    reviews: presentReviews(draft, couldApprove),
    comments: comments.map(presentComment),
    policy: draft.policy,
    blockers: draft.blockers.map((blocker) => presentBlocker(blocker, draft)),
    abilities: abilitiesOf(draft, actor),
  };
}

/** When a person last said this, or anything, of a content that is kept. */
function lastWordOf({ reviewRows }: LoadedDraft, userId: string, verdict?: Review['verdict']): string | null {
  const last = reviewRows.findLast(
    (review) => review.reviewer.id === userId && review.has_content && review.verdict === (verdict ?? review.verdict),
  );
  return last?.at.toISOString() ?? null;
}

function presentReviews({ row, reviews, reviewRows }: LoadedDraft, couldApprove: readonly string[]): Review[] {
  const latest = new Set(latestWords(reviews));
  return reviewRows.map(({ reviewer, verdict, comment, at }, n): Review => {
    const word = reviews[n];
    const isLatest = word !== undefined && latest.has(word);
    const isDismissed = word?.verdict === 'approved' && !isCurrentApproval(word, row.content_hash);
    const isCounted = couldApprove.includes(reviewer.id);
    return {
      reviewer,
      verdict,
      comment,
      at: at.toISOString(),
      current: isLatest && !isDismissed,
      standing: isDismissed ? 'dismissed' : !isLatest ? 'replaced' : isCounted ? 'counts' : 'not_counted',
    };
  });
}

function abilitiesOf(
  { state, contributorIds, eligible, blockers, policy, row }: LoadedDraft,
  actor: OrgActor,
): WholeDraft['abilities'] {
  const may = (permission: OrgActor['permissions'][number]): boolean =>
    isOpen(state) && row.archived_at === null && actor.permissions.includes(permission);
  const otherEligible = eligible.filter((id) => id !== actor.userId && !contributorIds.includes(id));
  const mayReview =
    may('draft.review') && mayApprove({ actorId: actor.userId, contributors: contributorIds, otherEligible }).ok;
  // With no approval asked for, submitting is all that can stand between a draft and live.
  const onlySubmission = blockers.every(({ code }) => code === 'not_submitted');
  return {
    edit: may('draft.edit'),
    submit: may('draft.edit') && state.state === 'draft',
    withdraw: may('draft.edit') && state.state === 'in_review',
    approve: mayReview,
    requestChanges: mayReview,
    merge: may('draft.merge') && blockers.length === 0,
    publish: may('draft.edit') && may('draft.merge') && policy.requiredApprovals === 0 && onlySubmission,
    discard: may('draft.edit') && contributorIds.includes(actor.userId),
    comment: may('draft.comment'),
  };
}
