import { roleHas } from '@stet/domain/access';
import {
  type Blocker,
  type Contributor,
  type DraftStanding,
  type Review,
  type ReviewPolicy,
  blockedAsIncomplete,
  blockedAsSimulated,
  blockedByComments,
  canApprove,
  countedApprovals,
  isCurrentApproval,
  isOpen,
  latestWords,
  peopleOfReview,
  relationsAmong,
  versionStateOf,
  voterOf,
  whatBlocksMerge,
  whoCounts,
} from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { knownPeople } from '../confirmations/index.ts';
import type { ReviewDelegate } from '../delegations/index.ts';
import { findWorkflowPeople } from '../workflow-people/index.ts';
import type { ApproverRow, PersonRow } from '../workflows/index.ts';
import { listUnresolvedComments } from './comments.sql.ts';
import { type ComparedContents, classified, findComparedContents } from './compared-contents.ts';
import {
  findDraft,
  findReviewPolicy,
  listContributors,
  listObjections,
  listReviews,
  listRoutedGroups,
  lockDraft,
  lockReviewPolicy,
} from './drafts.sql.ts';
import { groupRequirements, routedGroups, withGroupMarks, withStored } from './group-requirements.ts';

/** A draft with all data that decisions about it depend on. */
export type LoadedDraft = Awaited<ReturnType<typeof loadDraft>>;

/** A reviewer's latest open request for changes on a draft or its content. */
export type LoadedObjection = LoadedDraft['objections'][number];

type DraftAt = { orgId: string; key: string; draftId: string };

/**
 * With `compares`, the compared contents are read even if there are no routes. `onError` receives the error if the
 * comparison with them fails.
 */
type Loading = {
  lock: boolean;
  compares?: boolean;
  onError?: (error: unknown) => void;
  /** A person who may review the draft as a delegate. */
  delegateId?: string;
};

/**
 * Reads a draft in one round trip, or in two if the organization has routes. With `lock`, nobody else can change the
 * draft, its reviews, the policy or the members until the transaction ends. Separate statements take the locks first,
 * because a statement that waits for a lock would read data from before the wait. Refuses a draft that doesn't exist
 * and, with `lock`, one of an archived workflow.
 */
