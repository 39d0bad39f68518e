import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  archiveWorkflow,
  deleteDraftsOfWorkflow,
  findWorkflowUse,
  lockWorkflow,
  markWorkflowDeleted,
} from './workflows.sql.ts';

/** Deletes what was never merged nor run; archives the rest with its history (rulings, section 4). */
export const deleteWorkflow: Handler<'DELETE /api/workflows/{key}'> = ({ db }, { actor, params }) =>
  db.transaction(actor, async (tx) => {
    const at = { orgId: actor.orgId, key: params.key };
    const [workflow, use] = await Promise.all([tx.maybeOne(lockWorkflow, at), tx.maybeOne(findWorkflowUse, at)]);
    if (!workflow || !use || workflow.deleted_at) throw new Refused({ code: 'not_found', what: 'workflow' });
    const stays = use.was_merged || use.has_runs;
    if (stays && !actor.permissions.includes('workflow.archive')) throw new Refused({ code: 'forbidden' });
    if (stays) tx.needs('workflow.archive');
    if (stays && workflow.archived_at) throw new Refused({ code: 'workflow_archived' });

    const { id } = workflow;
    if (stays) tx.write(archiveWorkflow, { orgId: actor.orgId, id });
    else {
      tx.write(deleteDraftsOfWorkflow, { orgId: actor.orgId, id });
      tx.write(markWorkflowDeleted, { orgId: actor.orgId, id });
    }
    const action = stays ? ('workflow.archived' as const) : ('workflow.deleted' as const);
    appendAudit(tx, [{ ...by(actor), action, subject: { type: 'workflow', id }, data: { key: params.key } }]);
    return answer({
      message: stays ? 'Workflow archived' : 'Workflow deleted',
      outcome: stays ? ('archived' as const) : ('deleted' as const),
    });
  });
