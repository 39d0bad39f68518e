import { approve, markWords, mayApprove, requestChanges } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { mentionablePeople } from '../notifications/reads.ts';
import { touchWorkflow } from '../workflows/reads.ts';
import { endObjections, insertObjection, insertReview, keepReviewedContent, setDraftStatus } from './drafts.sql.ts';
import { type LoadedDraft, checkRevision, holdDraft } from './load-draft.ts';
import { holdDraftWithLosses, lossesInEvent } from './lost-controls.ts';
import { recordOf } from './record-of.ts';
import { askForReview, tellContributors, tellOthersNamed } from './tell-of-draft.ts';

/** True for a review by a personal API token, which names the revision that was read, and which strict review refuses. */
function checkToken({ token }: OrgActor, { policy }: LoadedDraft, ifMatch: number | null): boolean {
  if (token === null) return false;
  if (policy.strict)
    throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'by_api_token', from: null, who: [] });
  if (ifMatch === null)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'If-Match', problem: 'must name the revision that was read, such as "3"' }],
    });
  return true;
}

/** Approves exactly the content that stands now; a draft that was not submitted is submitted by it (rulings, section 5). */
export const approveDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/approve'> = (
  { db },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [{ draft, losses }, people] = await Promise.all([
      holdDraftWithLosses(tx, actor, params),
      mentionablePeople(tx, orgId, body?.comment ?? ''),
    ]);
    granted(approve(draft.state, { by: userId, at: 0 }));
    checkRevision(draft, ifMatch);
    const byToken = checkToken(actor, draft, ifMatch);
    const counts = granted(mayApprove(userId, draft.standing)).marks;
    const marks = byToken ? [...counts, 'by_api_token' as const] : counts;

    const { id, workflow_id, content_hash } = draft.row;
    const subject = { type: 'version' as const, id };
    const review = {
      reviewerId: userId,
      verdict: 'approved' as const,
      contentHash: content_hash,
      dismissed: false,
      byToken,
    };
    if (draft.state.state === 'draft') tx.write(setDraftStatus, { orgId, id, status: 'in_review', userId });
    tx.write(keepReviewedContent, { orgId, draftId: id });
    tx.write(insertReview, {
      orgId,
      id: newId(),
      draftId: id,
      reviewerId: userId,
      verdict: 'approved',
      comment: body?.comment ?? '',
      contentHash: content_hash,
      byToken,
    });
    tx.write(endObjections, {
      orgId,
      draftId: id,
      contentHash: content_hash,
      reviewerId: userId,
      endedBy: userId,
      because: null,
    });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    // Where this approval is not enough, the others are asked as well.
    if (draft.state.state === 'draft' && draft.policy.requiredApprovals > 1) askForReview(tx, actor, draft, losses);
    const said = body?.comment ? `: ${isolated(body.comment)}` : '.';
    tellContributors(tx, actor, draft, 'draft_approved', `${isolated(actor.name)} has approved this draft${said}`);
    tellOthersNamed(tx, actor, draft, body?.comment ?? '', people);
    const data = {
      key: params.key,
      contentHash: content_hash,
      baseVersionId: draft.row.base_version_id,
      comment: body?.comment ?? null,
      ...(marks.length > 0 && { marks, note: markWords(marks) }),
      ...lossesInEvent(losses),
    };
    appendAudit(tx, [
      ...(draft.state.state === 'draft'
        ? [
            {
              ...by(actor),
              action: 'draft.submitted' as const,
              subject,
              data: { key: params.key, contentHash: content_hash, ...lossesInEvent(losses) },
            },
          ]
        : []),
      { ...by(actor), action: 'draft.approved', subject, data },
    ]);
    return answer(recordOf(draft, { status: 'in_review', reviews: [...draft.reviews, review] }));
  });

/** Sends a draft back to its authors with a comment. */
export const requestChangesOfDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/request-changes'> = (
  { db },
  { actor, params, body, once, ifMatch },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const [draft, people] = await Promise.all([
      holdDraft(tx, actor, params),
      mentionablePeople(tx, orgId, body.comment),
    ]);
    granted(requestChanges(draft.state, body.comment));
    checkRevision(draft, ifMatch);
    const byToken = checkToken(actor, draft, ifMatch);
    // Someone whose approval doesn't count may object; an author has other ways to change the draft.
    const isAuthor = draft.standing.authors.has(userId);
    if (isAuthor) granted(mayApprove(userId, draft.standing));

    const { id, workflow_id, content_hash } = draft.row;
    const review = {
      reviewerId: userId,
      verdict: 'changes_requested' as const,
      contentHash: content_hash,
      dismissed: false,
      byToken,
    };
    tx.write(setDraftStatus, { orgId, id, status: 'draft', userId });
    tx.write(keepReviewedContent, { orgId, draftId: id });
    tx.write(insertReview, {
      orgId,
      id: newId(),
      draftId: id,
      reviewerId: userId,
      verdict: 'changes_requested',
      comment: body.comment,
      contentHash: content_hash,
      byToken,
    });
    const objection = { draftId: id, contentHash: content_hash, reviewerId: userId };
    tx.write(endObjections, { orgId, ...objection, endedBy: userId, because: null });
    tx.write(insertObjection, { orgId, id: newId(), ...objection, comment: body.comment });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const sentence = `${isolated(actor.name)} has requested changes: ${isolated(body.comment)}`;
    tellContributors(tx, actor, draft, 'draft_changes_requested', sentence);
    tellOthersNamed(tx, actor, draft, body.comment, people);
    const data = { key: params.key, contentHash: content_hash, comment: body.comment };
    appendAudit(tx, [{ ...by(actor), action: 'draft.changes_requested', subject: { type: 'version', id }, data }]);
    return answer(recordOf(draft, { status: 'draft', reviews: [...draft.reviews, review] }));
  });
