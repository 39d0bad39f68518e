import type { ReviewTask } from '@stet/contract';
import {
  type AcceptedMembers,
  type Review,
  acceptedMembers,
  canApprove,
  countedApprovals,
  diffContent,
  peopleOfReview,
  relationsAmong,
  voterOf,
  waitsForReviewBy,
  whoCounts,
} from '@stet/domain/drafts';
import type { Handlers } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { knownPeople } from '../confirmations/index.ts';
import { listDelegators } from '../delegations/index.ts';
import type { PersonRow } from '../workflows/index.ts';
import { delegatorsOfReviews } from './act-as-reviewer.ts';
import { listRoutedGroups } from './drafts.sql.ts';
import { groupRequirements, wouldFillMore } from './group-requirements.ts';
import { delegatesIn } from './load-draft.ts';
import { type DraftInReview, listDraftsInReview, listReviewContents } from './review-tasks.sql.ts';

const MAX_COUNTED = 100;
const FIRST = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The drafts that wait for the person's review (not part of the specification). */
export const reviewTaskHandlers = {
  'GET /api/tasks/reviews': async ({ db }, { actor, query: { limit, cursor } }) => {
    const after = cursor === undefined ? FIRST : readCursor(cursor);
    return db.transaction(actor, async (tx) => {
      const { waiting, last } = await listWaiting(tx, actor, { limit, after });
      const draftIds = waiting.map(({ row }) => row.id);
      const contents = draftIds.length === 0 ? [] : await tx.many(listReviewContents, { orgId: actor.orgId, draftIds });
      const changesOf = new Map(
        contents.map(({ id, live, ...draft }) => {
          const { detailed, metadata } = diffContent(live, draft);
          return [id, detailed.length + Object.keys(metadata).length];
        }),
      );
      return answer(
        waiting.map(({ row, onBehalfOf, has, groups }): ReviewTask => ({
          workflowKey: row.key,
          draftId: row.id,
          title: row.title,
          author: row.author,
          submittedAt: row.submitted_at.toISOString(),
          changes: changesOf.get(row.id) ?? 0,
          approvals: { has, needed: row.required_approvals },
          groups,
          onBehalfOf,
        })),
        last ? { 'x-next-cursor': `${last.submitted_at_exact}_${last.id}` } : {},
      );
    });
  },

  'GET /api/tasks/reviews/count': async ({ db }, { actor }) =>
    db.transaction(actor, async (tx) => {
      const { waiting } = await listWaiting(tx, actor, { limit: MAX_COUNTED, after: FIRST });
      return answer({ count: waiting.length });
    }),
} satisfies Partial<Handlers>;

/** `last` is the last draft that was considered. Undefined if no other draft follows it. */
type Waiting = {
  waiting: { row: DraftInReview; onBehalfOf: PersonRow | null; has: number; groups: string[] }[];
  last: DraftInReview | undefined;
};

/**
 * Considers at most `limit` drafts in review, and returns those that wait for a review by the actor or by someone who
 * delegated their reviews to the actor. If a draft waits for both, it is listed as the actor's own.
 */
async function listWaiting(
  tx: Tx,
  actor: OrgActor,
  { limit, after }: { limit: number; after: typeof FIRST },
): Promise<Waiting> {
  const none = { waiting: [], last: undefined };
  const { orgId, userId } = actor;
  const canReview = actor.permissions.includes('draft.review');
  const [rows, delegators] = await Promise.all([
    tx.many(listDraftsInReview, { orgId, limit: limit + 1, afterAt: after.at, afterId: after.id }),
    listDelegators(tx, actor),
  ]);
  if (rows.length === 0 || (!canReview && delegators.length === 0)) return none;
  const userIds = rows.flatMap(({ contributors, objections, reviews, named }) => [
    ...[...contributors, ...objections.flatMap((objection) => objection.contributors)].map(({ id }) => id),
    ...delegatesIn(reviews),
    ...(named ?? []).flatMap(({ addedBy }) => addedBy),
  ]);
  const [{ people, at }, groups] = await Promise.all([
    knownPeople(tx, { orgId, userIds: [...new Set([...userIds, userId])] }),
    tx.many(listRoutedGroups, { orgId }),
  ]);
  const relations = relationsAmong(people, at);
  const page = rows.slice(0, limit);
  return {
    waiting: page.flatMap((row) => {
      const { contributors, reviews, objections, content_hash: contentHash, strict } = row;
      const policy = { requiredApprovals: row.required_approvals, strict };
      const lenders = delegatorsOfReviews(delegators, actor, { workflowKey: row.key, at });
      const reviewerIds = new Set([userId, ...lenders.map(({ id }) => id), ...reviews.flatMap(peopleOfReview)]);
      const delegateIds = delegatesIn(reviews, userId);
      const delegates = people.filter(({ id }) => delegateIds.has(id));
      const reviewers = people.filter(({ id }) => reviewerIds.has(id));
      const firstSavedAt = row.created_at.getTime();
      const standing = whoCounts({ relations, reviewers, delegates, contributors, firstSavedAt, strict });
      const votersOf = (all: readonly Review[]): string[] =>
        countedApprovals({ reviews: all, contentHash }, standing, policy).map(voterOf);
      const approverIds = votersOf(reviews);
      const named = row.named && acceptedOf(row.named, { standing, relations, firstSavedAt, strict });
      const question = {
        required: row.requirements,
        groups,
        people: { reviewers: row.named ?? [], needs_reviewer: row.named !== null },
        relations,
        standing,
        firstSavedAt,
        strict,
        approverIds,
      };
      const asked = { contentHash, reviews, objections, policy, standing, named };
      const waitsFor = (delegator: PersonRow | null): boolean => {
        const onBehalfOf = delegator && delegator.id;
        if (waitsForReviewBy(userId, asked, onBehalfOf)) return true;
        if (!canApprove(userId, standing, onBehalfOf).ok) return false;
        const given = { verdict: 'approved', contentHash, dismissed: false, byToken: false } as const;
        return wouldFillMore(votersOf([...reviews, { reviewerId: userId, onBehalfOf, ...given }]), question);
      };
      const whose = [...(canReview ? [null] : []), ...lenders].find(waitsFor);
      if (whose === undefined) return [];
      const missing = groupRequirements(question).filter(({ group, by }) => group !== null && by === null);
      return [{ row, onBehalfOf: whose, has: approverIds.length, groups: missing.map(({ name }) => name) }];
    }),
    last: rows.length > limit ? page.at(-1) : undefined,
  };
}

const acceptedOf = (
  reviewers: NonNullable<DraftInReview['named']>,
  question: Parameters<typeof acceptedMembers>[1],
): AcceptedMembers =>
  acceptedMembers(
    reviewers.map(({ id, addedAt, addedBy }) => ({ id, addedBy, addedAt: Date.parse(addedAt) })),
    question,
  );

function readCursor(cursor: string): typeof FIRST {
  const [, at, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([\da-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
  return { at, id };
}
