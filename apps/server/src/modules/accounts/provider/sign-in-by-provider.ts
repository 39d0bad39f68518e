import { randomBytes } from 'node:crypto';
import { cookieHeader } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { type Ticket, useTicket } from '../../../http/tickets.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Tx } from '../../../kernel/database.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refused } from '../../../kernel/refused.ts';
import { appendAudit } from '../../audit/index.ts';
import { endPersonalTokens } from '../../api-tokens/index.ts';
import {
  closeResets,
  endOtherSessions,
  findSelectedOrganization,
  isInvited,
  lockUser,
  proveAccount,
  setPassword,
} from '../accounts.sql.ts';
import { assertMaySignUp, assertStillMaySignUp } from '../may-sign-up.ts';
import { makeAccount } from '../new-account.ts';
import { openSession, signedIn } from '../open-session.ts';
import { type Arrival, arrivalOf } from './provider-callback.ts';
import { COOKIE } from './redirect-to-provider.ts';
import { connectIdentity, findByIdentity, insertIdentity } from './identities.sql.ts';

/**
 * Signs in with the identity that the provider returned to this browser: to the account that is connected to it, to an
 * existing account with the same address if linking is on, or to a new account. Refuses with `account_to_connect` if an
 * account with this address isn't connected and linking is off, or another identity of the provider is connected to it.
 * Each response of the provider can be used only once.
 */
export const signInByProvider: Handler<'POST /api/auth/oidc/session'> = async (deps, { headers, userAgent }) => {
  if (!deps.identityProvider) throw new Refused({ code: 'not_found', what: 'identity_provider' });
  const ticket = arrivalOf(deps, headers.cookie);
  if (!ticket) throw new Refused({ code: 'sign_in_expired' });
  const enter = () => enterAccount(deps, ticket, userAgent);
  const sessionId = await enter().catch((error: unknown) => {
    // If a concurrent request has just created the account or connected the identity, the second attempt finds it. A
    // response that was used before is refused again.
    if (error instanceof Refused && ['email_taken', 'sign_in_expired'].includes(error.refusal.code)) return enter();
    throw error;
  });
  deps.pokeOutbox();
  return answer(await signedIn(deps, sessionId), { 'set-cookie': cookieHeader(deps, COOKIE, '', 0) });
};

async function enterAccount(deps: Deps, ticket: Ticket<Arrival>, userAgent: string): Promise<string> {
  const { issuer, subject, email } = ticket.content;
  const [found] = await deps.db.query(findByIdentity, { issuer, subject, email });
  if (!found) return signUpByProvider(deps, ticket, userAgent);
  const { id: userId } = found;
  if (!found.connected && (deps.config.oidc?.linkByEmail !== true || found.taken))
    throw new Refused({ code: 'account_to_connect', email });

  // If the account wasn't connected to this identity before, a stranger may have set its password.
  const passwordHash = found.connected ? null : await unusablePassword(deps);
  const [selected] = await deps.db.query(findSelectedOrganization, { userId });
  const orgId = selected?.org_id ?? null;
  return deps.db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    await spend(tx, ticket);
    if (passwordHash !== null) await takeOver(tx, { userId, passwordHash, arrival: ticket.content });
    const sessionId = openSession(deps, tx, userId, userAgent);
    tx.write(proveAccount, { userId, provedBy: 'provider' });
    if (!orgId) return sessionId;
    const by = { actor: { id: userId, name: found.name, email: found.email, kind: 'user' as const }, sessionId };
    const about = { ...by, subject: { type: 'user' as const, id: userId }, data: { provider: issuer } };
    appendAudit(tx, [
      ...(passwordHash === null ? [] : [{ ...about, action: 'account.provider_connected' as const }]),
      { ...about, action: 'session.signed_in' as const },
    ]);
    return sessionId;
  });
}

async function signUpByProvider(deps: Deps, ticket: Ticket<Arrival>, userAgent: string): Promise<string> {
  const { issuer, subject, email, name } = ticket.content;
  // The provider confirms the address, so an invitation to the address is for this person.
  const [found] = await deps.db.query(isInvited, { email });
  const isInvitedPerson = found?.is_invited === true;
  if (!isInvitedPerson) await assertMaySignUp(deps, email);
  const userId = newId();
  const orgId = newId();
  const organization = { id: orgId, name, type: 'individual' as const, slug: null };
  const passwordHash = await unusablePassword(deps);
  const origin = { provider: issuer };
  return deps.db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    await spend(tx, ticket);
    if (!isInvitedPerson) await assertStillMaySignUp(deps, tx, email);
    const account = { userId, email, name, role: 'editor' as const, passwordHash, organization, userAgent, origin };
    const sessionId = makeAccount(deps, tx, account);
    // The identity refers to the account, so it is written afterwards. If a concurrent sign-up has already connected it
    // to another account, nothing is saved.
    tx.write(insertIdentity, { issuer, subject, userId, email });
    return sessionId;
  });
}

/** Marks a response of the provider as used. Refuses one that was used before, on any node. */
async function spend(tx: Tx, { id, expiresAt }: Ticket<Arrival>): Promise<void> {
  const first = await tx.maybeOne(useTicket, { id, expiresAt });
  if (!first) throw new Refused({ code: 'sign_in_expired' });
}

/**
 * Connects the identity to the account. Invalidates its password and mailed links, and ends all its sessions and
 * personal API tokens.
 */
async function takeOver(
  tx: Tx,
  { userId, passwordHash, arrival }: { userId: string; passwordHash: string; arrival: Arrival },
): Promise<void> {
  const { issuer, subject, email } = arrival;
  await tx.maybeOne(lockUser, { userId });
  const connected = await tx.maybeOne(connectIdentity, { issuer, subject, userId, email });
  if (!connected) throw new Refused({ code: 'sign_in_expired' });
  tx.write(setPassword, { userId, passwordHash });
  tx.write(closeResets, { userId });
  tx.write(endOtherSessions, { userId, exceptId: null });
  endPersonalTokens(tx, userId, 'provider_connected');
}

/** A random password that nobody knows. The person can set another one through a mailed link. */
const unusablePassword = ({ passwords }: Pick<Deps, 'passwords'>): Promise<string> =>
  passwords.hash(randomBytes(32).toString('base64url'));
