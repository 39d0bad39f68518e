import type { WholeDraft } from '@stet/contract';
import { type Blocker, isCurrentApproval, isOpen, latestWords, mayApprove } from '@stet/domain/drafts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { LoadedDraft } from './load-draft.ts';
import { recordOf } from './record-of.ts';

type Comments = { id: string; author: WholeDraft['createdBy']; body: string; step_id: string | null; at: Date }[];

/** A draft, whole, with what this person may do with it now. */
export function presentDraft(
  draft: LoadedDraft,
  actor: OrgActor,
  comments: Comments,
  baseVersion: number | null,
): WholeDraft {
  const { row } = draft;
  const latest = new Set(latestWords(draft.reviews));
  return {
    ...recordOf(draft),
    key: row.key,
    metadata: row.metadata,
    steps: row.steps,
    baseVersion,
    contributors: draft.contributors,
    reviews: draft.reviewRows.map((review, n) => {
      const word = draft.reviews[n];
      const stands =
        word !== undefined &&
        latest.has(word) &&
        (word.verdict !== 'approved' || isCurrentApproval(word, row.content_hash));
      return {
        reviewer: review.reviewer,
        verdict: review.verdict,
        comment: review.comment,
        at: review.at.toISOString(),
        current: stands,
      };
    }),
    comments: comments.map(({ id, author, body, step_id, at }) => ({
      id,
      author,
      body,
      stepId: step_id,
      at: at.toISOString(),
    })),
    policy: draft.policy,
    blockers: draft.blockers.map((blocker) => ({ code: blocker.code, sentence: sentenceOf(blocker, draft) })),
    abilities: abilitiesOf(draft, actor),
  };
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

function sentenceOf(blocker: Blocker, { reviewRows }: LoadedDraft): string {
  switch (blocker.code) {
    case 'out_of_date':
      return 'The live version has changed since this draft was begun';
    case 'not_submitted':
      return 'Not submitted for review';
    case 'changes_requested': {
      const names = blocker.reviewerIds.map(
        (id) => reviewRows.find(({ reviewer }) => reviewer.id === id)?.reviewer.name ?? 'someone',
      );
      return `Changes requested by ${names.join(', ')}`;
    }
    case 'needs_approvals':
      return `Needs ${blocker.needed} ${blocker.needed === 1 ? 'approval' : 'approvals'}, has ${blocker.has} that count`;
  }
}
