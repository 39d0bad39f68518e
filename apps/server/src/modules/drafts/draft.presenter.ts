import { roleHas } from '@stet/domain/access';
import type { Review, WholeDraft } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { isCurrentApproval, isOpen, latestWords, canApprove, peopleOfReview } from '@stet/domain/drafts';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Refusal } from '../../kernel/refused.ts';
import type { Delegator } from '../delegations/index.ts';
import { delegatorsOfReviews } from './act-as-reviewer.ts';
import { presentBlocker } from './blocker.presenter.ts';
import { presentComment } from './comment.presenter.ts';
import type { CommentRow } from './comments.sql.ts';
import { type LoadedDraft, approverIn, canObject, hasCurrentReview } from './load-draft.ts';
import { isAbandoned, rightToSetAside } from './set-aside-objection.ts';
import { recordOf } from './record-of.ts';

/** Maximum number of people listed in `reviewers` and in `notCounted`. */
const MAX_REVIEWERS = 50;

/** Maximum number of findings listed for a requirement. */
const MAX_REASONS = 20;

/** Presents a complete draft with the actor's abilities. `reviewers` contains the people whose approval would count. */
export function presentDraft(
  draft: LoadedDraft,
  actor: OrgActor,
  { comments, delegators }: { comments: readonly CommentRow[]; delegators: readonly Delegator[] },
): WholeDraft {
  const { row, standing, people } = draft;
  const personOf = (id: string) => {
    const { name = '', email = '' } = people.find((person) => person.id === id) ?? {};
    return { id, name, email };
  };
  const isReviewer = ({ role }: LoadedDraft['people'][number]): boolean =>
    role !== null && roleHas(role, 'draft.review');
  const couldApprove = standing.selfApproval.allowed
    ? people.filter((person) => standing.authors.has(person.id) && isReviewer(person)).map(({ id }) => id)
    : [...standing.counted.keys()];
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
    reviewers: couldApprove.map(personOf).toSorted(byName).slice(0, MAX_REVIEWERS),
    notCounted: standing.notCounted
      .map(({ id, because, from }) => ({
        ...personOf(id),
        because,
        from: from === null ? null : new Date(from).toISOString(),
      }))
      .toSorted(byName)
      .slice(0, MAX_REVIEWERS),
    askedReviewers: row.asked_reviewers.map(personOf),
    objections: draft.objections.map((objection) => ({
      reviewer: objection.reviewer,
      delegate: objection.delegate,
      comment: objection.comment,
      at: objection.at.toISOString(),
      carried: objection.draft_id !== row.id,
      abandoned: isAbandoned(draft, objection),
    })),
    own: {
      approvedAt: lastWordOf(draft, actor.userId, 'approved'),
      reviewedAt: lastWordOf(draft, actor.userId),
    },
    contributors: draft.contributors,
    reviews: presentReviews(draft),
    comments: comments.map(presentComment),
    policy: draft.policy,
    requirements: (isOpen(draft.state)
      ? draft.requirements.map(({ by, ...each }) => ({ ...each, by: by === null ? null : approverIn(draft, by) }))
      : row.requirements
    ).map(({ group, name, by, because }) => ({
      group,
      name,
      needed: 1,
      has: by === null ? 0 : 1,
      by: by === null ? [] : [by],
      because:
        group === null ? [reviewersSentence(draft)] : because.slice(0, MAX_REASONS).map(({ sentence }) => sentence),
    })),
    blockers: draft.blockers.map((blocker) => presentBlocker(blocker, draft)),
    abilities: abilitiesOf(draft, actor),
    delegated: delegatedOf(draft, actor, delegators),
  };
}

/**
 * Returns the time of a person's latest review whose content is stored. With a verdict, considers only reviews with
 * this verdict that weren't withdrawn.
 */
function lastWordOf({ reviewRows }: LoadedDraft, userId: string, verdict?: Review['verdict']): string | null {
  const last = reviewRows.findLast(
    (review) =>
      review.reviewer.id === userId &&
      review.has_content &&
      (verdict === undefined || (review.verdict === verdict && review.withdrawn_at === null)),
  );
  return last?.at.toISOString() ?? null;
}

/** For example `one of the workflow’s reviewers has to approve each draft: Ada, Ben`. */
function reviewersSentence({ named: { reviewers } }: LoadedDraft): string {
  const names = reviewers.map(({ name }) => isolated(name)).join(', ');
  return `one of the workflow’s reviewers has to approve each draft${names === '' ? '' : `: ${names}`}`;
}

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1;

