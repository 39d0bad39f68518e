import { countedApprovals, submit, withdraw } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { listDelegatesOfReviews } from '../delegations/index.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { touchWorkflow } from '../workflows/index.ts';
import { refuseIncomplete } from './check-content.ts';
import { saveRequirements, saveSummary, setDraftStatus } from './drafts.sql.ts';
import { storedGroups, storedInEvent } from './group-requirements.ts';
import {
  type LoadedDraft,
  delegatesOf,
  draftContext,
  loadLockedDraft,
  reviewersOf,
  workflowReviewersOf,
} from './load-draft.ts';
import { asksEveryone, loadLockedDraftWithLosses, lossesInEvent, requirementsInEvent } from './draft-findings.ts';
import { recordOf } from './record-of.ts';

/**
 * Submits a draft for review. Notifies everyone who can review it. If the requested reviewers suffice, and the draft
 * certainly removes no control and needs no group's approval, notifies only them and the workflow's reviewers.
 * Delegates of the notified reviewers are notified too.
 */
export const submitDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/submit'> = (
  { db, log },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [{ draft, lost }, delegates] = await Promise.all([
      loadLockedDraftWithLosses(log, tx, actor, params),
      listDelegatesOfReviews(tx, { orgId, workflowKey: params.key }),
    ]);
    const { state } = unwrap(submit(draft.state));
    refuseIncomplete(draft.row);
    await refuseUnknownGroups(tx, orgId, draft.row.steps);
    const { id, workflow_id, content_hash } = draft.row;
    const summary = body?.summary || null;
    const asked = checkedReviewers(draft, body?.reviewers ?? []);
    tx.write(saveSummary, { orgId, id, summary, askedReviewers: asked });
    tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
    const stored = storedGroups(draft.requirements);
    if (stored.length > 0) tx.write(saveRequirements, { orgId, id, requirements: JSON.stringify(stored) });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const data = {
      key: params.key,
      contentHash: content_hash,
      summary,
      ...(asked.length > 0 && { askedReviewers: asked }),
      ...lossesInEvent(lost),
      ...requirementsInEvent(draft),
      ...storedInEvent(stored),
    };
    // If the draft removes a control or needs a group's approval, everyone is notified, so that an author can't hide
    // this from reviewers by not requesting them.
    const isEnough = !asksEveryone(lost, draft) && areEnough(draft, asked);
    const reviewers = isEnough ? [...new Set([...asked, ...workflowReviewersOf(draft)])] : reviewersOf(draft);
    const context = {
      ...draftContext(draft),
      reviewers,
      delegates: delegatesOf(reviewers, delegates, draft),
      losses: lost.losses,
      groups: draft.requirements.map(({ name }) => name),
    };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.submitted', subject: { type: 'version', id }, data, context },
    ]);
    return answer({ ...recordOf(draft, { status: state.state }), summary });
  });

/**
 * True if unmarked approvals by these people would be enough. Marked approvals aren't considered, because otherwise the
 * author could request only their own accounts.
 */
function areEnough({ standing, policy, row }: LoadedDraft, asked: readonly string[]): boolean {
  const contentHash = row.content_hash;
  const reviews = asked.map((reviewerId) => ({
    reviewerId,
    verdict: 'approved' as const,
    contentHash,
    dismissed: false,
    byToken: false,
  }));
  const unmarked = countedApprovals({ reviews, contentHash }, standing, policy).filter(
    ({ marks }) => marks.length === 0,
  );
  return unmarked.length >= Math.max(1, policy.requiredApprovals);
}

/** The requested reviewers, each once. Refuses people who can't review the draft. */
function checkedReviewers(draft: LoadedDraft, wanted: readonly string[]): string[] {
  const possible = new Set(reviewersOf(draft));
  if (!wanted.every((id) => possible.has(id))) {
    const problem = 'One of the chosen people can’t review this draft';
    throw new Refused({ code: 'invalid', problems: [{ field: 'reviewers', problem }] });
  }
  return [...new Set(wanted)];
}

export const withdrawDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/withdraw'> = (
  { db },
  { actor, params, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const draft = await loadLockedDraft(tx, actor, params);
    const { state } = unwrap(withdraw(draft.state));
    const { id, workflow_id } = draft.row;
    tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const [data, context] = [{ key: params.key }, draftContext(draft)];
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.withdrawn', subject: { type: 'version', id }, data, context },
    ]);
    return answer(recordOf(draft, { status: state.state }));
  });
