import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { describeWorkflow, insertWorkflow, lockWorkflow, touchWorkflow } from '../workflows/reads.ts';
import { checkedContent } from './check-content.ts';
import { countSave, insertDraft } from './drafts.sql.ts';

/** Creates a draft on top of the live version, and the workflow itself where the key is new. */
export const createDraft: Handler<'POST /api/workflows/{key}/drafts'> = async ({ db }, { actor, params, body, once }) => {
  const { hash, metadata, steps } = checkedContent(body, params.key);
  const { orgId, userId } = actor;

  return db.changeOnce(actor, once, async (tx) => {
    const workflow = await tx.maybeOne(lockWorkflow, { orgId, key: params.key });
    if (workflow?.deleted_at) throw new Refused({ code: 'key_taken' });
    if (workflow?.archived_at) throw new Refused({ code: 'workflow_archived' });

    const draftId = newId();
    const workflowId = workflow?.id ?? newId();
    const shown = { orgId, id: workflowId, title: metadata.title, description: metadata.description, stepsCount: steps.length };
    if (!workflow) tx.write(insertWorkflow, { ...shown, key: params.key, createdBy: userId });
    else if (workflow.live_version_id) tx.write(touchWorkflow, { orgId, id: workflowId });
    else tx.write(describeWorkflow, shown);
    const baseVersionId = workflow?.live_version_id ?? null;
    tx.write(insertDraft, {
      orgId,
      id: draftId,
      workflowId,
      baseVersionId,
      metadata: JSON.stringify(metadata),
      steps: JSON.stringify(steps),
      stepsCount: steps.length,
      contentHash: hash,
      userId,
    });
    tx.write(countSave, { orgId, draftId, userId });
    const data = { key: params.key, title: metadata.title, steps: steps.length, contentHash: hash };
    appendAudit(tx, [
      ...(workflow ? [] : [{ ...by(actor), action: 'workflow.created' as const, subject: { type: 'workflow' as const, id: workflowId }, data }]),
      { ...by(actor), action: 'draft.created', subject: { type: 'version', id: draftId }, data: { ...data, baseVersionId } },
    ]);
    return answer({ draftId, revision: 1 }, revisionTag(1));
  });
};
