import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { findDraft, insertComment } from './drafts.sql.ts';

/** Comments on a draft, or on one of its steps. */
export const commentOnDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/comments'> = ({ db }, { actor, params, body, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const draft = await tx.maybeOne(findDraft, { orgId, key: params.key, draftId: params.id });
    if (!draft) throw new Refused({ code: 'not_found', what: 'draft' });
    const stepId = body.stepId ?? null;
    if (stepId !== null && !draft.steps.some((step) => step.id === stepId)) {
      throw new Refused({ code: 'invalid', problems: [{ field: 'stepId', problem: 'is no step of this draft' }] });
    }
    const id = newId();
    tx.write(insertComment, { orgId, id, draftId: draft.id, authorId: userId, body: body.body, stepId });
    appendAudit(tx, [
      { ...by(actor), action: 'draft.commented', subject: { type: 'version', id: draft.id }, data: { key: params.key, commentId: id, stepId, body: body.body } },
    ]);
    const author = { id: userId, name: actor.name, email: actor.email };
    return answer({ id, author, body: body.body, stepId, at: new Date().toISOString() });
  });
