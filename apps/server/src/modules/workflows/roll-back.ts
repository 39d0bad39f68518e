import { type ApprovalMark, controlLosses, rollBackTo, rollbackNeedSentence, rollbackNeeds } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveNotices } from '../../db/notices.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { assertEmergency, begunEmergency, knownPeople, recordEmergency } from '../confirmations/reads.ts';
import { findReviewPolicy, lockReviewPolicy } from '../drafts/reads.ts';
import type { VersionRow } from './version-columns.ts';
import { versionOf, versionStateOf } from './version-of.ts';
import { presentVersion } from './version.presenter.ts';
import { findLive, findPeopleOfOpenRuns, findReviewOfVersion, setVersionStatus } from './versions.sql.ts';
import { findVersion, lockWorkflow, makeLive } from './workflows.sql.ts';

/**
 * Makes an earlier version live again; its number stays, and the next merge takes the next unused one (rulings, section 4).
 * If it was reviewed as today's policy asks and takes no control away, it goes live at once; else only through a review, or
 * by an owner in an emergency.
 */
export const rollBack: Handler<'POST /api/workflows/{key}/versions/{version}/rollback'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { key } = params;
    const at = { orgId, key };
    const named = { ...at, ...versionOf(params) };
    const [workflow, , policyRow, target, live, review, people, known] = await Promise.all([
      tx.maybeOne(lockWorkflow, at),
      tx.maybeOne(lockReviewPolicy, { orgId }),
      tx.maybeOne(findReviewPolicy, { orgId }),
      tx.maybeOne(findVersion, named),
      tx.maybeOne(findLive, at),
      tx.maybeOne(findReviewOfVersion, named),
      tx.maybeOne(findPeopleOfOpenRuns, at),
      knownPeople(tx, { orgId, userIds: [userId] }),
    ]);
    if (!workflow || !policyRow || workflow.deleted_at) throw new Refused({ code: 'not_found', what: 'workflow' });
    if (!target || !review || target.version === null) throw new Refused({ code: 'not_found', what: 'version' });
    if (workflow.archived_at) throw new Refused({ code: 'workflow_archived' });

    const policy = { requiredApprovals: policyRow.required_approvals, strict: policyRow.strict };
    const needs = rollbackNeeds({
      policy,
      approvals: approvalsOf(target, review.approvals),
      losses: controlLosses(live ?? null, target),
      hasObjection: review.has_objection,
      isUnratified: target.emergency !== null && target.emergency.status !== 'confirmed',
    });
    const reason = body?.reason || null;
    const state = versionStateOf(target);
    if (!body?.emergency) granted(rollBackTo(state, needs));
    else {
      granted(rollBackTo(state, []));
      assertEmergency(actor, known, policy.strict);
      if (reason === null) throw new Refused({ code: 'reason_required' });
    }
    // An emergency that a review would not have stopped is an ordinary rollback.
    const isEmergency = body?.emergency === true && needs.length > 0;

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
    const { title } = (live ?? target).metadata;
    const change = `from v${live?.version ?? '?'} to v${target.version}`;
    notifyOfRollback(tx, actor, {
      title,
      change,
      reason,
      userIds: [...(live?.contributors ?? []), ...(people?.starters ?? [])],
      emails: people?.assignees ?? [],
    });
    const sentence = `Ratify that ${isolated(actor.name)} rolled ${isolated(title)} back ${change} past the review.`;
    const emergency = isEmergency
      ? [recordEmergency(tx, actor, known, { versionId: target.id, key, reason: reason ?? '', sentence, title })]
      : [];
    const data = {
      key,
      from: live?.version ?? null,
      fromVersionId: workflow.live_version_id,
      to: target.version,
      toVersionId: target.id,
      contentHash: target.content_hash,
      reason,
      ...(reason === null && { note: 'no reason given' }),
      ...(isEmergency && { emergency: true, pastReview: needs.map(rollbackNeedSentence) }),
    };
    const subject = { type: 'workflow' as const, id: workflow.id };
    appendAudit(tx, [{ ...by(actor), action: 'version.rolled_back', subject, data }, ...emergency]);
    const version = presentVersion({ ...target, status: 'live' });
    return answer({
      version: isEmergency ? { ...version, emergency: begunEmergency(actor, known.at, reason ?? '') } : version,
    });
  });

/** The approvals that a version went live with; of one from before they were recorded, those that are stored. */
function approvalsOf(
  { merged_with }: VersionRow,
  stored: readonly { byToken: boolean; isOwn: boolean }[],
): { marks: readonly ApprovalMark[] }[] {
  if (merged_with !== null) return merged_with;
  return stored.map(({ byToken, isOwn }) => ({
    marks: [...(isOwn ? (['self_approved'] as const) : []), ...(byToken ? (['by_api_token'] as const) : [])],
  }));
}

type Rollback = { title: string; change: string; reason: string | null; userIds: string[]; emails: string[] };

/** Notifies owners, those who wrote the version that was live, and those whom open runs of the workflow concern. */
function notifyOfRollback(
  tx: Tx,
  { orgId, userId, name }: OrgActor,
  { title, change, reason, userIds, emails }: Rollback,
): void {
  const why = reason === null ? ', and gave no reason.' : `: ${isolated(reason)}`;
  leaveNotices(tx, orgId, [
    {
      source: `version_rolled_back:${newId()}`,
      kind: 'version_rolled_back',
      title,
      body: `${isolated(name)} rolled this workflow back ${change}${why}`,
      to: { roles: ['owner'], userIds: [...new Set(userIds)], emails, exceptIds: [userId] },
    },
  ]);
}
