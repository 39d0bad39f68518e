import { approve, markWords, canApprove, requestChanges, withdrawApproval } from '@stet/domain/drafts';
import { type Mentionable, mentionsIn } from '@stet/domain/notifications';
import type { Handler } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { listDelegatesOfReviews, listDelegators } from '../delegations/index.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { mentionablePeople } from '../organizations/index.ts';
import { touchWorkflow } from '../workflows/index.ts';
import { actAsReviewer } from './act-as-reviewer.ts';
import { refuseIncomplete } from './check-content.ts';
import {
  endObjections,
  insertObjection,
  insertReview,
  reopenObjections,
  replaceObjection,
  saveRequirements,
  saveReviewedContent,
  setDraftStatus,
  withdrawApprovals,
} from './drafts.sql.ts';
import {
  type LoadedDraft,
  checkRevision,
  delegatesOf,
  draftContext,
  loadLockedDraft,
  canObject,
  ownApprovals,
  reviewersOf,
  workflowReviewersOf,
} from './load-draft.ts';
import { asksEveryone, loadLockedDraftWithLosses, lossesInEvent, requirementsInEvent } from './draft-findings.ts';
import { storedGroups, storedInEvent } from './group-requirements.ts';
import { recordOf } from './record-of.ts';

/**
 * True if the review is made with a personal API token. Refuses such a review if it doesn't name the revision that was
 * read, or if the organization has strict review.
 */
function checkToken({ token }: OrgActor, { policy }: LoadedDraft, ifMatch: number | null): boolean {
  if (token === null) return false;
  if (policy.strict)
    throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'by_api_token', from: null, who: [] });
  if (ifMatch === null)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'If-Match', problem: 'must be the revision that was read, for example "3"' }],
    });
  return true;
}

/** Approves the current content. If the draft wasn't submitted, the approval also submits it. */
export const approveDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/approve'> = (
  { db, log },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [{ draft, lost }, people, delegators, delegates] = await Promise.all([
      loadLockedDraftWithLosses(log, tx, actor, params),
      mentionablePeople(tx, orgId, body?.comment ?? ''),
      listDelegators(tx, actor),
      listDelegatesOfReviews(tx, { orgId, workflowKey: params.key }),
    ]);
    const { onBehalfOf, ownerId, by, recheck } = actAsReviewer(tx, {
      actor,
      delegators,
      draft,
      onBehalfOf: body?.onBehalfOf,
    });
    const { state } = unwrap(approve(draft.state));
    checkRevision(draft, ifMatch);
    const byToken = checkToken(actor, draft, ifMatch);
    const counts = unwrap(canApprove(userId, draft.standing, onBehalfOf?.id)).marks;
    // An approval for a delegator ends their objection, so the delegate must not be an author of the content that the
    // delegator objected to.
    if (onBehalfOf)
      for (const objection of draft.objections)
        if (objection.reviewer.id === ownerId) unwrap(canApprove(userId, objection.standing, onBehalfOf.id));
    const marks = byToken ? [...counts, 'by_api_token' as const] : counts;

    const { id, workflow_id, content_hash } = draft.row;
    const subject = { type: 'version' as const, id };
    const review = {
      reviewerId: userId,
      onBehalfOf: onBehalfOf?.id ?? null,
      verdict: 'approved' as const,
      contentHash: content_hash,
      dismissed: false,
      byToken,
    };
    if (draft.state.state === 'draft') {
      refuseIncomplete(draft.row);
      await refuseUnknownGroups(tx, orgId, draft.row.steps);
    }
    const stored = storedGroups(draft.requirements);
    if (draft.state.state === 'draft') {
      tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
      if (stored.length > 0) tx.write(saveRequirements, { orgId, id, requirements: JSON.stringify(stored) });
    }
    tx.write(saveReviewedContent, { orgId, draftId: id });
    const [reviewId, at] = [newId(), new Date(Math.floor(draft.at)).toISOString()];
    tx.write(insertReview, {
      orgId,
      id: reviewId,
      draftId: id,
      reviewerId: userId,
      verdict: 'approved',
      comment: body?.comment ?? '',
      contentHash: content_hash,
      byToken,
      at,
      onBehalfOf: review.onBehalfOf,
    });
    tx.write(endObjections, {
      orgId,
      draftId: id,
      contentHash: content_hash,
      reviewerId: ownerId,
      endedBy: userId,
      because: null,
      review: reviewId,
    });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const about = draftContext(draft);
    // If this approval also submits the draft, everyone who can review it is notified if one approval isn't enough, if
    // the draft removes a control or the check of that failed, or if the draft needs a group's approval. Otherwise only
    // the workflow's reviewers are notified, unless one of them is giving this approval.
    const isEnough = draft.policy.requiredApprovals <= 1 && !asksEveryone(lost, draft);
    const named = workflowReviewersOf(draft);
    const others = isEnough ? (named.includes(ownerId) ? [] : named) : reviewersOf(draft);
    const data = {
      key: params.key,
      contentHash: content_hash,
      baseVersionId: draft.row.base_version_id,
      comment: body?.comment ?? null,
      reviewId,
      at,
      addressProvedBy: actor.standing.provedBy,
      ...(byToken && { byToken }),
      ...(marks.length > 0 && { marks, note: markWords(marks) }),
      ...lossesInEvent(lost),
    };
    appendAudit(tx, [
      ...(draft.state.state === 'draft'
        ? [
            {
              ...by,
              action: 'draft.submitted' as const,
              subject,
              data: {
                key: params.key,
                contentHash: content_hash,
                ...lossesInEvent(lost),
                ...requirementsInEvent(draft),
                ...storedInEvent(stored),
              },
              context: {
                ...about,
                reviewers: others,
                delegates: delegatesOf(others, delegates, draft),
                losses: lost.losses,
                groups: draft.requirements.map(({ name }) => name),
              },
            },
          ]
        : []),
      {
        ...by,
        action: 'draft.approved',
        subject,
        data,
        context: { ...about, comment: commentOf(body?.comment ?? '', people) },
      },
    ]);
    recheck();
    return answer(recordOf(draft, { status: state.state, reviews: [...draft.reviews, review] }));
  });

