import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endOwnSession } from './accounts.sql.ts';

/** Ends one of the actor's own sessions. The next request in that session is refused. */
export const endOneSession: Handler<'DELETE /api/users/me/sessions/{id}'> = async ({ db }, { actor, params }) => {
  const { userId, orgId } = actor;
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const ended = await tx.maybeOne(endOwnSession, { id: params.id, userId });
    if (!ended) throw new Refused({ code: 'not_found', what: 'session' });
    const data = { session: params.id };
    if (orgId)
      appendAudit(tx, [
        { ...auditActor(actor), action: 'session.signed_out', subject: { type: 'user', id: userId }, data },
      ]);
  });
  return answer({ message: 'Signed out' });
};
