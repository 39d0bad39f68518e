import { discard } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { markWorkflowDeleted, showNewestDraft, touchWorkflow } from '../workflows/reads.ts';
import { deleteDraft, findOtherVersion } from './drafts.sql.ts';
import { hasStandingWord, holdDraft } from './load-draft.ts';
import { notifyReviewersOfDiscard } from './tell-of-draft.ts';

/**
 * Discards an open draft that one has contributed to. A workflow of which it was all there was goes with it, as if deleted:
 * nothing of it was ever merged or run, and its key is not used again (rulings, section 4).
 */
export const discardDraft: Handler<'DELETE /api/workflows/{key}/drafts/{id}'> = ({ db }, { actor, params, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId, userId } = actor;
    const [draft, other] = await Promise.all([
      holdDraft(tx, actor, params),
      tx.maybeOne(findOtherVersion, { orgId, key: params.key, draftId: params.id }),
    ]);
    const { row, state, contributorIds } = draft;
    const reason = body?.reason;
    granted(
      discard(state, {
        actorId: userId,
        isManager: actor.permissions.includes('org.manage'),
        authorId: row.created_by.id,
        contributors: contributorIds,
        hasStandingWord: hasStandingWord(draft),
        reason,
      }),
    );
    const workflowId = row.workflow_id;
    notifyReviewersOfDiscard(tx, actor, draft, reason);
    tx.write(deleteDraft, { orgId, id: row.id });
    // Its notifications go with it.
    tx.announce([{ subject: 'notification', id: row.id }]);
    if (!other) tx.write(markWorkflowDeleted, { orgId, id: workflowId });
    else if (row.live_version_id) tx.write(touchWorkflow, { orgId, id: workflowId });
    else tx.write(showNewestDraft, { orgId, id: workflowId });
    const data = { key: params.key, contentHash: row.content_hash, title: row.metadata.title, reason: reason ?? null };
    appendAudit(tx, [
      { ...by(actor), action: 'draft.discarded', subject: { type: 'version', id: row.id }, data },
      ...(other
        ? []
        : [
            {
              ...by(actor),
              action: 'workflow.deleted' as const,
              subject: { type: 'workflow' as const, id: workflowId },
              data: { key: params.key },
            },
          ]),
    ]);
    return answer({ message: 'Draft discarded' });
  });