function presentReviews({ row, reviews, reviewRows, objections, counted }: LoadedDraft): Review[] {
  const latest = new Set(latestWords(reviews));
  const inForce = reviews.values();
  return reviewRows.map(({ reviewer, on_behalf_of: onBehalfOf, verdict, comment, at, withdrawn_at }): Review => {
    const said = { reviewer, onBehalfOf, verdict, comment, at: at.toISOString() };
    if (withdrawn_at !== null) return { ...said, current: false, standing: 'withdrawn', marks: [] };
    const word = inForce.next().value;
    const isLatest = word !== undefined && latest.has(word);
    const isDismissed = word?.verdict === 'approved' && !isCurrentApproval(word, row.content_hash);
    const approval = isLatest ? counted.find(({ reviewerId }) => reviewerId === reviewer.id) : undefined;
    const owner = onBehalfOf ?? reviewer;
    const isCounted =
      verdict === 'approved' ? approval !== undefined : objections.some((each) => each.reviewer.id === owner.id);
    return {
      ...said,
      current: isLatest && !isDismissed,
      standing: isDismissed ? 'dismissed' : !isLatest ? 'replaced' : isCounted ? 'counts' : 'not_counted',
      marks: approval?.marks ?? [],
    };
  });
}

/** The latest review of each person, if it approves the current content. */
const approvalsNow = ({ reviews, row }: LoadedDraft) =>
  latestWords(reviews).filter((word) => isCurrentApproval(word, row.content_hash));

/**
 * Presents the actor's abilities on an open draft for each delegator. Omits delegators for whom the actor can do
 * nothing.
 */
function delegatedOf(draft: LoadedDraft, actor: OrgActor, delegators: readonly Delegator[]): WholeDraft['delegated'] {
  const { state, row, standing, at } = draft;
  if (!isOpen(state) || row.archived_at !== null) return [];
  const words = approvalsNow(draft);
  return delegatorsOfReviews(delegators, actor, { workflowKey: row.key, at })
    .map((onBehalfOf) => {
      const approval = canApprove(actor.userId, standing, onBehalfOf.id);
      return {
        onBehalfOf,
        approve: approval.ok,
        because: approval.ok ? null : sentenceOf(approval.refusal),
        requestChanges: canObject(draft, actor.userId, onBehalfOf.id),
        withdrawApproval:
          state.state === 'in_review' &&
          words.some((word) => word.reviewerId === actor.userId && word.onBehalfOf === onBehalfOf.id),
      };
    })
    .filter(({ approve, requestChanges, withdrawApproval }) => approve || requestChanges || withdrawApproval);
}

function sentenceOf(refusal: Refusal): { code: string; sentence: string } {
  const { code, error } = answerTo(refusal).body;
  return { code, sentence: error };
}

function abilitiesOf(draft: LoadedDraft, actor: OrgActor): WholeDraft['abilities'] {
  const { state, contributorIds, standing, blockers, policy, row, objections } = draft;
  const may = (permission: OrgActor['permissions'][number]): boolean =>
    isOpen(state) && row.archived_at === null && actor.permissions.includes(permission);
  const counts = canApprove(actor.userId, standing).ok;
  const hasWord = hasCurrentReview(draft);
  const words = approvalsNow(draft);
  const isManager = actor.permissions.includes('org.manage');
  const canDiscard = hasWord ? row.created_by.id === actor.userId || isManager : contributorIds.includes(actor.userId);
  // Incomplete content doesn't prevent publishing here, because the editor lists its problems when the author tries to
  // publish.
  const onlySubmission = blockers.every(({ code }) => code === 'not_submitted' || code === 'content_incomplete');
  return {
    edit: may('draft.edit'),
    submit: may('draft.edit') && state.state === 'draft',
    withdraw: may('draft.edit') && state.state === 'in_review',
    approve: may('draft.review') && counts,
    withdrawApproval:
      may('draft.review') &&
      state.state === 'in_review' &&
      words.some((word) => peopleOfReview(word).includes(actor.userId)),
    requestChanges: may('draft.review') && canObject(draft, actor.userId),
    merge: may('draft.merge') && blockers.length === 0,
    publish: may('draft.edit') && may('draft.merge') && policy.requiredApprovals === 0 && onlySubmission,
    discard: may('draft.edit') && canDiscard,
    discardNeedsReason: hasWord,
    setAside:
      may('org.manage') &&
      objections.some((each) => isAbandoned(draft, each) && rightToSetAside(draft, each, actor.userId) !== null),
    // An emergency merge needs no review, but the draft must still be based on the live version.
    emergency:
      may('draft.merge') &&
      draft.isTeam &&
      actor.orgRole === 'owner' &&
      actor.token === null &&
      !policy.strict &&
      blockers.length > 0 &&
      blockers.every(({ code }) => code !== 'out_of_date'),
    comment: may('draft.comment'),
  };
}
