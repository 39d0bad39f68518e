import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { appendAudit } from '../audit/index.ts';
import { endSession } from './accounts.sql.ts';

/** Ends the session on all nodes immediately, because each request reads its session. */
export const logOut: Handler<'POST /api/auth/logout'> = async ({ db }, { actor }) => {
  const { userId, sessionId, orgId } = actor;
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    tx.write(endSession, { id: sessionId });
    if (orgId)
      appendAudit(tx, [
        { ...auditActor(actor), action: 'session.signed_out', subject: { type: 'user', id: userId }, data: {} },
      ]);
  });
  return answer({ message: 'Logged out' });
};
