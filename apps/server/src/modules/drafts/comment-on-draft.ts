import { isOpen } from '@stet/domain/drafts';
import { mentionsIn } from '@stet/domain/notifications';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { mentionablePeople } from '../notifications/reads.ts';
import { findBaseStep, insertComment } from './comments.sql.ts';
import { holdDraft } from './load-draft.ts';
import { tellMentioned } from './tell-of-draft.ts';

/** Comments on an open draft, or on a step that it has or removes; under its lock, so that no one discards it in between. */
export const commentOnDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/comments'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const stepId = body.stepId ?? null;
    const [held, baseStep, people] = await Promise.all([
      holdDraft(tx, actor, params),
      stepId === null ? undefined : tx.maybeOne(findBaseStep, { orgId, draftId: params.id, stepId }),
      mentionablePeople(tx, orgId, body.body),
    ]);
    const { row: draft, state } = held;
    if (!isOpen(state)) throw new Refused({ code: 'already_merged', version: state.version });
    if (stepId !== null && !baseStep && !draft.steps.some((step) => step.id === stepId)) {
      throw new Refused({ code: 'invalid', problems: [{ field: 'stepId', problem: 'is no step of this draft' }] });
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
    const about = draft.steps.find((step) => step.id === stepId)?.title ?? null;
    tellMentioned(tx, actor, held, { userIds: mentions.map((mention) => mention.userId), said: body.body, about });
    appendAudit(tx, [
      {
        ...by(actor),
        action: 'draft.commented',
        subject: { type: 'version', id: draft.id },
        data: { key: params.key, commentId: id, stepId, body: body.body },
      },
    ]);
    const author = { id: userId, name: actor.name, email: actor.email };
    const at = new Date().toISOString();
    return answer({ id, author, body: body.body, stepId, at, mentions, resolvedAt: null, resolvedBy: null });
  });
