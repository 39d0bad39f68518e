import { isOpen } from '@stet/domain/drafts';
import { mentionsIn } from '@stet/domain/notifications';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { mentionablePeople } from '../organizations/index.ts';
import { findBaseStep, insertComment } from './comments.sql.ts';
import { draftContext, loadLockedDraft } from './load-draft.ts';

/**
 * Comments on an open draft, or on a step that the draft has or removes. Locks the draft, so that a concurrent request
 * can't discard it.
 */
export const commentOnDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/comments'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const stepId = body.stepId ?? null;
    const [locked, baseStep, people] = await Promise.all([
      loadLockedDraft(tx, actor, params),
      stepId === null ? undefined : tx.maybeOne(findBaseStep, { orgId, draftId: params.id, stepId }),
      mentionablePeople(tx, orgId, body.body),
    ]);
    const { row: draft, state } = locked;
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    if (stepId !== null && !baseStep && !draft.steps.some((step) => step.id === stepId)) {
      throw new Refused({ code: 'invalid', problems: [{ field: 'stepId', problem: 'is not a step of this draft' }] });
    }
    const id = newId();
    const mentions = mentionsIn(body.body, people);
    tx.write(insertComment, {
      orgId,
      id,
      draftId: draft.id,
      authorId: userId,
      body: body.body,
      stepId,
      mentions: JSON.stringify(mentions),
    });
    const comment = { text: body.body, mentions: mentions.map((mention) => mention.userId) };
    const stepTitle = draft.steps.find((step) => step.id === stepId)?.title ?? null;
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'draft.commented',
        subject: { type: 'version', id: draft.id },
        data: { key: params.key, commentId: id, stepId, body: body.body },
        context: { ...draftContext(locked), comment, stepTitle },
      },
    ]);
    const author = { id: userId, name: actor.name, email: actor.email };
    const at = new Date().toISOString();
    return answer({ id, author, body: body.body, stepId, at, mentions, resolvedAt: null, resolvedBy: null });
  });