export async function loadDraft(
  tx: Tx,
  at: DraftAt,
  { lock, compares = false, onError = () => {}, delegateId }: Loading,
) {
  const { orgId, key, draftId } = at;
  const [, , compared, row, contributors, reviewRows, objectionRows, unresolved, policyRow, groups, named, known] =
    await Promise.all([
      lock ? tx.maybeOne(lockDraft, at) : undefined,
      lock ? tx.maybeOne(lockReviewPolicy, { orgId }) : undefined,
      compares ? findComparedContents(tx, at) : undefined,
      tx.maybeOne(findDraft, at),
      tx.many(listContributors, { orgId, draftId }),
      tx.many(listReviews, { orgId, draftId }),
      tx.many(listObjections, { orgId, draftId }),
      tx.many(listUnresolvedComments, { orgId, draftId }),
      tx.maybeOne(findReviewPolicy, { orgId }),
      tx.many(listRoutedGroups, { orgId }),
      tx.maybeOne(findWorkflowPeople, { orgId, key, workflowId: null }),
      knownPeople(tx, { orgId, draftId, userIds: delegateId === undefined ? [] : [delegateId] }),
    ]);
  if (!row || !policyRow || !named) throw new Refused({ code: 'not_found', what: 'draft' });
  if (lock && row.archived_at) throw new Refused({ code: 'workflow_archived' });

  const state = versionStateOf(row);
  const reviews = reviewRows.filter(isInForce).map((review) => ({
    id: review.id,
    reviewerId: review.reviewer.id,
    onBehalfOf: review.on_behalf_of?.id ?? null,
    verdict: review.verdict,
    contentHash: review.content_hash,
    dismissed: review.dismissed,
    byToken: review.by_token,
  }));
  const policy: ReviewPolicy = { requiredApprovals: policyRow.required_approvals, strict: policyRow.strict };
  const own = contributors.map(({ id, through }): Contributor => ({ id, through: through?.id ?? null }));
  const relations = relationsAmong(known.people, known.at);
  const delegateIds = delegatesIn(reviews, delegateId);
  const delegates = known.people.filter(({ id }) => delegateIds.has(id));
  const standingOf = (others: readonly Contributor[]): DraftStanding =>
    whoCounts({
      relations,
      reviewers: known.people,
      delegates,
      contributors: [...own, ...others],
      firstSavedAt: row.created_at.getTime(),
      strict: policy.strict,
    });
  const standing = standingOf([]);
  // If a reviewer objected to the same content in another draft, the contributors to that draft also count as authors
  // of this one for the objection.
  const latest = new Map(objectionRows.map((each) => [each.reviewer.id, each]));
  const objections = [...latest.values()].map((objection) => {
    const carried = objectionRows
      .filter(({ reviewer, draft_id }) => reviewer.id === objection.reviewer.id && draft_id !== draftId)
      .flatMap((each) => each.contributors);
    return { ...objection, standing: carried.length > 0 ? standingOf(carried) : standing };
  });
  const counted = countedApprovals({ reviews, contentHash: row.content_hash }, standing, policy);
  const routes = isOpen(state) ? policyRow.review_routes : [];
  const contents = routes.length > 0 ? (compared ?? (await findComparedContents(tx, at))) : null;
  /**
   * Returns the groups that the routes require for this content. `others` replace the contents that it is compared
   * with.
   */
  const requiredFor = (content: WorkflowContent, others: Partial<ComparedContents> = {}) =>
    contents === null
      ? []
      : routedGroups(classified({ ...row, ...content }, { ...contents, ...others }, onError), {
          tags: row.tags,
          routes,
          groups,
        });
  const requirements = groupRequirements({
    required: isOpen(state) ? withStored(requiredFor(row), row.requirements) : [],
    groups,
    people: isOpen(state) ? named : { reviewers: [], needs_reviewer: false },
    relations,
    standing,
    firstSavedAt: row.created_at.getTime(),
    strict: policy.strict,
    approverIds: counted.map(voterOf),
  });
  const missing = requirements.filter(({ by }) => by === null);
  const missingReviewer = missing.find(({ group }) => group === null);
  const missingGroups = missing.flatMap(({ group, canAnyone }) => (group === null ? [] : [{ group, canAnyone }]));
  const blockers: Blocker[] = isOpen(state)
    ? [
        ...whatBlocksMerge({
          draft: { state: state.state, contentHash: row.content_hash, baseVersionId: row.base_version_id },
          reviews,
          objections: objections.map(({ reviewer }) => ({ reviewerId: reviewer.id })),
          policy,
          liveVersionId: row.live_version_id,
          standing,
        }),
        ...(missingReviewer
          ? [{ code: 'needs_reviewer_approval' as const, canAnyone: missingReviewer.canAnyone }]
          : []),
        ...(missingGroups.length > 0 ? [{ code: 'needs_group_approval' as const, groups: missingGroups }] : []),
        ...blockedAsSimulated(row.steps, policyRow.simulated_steps),
        ...blockedAsIncomplete(row),
        ...blockedByComments(
          unresolved.map(({ step_id }) => ({ stepId: step_id })),
          policyRow.resolved_comments,
        ),
      ]
    : [];
  return {
    row,
    state,
    contributors,
    /** The person who created the draft, and the people who saved it themselves. */
    contributorIds: [
      ...new Set([row.created_by.id, ...contributors.flatMap(({ id, through }) => (through === null ? id : []))]),
    ],
    /** The reviews, without approvals that their reviewers withdrew. */
    reviews,
    reviewRows,
    objections,
    policy,
    isTeam: policyRow.type === 'team',
    people: known.people,
    relations,
    /** The database's time, in epoch milliseconds. */
    at: known.at,
    standing,
    requirements,
    /** The workflow's owners and reviewers. */
    named,
    requiredFor,
    /** The contents with which the draft is compared, if the caller asked for them. */
    compared,
    /** The approvals that count, with all their marks. */
    counted: withGroupMarks(counted, requirements),
    blockers,
  };
}

/** The people who reviewed as delegates, and the person who may review as one. */
export const delegatesIn = (reviews: readonly Review[], delegateId?: string): ReadonlySet<string> =>
  new Set([
    ...reviews.flatMap(({ reviewerId, onBehalfOf }) => (onBehalfOf ? [reviewerId] : [])),
    ...(delegateId === undefined ? [] : [delegateId]),
  ]);

const isInForce = ({ withdrawn_at }: { withdrawn_at: Date | null }): boolean => withdrawn_at === null;

export const loadLockedDraft = (
  tx: Tx,
  { orgId, userId }: OrgActor,
  { key, id }: { key: string; id: string },
): Promise<LoadedDraft> => loadDraft(tx, { orgId, key, draftId: id }, { lock: true, delegateId: userId });

/** Finds a person with their name in the reviews of a draft. */
export const personIn = ({ reviewRows }: Pick<LoadedDraft, 'reviewRows'>, id: string): PersonRow =>
  reviewRows
    .flatMap(({ reviewer, on_behalf_of: delegator }) => [reviewer, ...(delegator ? [delegator] : [])])
    .find((person) => person.id === id) ?? { id, name: '', email: '' };

