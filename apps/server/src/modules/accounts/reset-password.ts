import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { hashOfToken } from '../../kernel/derive.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endPersonalTokens } from '../api-tokens/index.ts';
import { assertFreeAddress, changeEmail } from './change-email.ts';
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
 * personal API tokens. If the link was mailed to a new address, also proves that address and makes it the address of
 * the account.
 */
export const resetPassword: Handler<'POST /api/auth/reset'> = async (deps, { body }) => {
  const { db, passwords } = deps;
  // The link is looked up first, so that people without a link can't make the server hash passwords.
  const [reset] = await db.query(findOpenReset, { tokenHash: hashOfToken(body.token) });
  if (!reset) throw new Refused({ code: 'link_expired' });
  const { user_id: userId, new_email: newEmail } = reset;
  await passwords.assertGood(body.password, reset.minimum);
  const passwordHash = await passwords.hash(body.password);
  const [selected] = await db.query(findSelectedOrganization, { userId });
  const orgId = selected?.org_id ?? null;

  const hasTenant = orgId !== null && newEmail === null;
  await db.transaction(hasTenant ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    if (newEmail !== null) await assertFreeAddress(tx, { userId, email: newEmail });
    const user = await tx.maybeOne(lockUser, { userId });
    const used = user && (await tx.maybeOne(useReset, { id: reset.id }));
    if (!used) throw new Refused({ code: 'link_expired' });
    tx.write(setPassword, { userId, passwordHash });
    tx.write(closeResets, { userId });
    // The link was mailed, so using it proves that the person can read the mailbox.
    if (newEmail === null) tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    tx.write(endOtherSessions, { userId, exceptId: null });
    endPersonalTokens(tx, userId, 'password_reset');
    const person = { id: userId, name: user.name, email: user.email };
    if (newEmail !== null) return changeEmail(tx, person, newEmail);
    if (!hasTenant) return;
    const actor = { ...person, kind: 'user' as const };
    appendAudit(tx, [{ actor, action: 'account.password_reset', subject: { type: 'user', id: userId }, data: {} }]);
  });
  deps.pokeOutbox();
  const done = newEmail === null ? 'Your password was changed.' : `Your address is now ${newEmail}.`;
  return answer({
    message: `${done} You are signed out everywhere, and your personal API tokens are revoked. Please log in.`,
  });
};