/**
 * Withdraws approvals of the current content: the actor's own, those that a delegate gave for the actor, or those that
 * the actor gave for a delegator. Reopens the requests for changes that these approvals ended.
 */
export const withdrawApprovalOfDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/withdraw-approval'> = (
  { db },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [draft, delegators] = await Promise.all([loadLockedDraft(tx, actor, params), listDelegators(tx, actor)]);
    const { onBehalfOf, by, recheck } = actAsReviewer(tx, { actor, delegators, draft, onBehalfOf: body?.onBehalfOf });
    const own = ownApprovals(draft, userId, onBehalfOf?.id);
    unwrap(withdrawApproval(draft.state, own.length > 0));
    checkRevision(draft, ifMatch);
    const byToken = checkToken(actor, draft, ifMatch);

    const { id, workflow_id, content_hash } = draft.row;
    const reviewIds = own.map((review) => review.id);
    tx.write(withdrawApprovals, { orgId, reviewIds });
    tx.write(reopenObjections, { orgId, reviewIds });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const data = { key: params.key, contentHash: content_hash, reviewIds, ...(byToken && { byToken }) };
    const [subject, context] = [{ type: 'version', id } as const, draftContext(draft)];
    appendAudit(tx, [{ ...by, action: 'draft.approval_withdrawn', subject, data, context }]);
    recheck();
    const withdrawn = new Set(reviewIds);
    return answer(recordOf(draft, { reviews: draft.reviews.filter((review) => !withdrawn.has(review.id)) }));
  });

export const requestChangesOfDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/request-changes'> = (
  { db },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [draft, people, delegators] = await Promise.all([
      loadLockedDraft(tx, actor, params),
      mentionablePeople(tx, orgId, body.comment),
      listDelegators(tx, actor),
    ]);
    const { onBehalfOf, ownerId, by, recheck } = actAsReviewer(tx, {
      actor,
      delegators,
      draft,
      onBehalfOf: body.onBehalfOf,
    });
    const { state } = unwrap(requestChanges(draft.state, body.comment));
    checkRevision(draft, ifMatch);
    const byToken = checkToken(actor, draft, ifMatch);
    if (!canObject(draft, userId, onBehalfOf?.id)) unwrap(canApprove(userId, draft.standing, onBehalfOf?.id));

    const { id, workflow_id, content_hash } = draft.row;
    const review = {
      reviewerId: userId,
      onBehalfOf: onBehalfOf?.id ?? null,
      verdict: 'changes_requested' as const,
      contentHash: content_hash,
      dismissed: false,
      byToken,
    };
    tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
    tx.write(saveReviewedContent, { orgId, draftId: id });
    const [reviewId, at] = [newId(), new Date(Math.floor(draft.at)).toISOString()];
    tx.write(insertReview, {
      orgId,
      id: reviewId,
      draftId: id,
      reviewerId: userId,
      verdict: 'changes_requested',
      comment: body.comment,
      contentHash: content_hash,
      byToken,
      at,
      onBehalfOf: review.onBehalfOf,
    });
    const objection = { draftId: id, contentHash: content_hash, reviewerId: ownerId };
    tx.write(replaceObjection, { orgId, ...objection, endedBy: userId });
    tx.write(insertObjection, {
      orgId,
      id: newId(),
      ...objection,
      comment: body.comment,
      delegateId: onBehalfOf && userId,
    });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const details = { comment: body.comment, reviewId, at, ...(byToken && { byToken }) };
    const data = { key: params.key, contentHash: content_hash, ...details };
    const context = { ...draftContext(draft), comment: commentOf(body.comment, people) };
    const subject = { type: 'version', id } as const;
    appendAudit(tx, [{ ...by, action: 'draft.changes_requested', subject, data, context }]);
    recheck();
    return answer(recordOf(draft, { status: state.state, reviews: [...draft.reviews, review] }));
  });

const commentOf = (text: string, people: readonly Mentionable[]) => ({
  text,
  mentions: mentionsIn(text, people).map(({ userId }) => userId),
});
