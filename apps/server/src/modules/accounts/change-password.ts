import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { closeResets, endOtherSessions, findPassword, lockUser, setPassword } from './accounts.sql.ts';

/** Sets another password for whoever knows the current one, and ends their other sessions. */
export const changePassword: Handler<'POST /api/users/me/password'> = async ({ db, passwords }, { actor, body }) => {
  const { userId, sessionId, orgId } = actor;
  const [known] = await db.query(findPassword, { userId });
  const matches = await passwords.verify(known?.password_hash ?? null, body.currentPassword);
  if (!known || !matches) throw new Refused({ code: 'wrong_password' });
  const passwordHash = await passwords.hash(body.password);

  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const user = await tx.maybeOne(lockUser, { userId });
    if (user?.password_hash !== known.password_hash) throw new Refused({ code: 'wrong_password' });
    tx.write(setPassword, { userId, passwordHash });
    tx.write(closeResets, { userId });
    tx.write(endOtherSessions, { userId, exceptId: sessionId });
    if (orgId)
      appendAudit(tx, [
        { ...by(actor), action: 'account.password_changed', subject: { type: 'user', id: userId }, data: {} },
      ]);
  });
  return answer({ message: 'Your password was changed. Other sessions were signed out.' });
};
