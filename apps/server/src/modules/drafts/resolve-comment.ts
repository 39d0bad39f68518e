import type { ContractKey } from '@stet/contract';
import { isOpen } from '@stet/domain/drafts';
import type { Handler, RequestOf } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { type Answer, answer } from '../../kernel/answer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { presentComment } from './comment.presenter.ts';
import { type CommentRow, findComment, setCommentResolved } from './comments.sql.ts';
import { loadLockedDraft } from './load-draft.ts';

type CommentChange = Extract<ContractKey, `${string}/comments/{commentId}/${string}`>;

/** Resolves a comment on an open draft. Everyone who can comment can do this. */
export const resolveComment: Handler<'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve'> = (
  deps,
  request,
) => setResolved(deps, request, 'resolved');

/** Reopens a resolved comment. */
export const reopenComment: Handler<'POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen'> = (
  deps,
  request,
) => setResolved(deps, request, 'open');

/**
 * Resolves or reopens a comment. If it is already in this state, nothing changes, not even the name of the person who
 * resolved it.
 */
function setResolved(
  { db }: Deps,
  { actor, params, once }: RequestOf<CommentChange>,
  to: 'resolved' | 'open',
): Promise<Answer<ReturnType<typeof presentComment>>> {
  return db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId, name, email } = actor;
    const at = { orgId, draftId: params.id, commentId: params.commentId };
    const [{ row: draft, state }, comment] = await Promise.all([
      loadLockedDraft(tx, actor, params),
      tx.maybeOne(findComment, at),
    ]);
    if (!comment) throw new Refused({ code: 'not_found', what: 'comment' });
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    if ((comment.resolved_at !== null) === (to === 'resolved')) return answer(presentComment(comment));

    const resolved = to === 'resolved';
    const changed: CommentRow = {
      ...comment,
      resolved_at: resolved ? new Date() : null,
      resolved_by: resolved ? { id: userId, name, email } : null,
    };
    tx.write(setCommentResolved, { orgId, id: comment.id, resolvedBy: resolved ? userId : null });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: resolved ? 'draft.comment_resolved' : 'draft.comment_reopened',
        subject: { type: 'version', id: draft.id },
        data: { key: params.key, commentId: comment.id, stepId: comment.step_id },
      },
    ]);
    return answer(presentComment(changed));
  });
}
