import { type CountedApproval, isOpen, markWords, merge } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { assertEmergency, begunEmergency, recordEmergency } from '../confirmations/index.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { type ApproverRow, makeLive } from '../workflows/index.ts';
import { mergeDraft, supersedeVersion } from './drafts.sql.ts';
import { approverIn, checkRevision, draftContext, personIn, reviewersOf } from './load-draft.ts';
import { asksEveryone, loadLockedDraftWithLosses, lossesInEvent, requirementsInEvent } from './draft-findings.ts';
import { storedGroups } from './group-requirements.ts';
import { recordOf } from './record-of.ts';

/**
 * Makes a draft the live version if nothing blocks it or if, in an emergency, it is based on the live version. Locks
 * the draft before it checks for blockers.
 */
export const mergeDraftToLive: Handler<'POST /api/workflows/{key}/drafts/{id}/merge'> = (
  { db, log },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { draft, lost } = await loadLockedDraftWithLosses(log, tx, actor, params);
    const { row } = draft;
    if (isOpen(draft.state)) checkRevision(draft, ifMatch);
    if (actor.token?.kind === 'organization' && draft.policy.requiredApprovals === 0)
      throw new Refused({ code: 'token_merges_reviewed' });
    const unavoidable = draft.blockers.filter(({ code }) => code === 'out_of_date');
    if (body?.emergency) assertEmergency(actor, draft, draft.policy.strict);
    // If there are no blockers, an emergency is an ordinary merge.
    const emergency = draft.blockers.length > 0 ? body?.emergency : undefined;
    const { state } = unwrap(merge(draft.state, row.next_version, body?.emergency ? unavoidable : draft.blockers));
    await refuseUnknownGroups(tx, orgId, row.steps);
    if (row.live_version_id === row.id) throw new Refused({ code: 'already_live', version: state.version });

    const { counted } = draft;
    const approvals = counted.map(({ reviewerId, onBehalfOf, marks }) => ({
      reviewer: personIn(draft, reviewerId),
      ...(onBehalfOf && { onBehalfOf: personIn(draft, onBehalfOf) }),
      marks,
    }));
    const requirements = storedGroups(draft.requirements, (id) => approverIn(draft, id));
    if (row.live_version_id) tx.write(supersedeVersion, { orgId, id: row.live_version_id });
    tx.write(mergeDraft, {
      orgId,
      id: row.id,
      version: state.version,
      userId,
      approvals: JSON.stringify(approvals),
      requirements: JSON.stringify(requirements),
    });
    tx.write(makeLive, {
      orgId,
      id: row.workflow_id,
      liveVersionId: row.id,
      nextVersion: state.version + 1,
      title: row.metadata.title,
      description: row.metadata.description,
      stepsCount: row.steps_count,
    });
    const data = {
      key: params.key,
      version: state.version,
      contentHash: row.content_hash,
      replaces: row.live_version_id,
      requiredApprovals: draft.policy.requiredApprovals,
      strictReview: draft.policy.strict,
      approvals: counted,
      ...noteOf(counted, draft.isTeam),
      ...lossesInEvent(lost),
      ...requirementsInEvent(draft),
      ...(emergency && {
        emergency: true,
        reason: emergency.reason,
        pastReview: draft.blockers.map(({ code }) => code),
      }),
    };
    const { title } = row.metadata;
    const sentence = `Ratify ${isolated(actor.name)}’s merge of v${state.version} of ${isolated(title)}, which had no review.`;
    const act = { act: 'merge', versionId: row.id, key: params.key, sentence, title } as const;
    const asked = emergency ? [recordEmergency(tx, actor, draft, { ...act, reason: emergency.reason })] : [];
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'draft.merged',
        subject: { type: 'version', id: row.id },
        data,
        context: {
          ...draftContext(draft),
          version: state.version,
          losses: lost.losses,
          reviewers: asksEveryone(lost, draft) ? reviewersOf(draft) : [],
          approvedFor: draft.requirements.map(({ group, name, by }) => ({
            name: group === null ? 'the workflow’s reviewers' : name,
            by: by === null ? null : approverWords(approverIn(draft, by)),
          })),
          owners: draft.named.owners.map(({ id }) => id),
        },
      },
      ...asked,
    ]);
    const version = { ...recordOf(draft, { status: state.state, version: state.version }), approvals };
    return answer({
      version: emergency ? { ...version, emergency: begunEmergency(actor, draft.at, emergency.reason) } : version,
    });
  });

/** For example `Ben for Mara`. */
const approverWords = ({ name, delegate }: ApproverRow): string =>
  delegate ? `${isolated(delegate.name)} for ${isolated(name)}` : name;

/** The note on how a draft went live: the marks of its approvals, or, in a team, that none counted. */
function noteOf(counted: readonly CountedApproval[], isTeam: boolean): { note?: string } {
  if (counted.length === 0) return isTeam ? { note: 'merged without approval' } : {};
  const marks = [...new Set(counted.flatMap((approval) => approval.marks))];
  return marks.length > 0 ? { note: markWords(marks) } : {};
}
