import { isOpen } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { insertComment } from './drafts.sql.ts';
import { loadDraft } from './load-draft.ts';

/** Comments on an open draft, or on one of its steps; under its lock, so that no one discards it in between. */
export const commentOnDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/comments'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { row: draft, state } = await loadDraft(tx, { orgId, key: params.key, draftId: params.id }, { lock: true });
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    const stepId = body.stepId ?? null;
    if (stepId !== null && !draft.steps.some((step) => step.id === stepId)) {
      throw new Refused({ code: 'invalid', problems: [{ field: 'stepId', problem: 'is no step of this draft' }] });
    }
    const id = newId();
    tx.write(insertComment, { orgId, id, draftId: draft.id, authorId: userId, body: body.body, stepId });
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'draft.commented',
        subject: { type: 'version', id: draft.id },
        data: { key: params.key, commentId: id, stepId, body: body.body },
      },
    ]);
    const author = { id: userId, name: actor.name, email: actor.email };
    return answer({ id, author, body: body.body, stepId, at: new Date().toISOString() });
  });
