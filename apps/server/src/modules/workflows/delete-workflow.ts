import { removeOverWords } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveNotices } from '../../db/notices.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { listReviewedDrafts } from './versions.sql.ts';
import {
  archiveWorkflow,
  deleteDraftsOfWorkflow,
  findWorkflowUse,
  lockWorkflow,
  markWorkflowDeleted,
} from './workflows.sql.ts';

/**
 * Deletes what was never merged nor run; archives the rest with its history (rulings, section 4). Over what someone has said
 * of an open draft it takes the draft's author or a manager, and a reason.
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
    granted(
      removeOverWords(
        reviewed.map(({ author_id }) => author_id),
        { actorId: actor.userId, isManager: actor.permissions.includes('org.manage'), reason: reason ?? undefined },
      ),
    );

    const { id } = workflow;
    notifyReviewers(tx, actor, reviewed, { stays, reason });
    if (stays) tx.write(archiveWorkflow, { orgId: actor.orgId, id });
    else {
      tx.write(deleteDraftsOfWorkflow, { orgId: actor.orgId, id });
      tx.write(markWorkflowDeleted, { orgId: actor.orgId, id });
    }
    const action = stays ? ('workflow.archived' as const) : ('workflow.deleted' as const);
    appendAudit(tx, [{ ...by(actor), action, subject: { type: 'workflow', id }, data: { key: params.key, reason } }]);
    return answer({
      message: stays ? 'Workflow archived' : 'Workflow deleted',
      outcome: stays ? ('archived' as const) : ('deleted' as const),
    });
  });

/** Notifies everyone who has reviewed an open draft of the workflow that it went with it. */
function notifyReviewers(
  tx: Tx,
  { orgId, userId, name }: OrgActor,
  reviewed: readonly { id: string; title: string; reviewers: string[] }[],
  { stays, reason }: { stays: boolean; reason: string | null },
): void {
  const did = stays ? 'archived' : 'deleted';
  const why = reason === null ? '.' : `: ${isolated(reason)}`;
  leaveNotices(
    tx,
    orgId,
    reviewed.map(({ id, title, reviewers }) => ({
      source: `draft_discarded:${id}`,
      kind: 'draft_discarded' as const,
      title,
      body: `${isolated(name)} ${did} the workflow of a draft that you reviewed${why}`,
      to: { userIds: reviewers, exceptIds: [userId] },
    })),
  );
}
