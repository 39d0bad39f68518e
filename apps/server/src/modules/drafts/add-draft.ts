import { directionControls } from '@stet/domain/drafts';
import type { WorkflowContent } from '@stet/domain/workflows';
import type { Tx } from '../../kernel/database.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { describeWorkflow, insertWorkflow, lockWorkflow, touchWorkflow } from '../workflows/index.ts';
import { refuseDirectionControls } from './check-content.ts';
import { findLiveContent } from './compare.sql.ts';
import { contributionOf, countSave, insertDraft } from './drafts.sql.ts';

/**
 * Inserts a draft based on the live version, and also the workflow if the key is new. The caller has checked the
 * content, except for direction controls. Refuses an archived workflow, the key of a deleted one and, with `ifNew`, any
 * key that is in use.
 */
export async function addDraft(
  tx: Tx,
  actor: OrgActor,
  { key, hash, metadata, steps }: WorkflowContent & { key: string; hash: string },
  {
    action,
    ifNew = false,
    liveVersionId,
    about = {},
  }: {
    action: 'draft.created' | 'draft.imported';
    ifNew?: boolean;
    /** If this is given and the version isn't live any more, the draft is refused. */
    liveVersionId?: string | undefined;
    about?: Record<string, unknown>;
  },
): Promise<{ draftId: string; revision: number }> {
  const { orgId, userId } = actor;
  const workflow = await tx.maybeOne(lockWorkflow, { orgId, key });
  if (workflow?.deleted_at || (workflow && ifNew)) throw new Refused({ code: 'key_taken' });
  if (workflow?.archived_at) throw new Refused({ code: 'workflow_archived' });
  if (liveVersionId !== undefined && workflow?.live_version_id !== liveVersionId)
    throw new Refused({ code: 'live_changed', conflicts: [] });

  // Direction controls are allowed in fields in which the live version contains them. The live version is read only if
  // the draft contains any, which is rare.
  if (directionControls({ steps }).length > 0) {
    const live = await tx.maybeOne(findLiveContent, { orgId, key });
    refuseDirectionControls({ steps }, live ? [live] : []);
  }

  const draftId = newId();
  const workflowId = workflow?.id ?? newId();
  const shown = {
    orgId,
    id: workflowId,
    title: metadata.title,
    description: metadata.description,
    stepsCount: steps.length,
  };
  if (!workflow) tx.write(insertWorkflow, { ...shown, key, createdBy: userId });
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
  tx.write(countSave, { orgId, draftId, ...contributionOf(actor) });
  const data = { key, title: metadata.title, steps: steps.length, contentHash: hash };
  appendAudit(tx, [
    ...(workflow
      ? []
      : [
          {
            ...auditActor(actor),
            action: 'workflow.created' as const,
            subject: { type: 'workflow' as const, id: workflowId },
            data,
          },
        ]),
    {
      ...auditActor(actor),
      action,
      subject: { type: 'version', id: draftId },
      data: { ...data, baseVersionId, ...about },
    },
  ]);
  return { draftId, revision: 1 };
}
