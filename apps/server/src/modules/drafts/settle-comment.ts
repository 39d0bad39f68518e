import type { ContractKey } from '@stet/contract';
import { isOpen } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler, RequestOf } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { presentComment } from './comment.presenter.ts';
import { type CommentRow, findComment, settleComment } from './comments.sql.ts';
import { holdDraft } from './load-draft.ts';

type Settling = Extract<ContractKey, `${string}/comments/{commentId}/${string}`>;

/** Settles a comment of an open draft: whoever may comment may say that it is dealt with. */
export const resolveComment: Handler<'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve'> = (
  deps,
  request,
) => settle(deps, request, 'resolved');

/** Opens a settled comment again. */
export const reopenComment: Handler<'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen'> = (
  deps,
  request,
) => settle(deps, request, 'open');

/** One that is so already stays as it is, with the name of who made it so. */
function settle(
  { db }: Deps,
  { actor, params, once }: RequestOf<Settling>,
  to: 'resolved' | 'open',
): Promise<Answer<ReturnType<typeof presentComment>>> {
  return db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId, name, email } = actor;
    const at = { orgId, draftId: params.id, commentId: params.commentId };
    const [{ row: draft, state }, comment] = await Promise.all([
      holdDraft(tx, actor, params),
      tx.maybeOne(findComment, at),
    ]);
    if (!comment) throw new Refused({ code: 'not_found', what: 'comment' });
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    if ((comment.resolved_at !== null) === (to === 'resolved')) return answer(presentComment(comment));

    const resolved = to === 'resolved';
    const settled: CommentRow = {
      ...comment,
      resolved_at: resolved ? new Date() : null,
      resolved_by: resolved ? { id: userId, name, email } : null,
    };
    tx.write(settleComment, { orgId, id: comment.id, resolvedBy: resolved ? userId : null });
    appendAudit(tx, [
      {
        ...by(actor),
        action: resolved ? 'draft.comment_resolved' : 'draft.comment_reopened',
        subject: { type: 'version', id: draft.id },
        data: { key: params.key, commentId: comment.id, stepId: comment.step_id },
      },
    ]);
    return answer(presentComment(settled));
  });
}
