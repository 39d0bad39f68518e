import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endPersonalTokens } from '../api-tokens/index.ts';
import {
  closeResets,
  endOtherSessions,
  findOpenReset,
  findSelectedOrganization,
  lockUser,
  proveAccount,
  setPassword,
  useReset,
} from './accounts.sql.ts';

/**
 * Sets a new password through a mailed link that works only once. Ends all sessions of the person and revokes their
 * personal API tokens.
 */
export const resetPassword: Handler<'POST /api/auth/reset'> = async (deps, { body }) => {
  const { db, passwords } = deps;
  // The link is looked up first, so that a stranger without one can't make the server hash passwords.
  const [reset] = await db.query(findOpenReset, { tokenHash: hashOfToken(body.token) });
  if (!reset) throw new Refused({ code: 'link_expired' });
  const userId = reset.user_id;
  await passwords.assertGood(body.password, reset.minimum);
  const passwordHash = await passwords.hash(body.password);
  const [selected] = await db.query(findSelectedOrganization, { userId });
  const orgId = selected?.org_id ?? null;

  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const user = await tx.maybeOne(lockUser, { userId });
    const used = user && (await tx.maybeOne(useReset, { id: reset.id }));
    if (!used) throw new Refused({ code: 'link_expired' });
    tx.write(setPassword, { userId, passwordHash });
    tx.write(closeResets, { userId });
    // The link was mailed, so the person who uses it can read the mailbox.
    tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    tx.write(endOtherSessions, { userId, exceptId: null });
    endPersonalTokens(tx, userId, 'password_reset');
    if (!orgId) return;
    const actor = { id: userId, name: user.name, email: user.email, kind: 'user' as const };
    appendAudit(tx, [{ actor, action: 'account.password_reset', subject: { type: 'user', id: userId }, data: {} }]);
  });
  deps.pokeOutbox();
  return answer({
    message:
      'Your password was changed. You are signed out everywhere, and your personal API tokens are revoked. Please log in.',
  });
};
