import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endPersonalTokens } from '../api-tokens/index.ts';
import { closeResets, endOtherSessions, findPassword, lockUser, setPassword } from './accounts.sql.ts';

/**
 * Changes the actor's password, which requires the current one. Ends their other sessions, invalidates mailed links for
 * a new password or address and, on request, revokes their personal API tokens.
 */
export const changePassword: Handler<'POST /api/users/me/password'> = async (deps, { actor, body }) => {
  const { db, passwords } = deps;
  const { userId, sessionId, orgId } = actor;
  const [known] = await db.query(findPassword, { userId });
  const matches = await passwords.verify(known?.password_hash ?? null, body.currentPassword);
  if (!known || !matches) throw new Refused({ code: 'wrong_password' });
  await passwords.assertGood(body.password, known.minimum);
  const passwordHash = await passwords.hash(body.password);

  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const user = await tx.maybeOne(lockUser, { userId });
    if (user?.password_hash !== known.password_hash) throw new Refused({ code: 'wrong_password' });
    tx.write(setPassword, { userId, passwordHash });
    tx.write(closeResets, { userId });
    tx.write(endOtherSessions, { userId, exceptId: sessionId });
    if (body.endTokens) endPersonalTokens(tx, userId, 'password_changed');
    if (orgId)
      appendAudit(tx, [
        { ...auditActor(actor), action: 'account.password_changed', subject: { type: 'user', id: userId }, data: {} },
      ]);
  });
  if (!body.endTokens) return answer({ message: 'Your password was changed. Other sessions were signed out.' });
  deps.pokeOutbox();
  return answer({
    message: 'Your password was changed. Other sessions were signed out, and your personal API tokens are revoked.',
  });
};
