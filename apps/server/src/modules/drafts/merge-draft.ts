import { isOpen, merge } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { makeLive } from '../workflows/reads.ts';
import { mergeDraft, supersedeVersion } from './drafts.sql.ts';
import { checkRevision } from './load-draft.ts';
import { holdDraftWithLosses, lossesInEvent, lossesInNotification } from './lost-controls.ts';
import { recordOf } from './record-of.ts';
import { tellContributors } from './tell-of-draft.ts';

/** Makes a draft the live version, if at this moment nothing blocks it: everything is decided again under the lock. */
export const mergeDraftToLive: Handler<'POST /api/workflows/{key}/drafts/{id}/merge'> = (
  { db },
  { actor, params, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { draft, losses } = await holdDraftWithLosses(tx, actor, params);
    const { row } = draft;
    if (isOpen(draft.state)) checkRevision(draft, ifMatch);
    const { state } = granted(
      merge(draft.state, { version: row.next_version, merged: { by: userId, at: 0 } }, draft.blockers),
    );
    if (row.live_version_id === row.id) throw new Refused({ code: 'already_live', version: state.version });

    if (row.live_version_id) tx.write(supersedeVersion, { orgId, id: row.live_version_id });
    tx.write(mergeDraft, { orgId, id: row.id, version: state.version, userId });
    tx.write(makeLive, {
      orgId,
      id: row.workflow_id,
      liveVersionId: row.id,
      nextVersion: state.version + 1,
      title: row.metadata.title,
      description: row.metadata.description,
      stepsCount: row.steps_count,
    });
    tellContributors(
      tx,
      actor,
      draft,
      'draft_merged',
      `${isolated(actor.name)} has merged this draft: v${state.version} is live.${lossesInNotification(losses)}`,
    );
    const data = {
      key: params.key,
      version: state.version,
      contentHash: row.content_hash,
      replaces: row.live_version_id,
      requiredApprovals: draft.policy.requiredApprovals,
      ...lossesInEvent(losses),
    };
    appendAudit(tx, [{ ...by(actor), action: 'draft.merged', subject: { type: 'version', id: row.id }, data }]);
    return answer({ version: recordOf(draft, { status: 'live', version: state.version }) });
  });
