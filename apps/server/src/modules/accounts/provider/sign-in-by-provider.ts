import { randomBytes } from 'node:crypto';
import { appendAudit } from '../../../db/append-audit.ts';
import { cookieHeader } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { type Ticket, useTicket } from '../../../http/tickets.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Tx } from '../../../kernel/database.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refused } from '../../../kernel/refused.ts';
import { endPersonalTokens } from '../../api-tokens/reads.ts';
import {
  closeResets,
  endOtherSessions,
  findSelectedOrganization,
  lockUser,
  proveAccount,
  setPassword,
} from '../accounts.sql.ts';
import { makeAccount } from '../new-account.ts';
import { openSession, signedIn } from '../open-session.ts';
import { type Arrival, arrivalOf } from './come-back-from-provider.ts';
import { COOKIE } from './go-to-provider.ts';
import { connectIdentity, findByIdentity } from './identities.sql.ts';

/** Signs in who has arrived in this browser, once: into the account that they are connected to, or a new one. */
export const signInByProvider: Handler<'POST /api/auth/oidc/session'> = async (deps, { headers, userAgent }) => {
  if (!deps.identityProvider) throw new Refused({ code: 'not_found', what: 'identity_provider' });
  const ticket = arrivalOf(deps, headers.cookie);
  if (!ticket) throw new Refused({ code: 'sign_in_expired' });
  const enter = () => enterAccount(deps, ticket, userAgent);
  const sessionId = await enter().catch((error: unknown) => {
    // Someone made the account at the same moment: it is there now.
    if (error instanceof Refused && error.refusal.code === 'email_taken') return enter();
    throw error;
  });
  deps.pokeOutbox();
  return answer(await signedIn(deps, sessionId), { 'set-cookie': cookieHeader(deps, COOKIE, '', 0) });
};

async function enterAccount(deps: Deps, ticket: Ticket<Arrival>, userAgent: string): Promise<string> {
  const { issuer, subject, email } = ticket.said;
  const [found] = await deps.db.query(findByIdentity, { issuer, subject, email });
  if (!found) return signUpByProvider(deps, ticket, userAgent);
  const { id: userId } = found;
  if (!found.connected && (deps.config.oidc?.linkByEmail !== true || found.taken))
    throw new Refused({ code: 'account_to_connect', email });

  // Nobody else has proven yet that the address is theirs: a password could be that of whoever typed it in first.
  const passwordHash = found.connected ? null : await unusablePassword(deps);
  const [selected] = await deps.db.query(findSelectedOrganization, { userId });
  const orgId = selected?.org_id ?? null;
  return deps.db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    await spend(tx, ticket);
    if (passwordHash !== null) await takeOver(tx, { userId, passwordHash, arrival: ticket.said });
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
  const { issuer, subject, email, name } = ticket.said;
  const userId = newId();
  const orgId = newId();
  const organization = { id: orgId, name, type: 'individual' as const, slug: null };
  const passwordHash = await unusablePassword(deps);
  const told = { provider: issuer };
  return deps.db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    await spend(tx, ticket);
    const account = { userId, email, name, role: 'editor' as const, passwordHash, organization, userAgent, told };
    const sessionId = makeAccount(deps, tx, account);
    // After the account, to which it leads; who came by another way at the same moment has it already.
    tx.write(connectIdentity, { issuer, subject, userId, email });
    return sessionId;
  });
}

/** Whoever shows it second comes too late, on every node. */
async function spend(tx: Tx, { id, expiresAt }: Ticket<Arrival>): Promise<void> {
  const first = await tx.maybeOne(useTicket, { id, expiresAt });
  if (!first) throw new Refused({ code: 'sign_in_expired' });
}

/** Makes the account theirs alone: what anyone else may have of it ends. */
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

/** One that nobody knows; a mailed link sets another. */
const unusablePassword = ({ passwords }: Pick<Deps, 'passwords'>): Promise<string> =>
  passwords.hash(randomBytes(32).toString('base64url'));
