import {
  type ApprovalMark,
  findingsOf,
  requirementsOf,
  rollBackTo,
  rollbackNeedSentence,
  rollbackNeeds,
  versionStateOf,
} from '@stet/domain/drafts';
import { performersOf } from '@stet/domain/access';
import { isSimulated } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { assertEmergency, begunEmergency, knownPeople, recordEmergency } from '../confirmations/index.ts';
import {
  enqueueUpdateOfRequirements,
  findReviewPolicy,
  listRoutedGroups,
  lockReviewPolicy,
  raiseFindingsAlarm,
} from '../drafts/index.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { type NamedReviewer, findWorkflowPeople } from '../workflow-people/index.ts';
import type { VersionRow } from './version-columns.ts';
import { presentVersion } from './version.presenter.ts';
import {
  findLastReviewed,
  findLive,
  findPeopleOfOpenRuns,
  findReviewOfVersion,
  setVersionStatus,
} from './versions.sql.ts';
import { findVersion, lockWorkflow, makeLive, versionOf } from './workflows.sql.ts';

/**
 * Makes an earlier version live again. The version keeps its number, and the next merge gets the next unused number
 * (decision 65). If `rollbackNeeds` finds no reason for a review, it takes effect immediately. Otherwise it requires a
 * review, or an emergency by an owner.
 */
export const rollBack: Handler<'POST /api/workflows/{key}/versions/{version}/rollback'> = (
  { db, log },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { key } = params;
    const at = { orgId, key };
    const named = { ...at, ...versionOf(params) };
    const [workflow, , policyRow, target, live, lastReviewed, review, people, known, groups, responsible] =
      await Promise.all([
        tx.maybeOne(lockWorkflow, at),
        tx.maybeOne(lockReviewPolicy, { orgId }),
        tx.maybeOne(findReviewPolicy, { orgId }),
        tx.maybeOne(findVersion, named),
        tx.maybeOne(findLive, at),
        tx.maybeOne(findLastReviewed, { ...at, draftId: null }),
        tx.maybeOne(findReviewOfVersion, named),
        tx.maybeOne(findPeopleOfOpenRuns, at),
        knownPeople(tx, { orgId, userIds: [userId] }),
        tx.many(listRoutedGroups, { orgId }),
        tx.maybeOne(findWorkflowPeople, { orgId, key, workflowId: null }),
      ]);
    if (!workflow || !policyRow || workflow.deleted_at) throw new Refused({ code: 'not_found', what: 'workflow' });
    if (!target || !review || target.version === null) throw new Refused({ code: 'not_found', what: 'version' });
    if (workflow.archived_at) throw new Refused({ code: 'workflow_archived' });

    const policy = { requiredApprovals: policyRow.required_approvals, strict: policyRow.strict };
    // The version is also compared with the last reviewed version, so that a control that was lost in an emergency is
    // still reported.
    const findings = findingsOf(
      (error) => raiseFindingsAlarm(log, tx, { ...target, orgId }, error),
      lastReviewed ? [lastReviewed] : [],
      live ?? null,
      target,
      { restoredVersion: null },
    );
    const needs = rollbackNeeds({
      policy,
      approvals: approvalsOf(target, review.approvals),
      findings,
      groups: requirementsOf(findings, workflow.tags, policyRow.review_routes).map(
        ({ group }) => groups.find(({ slug }) => slug === group)?.name ?? group,
      ),
      lacksReviewer: responsible?.needs_reviewer === true && !wasApprovedByOne(target, responsible.reviewers, policy),
      simulated: policyRow.simulated_steps === 'refused' ? target.steps.filter(isSimulated) : [],
      hasObjection: review.has_objection,
      isUnratified: target.emergency !== null && target.emergency.status !== 'confirmed',
    });
    const reason = body?.reason || null;
    const { state } = unwrap(rollBackTo(versionStateOf(target), body?.emergency ? [] : needs));
    await refuseUnknownGroups(tx, orgId, target.steps);
    if (body?.emergency) {
      assertEmergency(actor, known, policy.strict);
      if (reason === null) throw new Refused({ code: 'reason_required' });
    }
    // Open drafts based on this version are compared with the last reviewed one from now on.
    if (policyRow.review_routes.length > 0) enqueueUpdateOfRequirements(tx, orgId);
    // If nothing requires a review, an emergency request is an ordinary rollback.
    const isEmergency = body?.emergency === true && needs.length > 0;

    tx.write(setVersionStatus, { orgId, id: workflow.live_version_id, status: 'superseded' });
    tx.write(setVersionStatus, { orgId, id: target.id, status: state.state });
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
    const sentence = `Ratify ${isolated(actor.name)}’s rollback of ${isolated(title)} ${change}, which had no review.`;
    const emergency = isEmergency
      ? [
          recordEmergency(tx, actor, known, {
            act: 'rollback',
            versionId: target.id,
            key,
            reason: reason ?? '',
            sentence,
            title,
          }),
        ]
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
    // The people who are notified in addition to the organization's owners: the authors of the previously live version,
    // the people in the workflow's open runs, and the workflow's owners.
    const owners = (responsible?.owners ?? []).map(({ id }) => id);
    const userIds = [...(live?.contributors ?? []), ...(people?.starters ?? []), ...owners];
    const emails = (people?.assignees ?? []).flatMap((assignee) => performersOf({ assignee, config: {} }, null).emails);
    const context = { title, key, change, reason, userIds, emails };
    appendAudit(tx, [{ ...auditActor(actor), action: 'version.rolled_back', subject, data, context }, ...emergency]);
    const version = presentVersion({ ...target, status: state.state });
    return answer({
      version: isEmergency ? { ...version, emergency: begunEmergency(actor, known.at, reason ?? '') } : version,
    });
  });

/**
 * True if a current reviewer of the workflow, who was already one when the draft was created, approved the version.
 * Under strict review, an approval with a mark doesn't count.
 */
const wasApprovedByOne = (
  { merged_with, created_at }: VersionRow,
  reviewers: readonly NamedReviewer[],
  { strict }: { strict: boolean },
): boolean =>
  (merged_with ?? []).some(
    ({ reviewer, onBehalfOf = reviewer, marks }) =>
      !(strict && marks.length > 0) &&
      reviewers.some(({ id, addedAt }) => id === onBehalfOf.id && Date.parse(addedAt) <= created_at.getTime()),
  );

/**
 * The approvals that were recorded at the merge or, if the version was merged before approvals were recorded, those
 * stored in its review.
 */
function approvalsOf(
  { merged_with }: VersionRow,
  stored: readonly { byToken: boolean; isOwn: boolean }[],
): { marks: readonly ApprovalMark[] }[] {
  if (merged_with !== null) return merged_with;
  return stored.map(({ byToken, isOwn }) => ({
    marks: [...(isOwn ? (['self_approved'] as const) : []), ...(byToken ? (['by_api_token'] as const) : [])],
  }));
}
