import { discard, peopleOfReview } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { replaceWaitingForWorkflow } from '../confirmations/index.ts';
import { markWorkflowDeleted, showNewestDraft, touchWorkflow } from '../workflows/index.ts';
import { deleteDraft, findOtherVersion } from './drafts.sql.ts';
import { hasCurrentReview, loadLockedDraft } from './load-draft.ts';

/**
 * Discards an open draft. If the workflow has no other draft or version, the workflow is deleted too, because none of
 * its content was ever merged or run. The key of a deleted workflow is never reused.
 */
export const discardDraft: Handler<'DELETE /api/workflows/{key}/drafts/{id}'> = ({ db }, { actor, params, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId, userId } = actor;
    const [draft, other] = await Promise.all([
      loadLockedDraft(tx, actor, params),
      tx.maybeOne(findOtherVersion, { orgId, key: params.key, draftId: params.id }),
    ]);
    const { row, state, contributorIds } = draft;
    const reason = body?.reason;
    unwrap(
      discard(state, {
        actorId: userId,
        isManager: actor.permissions.includes('org.manage'),
        authorId: row.created_by.id,
        contributors: contributorIds,
        hasCurrentReview: hasCurrentReview(draft),
        reason,
      }),
    );
    const workflowId = row.workflow_id;
    const reviewers = new Set([
      ...draft.reviews.flatMap(peopleOfReview),
      ...draft.objections.map(({ reviewer }) => reviewer.id),
    ]);
    tx.write(deleteDraft, { orgId, id: row.id });
    if (!other) {
      tx.write(markWorkflowDeleted, { orgId, id: workflowId });
      tx.write(replaceWaitingForWorkflow, { orgId, workflowId });
    } else if (row.live_version_id) tx.write(touchWorkflow, { orgId, id: workflowId });
    else tx.write(showNewestDraft, { orgId, id: workflowId });
    const data = { key: params.key, contentHash: row.content_hash, title: row.metadata.title, reason: reason ?? null };
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'draft.discarded',
        subject: { type: 'version', id: row.id },
        data,
        context: { title: row.metadata.title, reviewers: [...reviewers], reason: reason ?? null },
      },
      ...(other
        ? []
        : [
            {
              ...auditActor(actor),
              action: 'workflow.deleted' as const,
              subject: { type: 'workflow' as const, id: workflowId },
              data: { key: params.key },
              context: { reviewed: [], reason: null },
            },
          ]),
    ]);
    return answer({ message: 'Draft discarded' });
  });