/** Finds the person whose approval counts for a requirement, with the delegate who gave it for them. */
export function approverIn(draft: Pick<LoadedDraft, 'reviewRows' | 'counted'>, id: string): ApproverRow {
  const delegateId = draft.counted.find(({ onBehalfOf }) => onBehalfOf === id)?.reviewerId;
  return { ...personIn(draft, id), ...(delegateId !== undefined && { delegate: personIn(draft, delegateId) }) };
}

/** True if the draft has a valid approval of its current content, or an open request for changes made on it. */
export const hasCurrentReview = ({ reviews, objections, row }: LoadedDraft): boolean =>
  objections.some(({ draft_id }) => draft_id === row.id) ||
  latestWords(reviews).some((word) => isCurrentApproval(word, row.content_hash));

/**
 * Returns a person's approvals of the current content since their last request for changes, without withdrawn and
 * dismissed ones. An approval that a delegate gave belongs to both people, so the result includes the approvals of the
 * other person that it replaced. With `onBehalfOf`, approvals newer than the latest one for this delegator are ignored.
 */
export function ownApprovals(
  { row, reviewRows }: Pick<LoadedDraft, 'row' | 'reviewRows'>,
  userId: string,
  onBehalfOf: string | null = null,
): LoadedDraft['reviewRows'] {
  const people = new Set([userId]);
  let isBegun = onBehalfOf === null;
  const own = reviewRows
    .filter(isInForce)
    .toReversed()
    .filter((review) => {
      const both = peopleOfReview({ reviewerId: review.reviewer.id, onBehalfOf: review.on_behalf_of?.id ?? null });
      if (!both.some((id) => people.has(id))) return false;
      if (review.verdict === 'changes_requested') {
        for (const id of both) people.delete(id);
        return false;
      }
      isBegun ||= review.on_behalf_of?.id === onBehalfOf;
      if (!isBegun || review.dismissed || review.content_hash !== row.content_hash) return false;
      for (const id of both) people.add(id);
      return true;
    });
  return own.toReversed();
}

/**
 * True if the person can request changes, even if their approval wouldn't count. False if the person or their delegator
 * is certainly an author, because an author can change the draft instead, unless the author may approve alone.
 */
export const canObject = ({ standing }: Pick<LoadedDraft, 'standing'>, userId: string, onBehalfOf?: string): boolean =>
  canApprove(userId, standing, onBehalfOf).ok ||
  [userId, onBehalfOf].every((id) => id === undefined || standing.ties.get(id) !== 'certain');

/** Refuses a request that names a revision other than the current one. A request without a revision is accepted. */
export function checkRevision({ row }: LoadedDraft, sent: number | null): void {
  if (sent === null || sent === row.revision) return;
  throw new Refused({
    code: 'stale_revision',
    sent,
    current: row.revision,
    savedBy: row.updated_by_name,
    savedAt: row.updated_at.toISOString(),
  });
}

/** The data about a draft that the notifications about its events need. */
export const draftContext = ({ row, contributorIds }: LoadedDraft) => ({
  draft: {
    key: row.key,
    title: row.metadata.title,
    contributors: contributorIds,
  },
});

/** Returns everyone who can review a draft, including people whose approval doesn't count yet. */
export function reviewersOf({ people, standing }: LoadedDraft): string[] {
  const { counted, notCounted, selfApproval, authors } = standing;
  // Authors are included only if they may approve alone, because nobody else can review the draft.
  const own = selfApproval.allowed
    ? people.filter(({ id, role }) => authors.has(id) && role && roleHas(role, 'draft.review'))
    : [];
  const lacking = notCounted.filter(({ because }) => because !== 'behind_the_author');
  return [...counted.keys(), ...[...lacking, ...own].map(({ id }) => id)];
}

/** Returns the delegates of these reviewers, without those who are reviewers or authors themselves. */
export function delegatesOf(
  reviewers: readonly string[],
  all: readonly ReviewDelegate[],
  { standing }: Pick<LoadedDraft, 'standing'>,
): { userId: string; delegators: string[] }[] {
  const names = new Map<string, string[]>();
  for (const { delegateId, delegator } of all) {
    if (!reviewers.includes(delegator.id) || reviewers.includes(delegateId)) continue;
    if (standing.ties.get(delegateId) !== 'certain')
      names.set(delegateId, [...(names.get(delegateId) ?? []), delegator.name]);
  }
  return [...names].map(([userId, delegators]) => ({ userId, delegators }));
}

/** Returns the workflow's reviewers who can review this draft. */
export function workflowReviewersOf(draft: LoadedDraft): string[] {
  const possible = new Set(reviewersOf(draft));
  return draft.named.reviewers.map(({ id }) => id).filter((id) => possible.has(id));
}
