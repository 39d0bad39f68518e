import { rollBackTo } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { versionOf } from './version-of.ts';
import { presentVersion } from './version.presenter.ts';
import { findLiveNumber, setVersionStatus } from './versions.sql.ts';
import { findVersion, lockWorkflow, makeLive } from './workflows.sql.ts';

/** Makes an earlier version live again; its number stays, and the next merge takes the next unused one (rulings, section 4). */
export const rollBack: Handler<'POST /api/workflows/{key}/versions/{version}/rollback'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId } = actor;
    const at = { orgId, key: params.key };
    const [workflow, target, live] = await Promise.all([
      tx.maybeOne(lockWorkflow, at),
      tx.maybeOne(findVersion, { ...at, ...versionOf(params) }),
      tx.maybeOne(findLiveNumber, at),
    ]);
    if (!workflow || workflow.deleted_at) throw new Refused({ code: 'not_found', what: 'workflow' });
    if (!target || target.version === null) throw new Refused({ code: 'not_found', what: 'version' });
    if (workflow.archived_at) throw new Refused({ code: 'workflow_archived' });
    const merged = { by: '', at: 0 };
    const state =
      target.status === 'live'
        ? ({ state: 'live', version: target.version, merged } as const)
        : ({ state: 'superseded', version: target.version, merged, supersededAt: 0 } as const);
    granted(rollBackTo(state));

    tx.write(setVersionStatus, { orgId, id: workflow.live_version_id, status: 'superseded' });
    tx.write(setVersionStatus, { orgId, id: target.id, status: 'live' });
    tx.write(makeLive, {
      orgId,
      id: workflow.id,
      liveVersionId: target.id,
      nextVersion: workflow.next_version,
      title: target.metadata.title,
      description: target.metadata.description,
      stepsCount: target.steps_count,
    });
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'version.rolled_back',
        subject: { type: 'workflow', id: workflow.id },
        data: {
          key: params.key,
          from: live?.version ?? null,
          fromVersionId: workflow.live_version_id,
          to: target.version,
          toVersionId: target.id,
          contentHash: target.content_hash,
          reason: body?.reason || null,
        },
      },
    ]);
    return answer({ version: presentVersion({ ...target, status: 'live' }) });
  });
