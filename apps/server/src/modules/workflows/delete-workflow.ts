import { removeOverWords } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { replaceWaitingForWorkflow } from '../confirmations/index.ts';
import { listReviewedDrafts } from './versions.sql.ts';
import {
  archiveWorkflow,
  deleteDraftsOfWorkflow,
  findWorkflowUse,
  lockWorkflow,
  markWorkflowDeleted,
} from './workflows.sql.ts';

/**
 * Deletes a workflow that was never live or run. Archives any other workflow with its history, which requires the
 * permission to archive. If an open draft has a valid review, both require a reason, and only the draft's author or a
 * manager can do it.
 */
export const deleteWorkflow: Handler<'DELETE /api/workflows/{key}'> = ({ db }, { actor, params, body }) =>
  db.transaction(actor, async (tx) => {
    const at = { orgId: actor.orgId, key: params.key };
    const [workflow, use, reviewed] = await Promise.all([
      tx.maybeOne(lockWorkflow, at),
      tx.maybeOne(findWorkflowUse, at),
      tx.many(listReviewedDrafts, at),
    ]);
    if (!workflow || !use || workflow.deleted_at) throw new Refused({ code: 'not_found', what: 'workflow' });
    const stays = use.was_merged || use.has_runs;
    if (stays && !actor.permissions.includes('workflow.archive')) throw new Refused({ code: 'forbidden' });
    if (stays) tx.needs('workflow.archive');
    if (stays && workflow.archived_at) throw new Refused({ code: 'workflow_archived' });

    const reason = body?.reason || null;
    unwrap(
      removeOverWords(
        reviewed.map(({ author_id }) => author_id),
        { actorId: actor.userId, isManager: actor.permissions.includes('org.manage'), reason: reason ?? undefined },
      ),
    );

    const { id } = workflow;
    if (stays) tx.write(archiveWorkflow, { orgId: actor.orgId, id });
    else {
      tx.write(deleteDraftsOfWorkflow, { orgId: actor.orgId, id });
      tx.write(markWorkflowDeleted, { orgId: actor.orgId, id });
      tx.write(replaceWaitingForWorkflow, { orgId: actor.orgId, workflowId: id });
    }
    const action = stays ? ('workflow.archived' as const) : ('workflow.deleted' as const);
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action,
        subject: { type: 'workflow', id },
        data: { key: params.key, reason },
        context: { reviewed, reason },
      },
    ]);
    return answer({
      message: stays ? 'Workflow archived' : 'Workflow deleted',
      outcome: stays ? ('archived' as const) : ('deleted' as const),
    });
  });
