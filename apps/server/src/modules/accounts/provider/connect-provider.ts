import { cookieHeader } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { useTicket } from '../../../http/tickets.ts';
import { auditActor } from '../../../kernel/actor.ts';
import { answer } from '../../../kernel/answer.ts';
import { Refused } from '../../../kernel/refused.ts';
import { appendAudit } from '../../audit/index.ts';
import { arrivalOf } from './come-back-from-provider.ts';
import { COOKIE } from './go-to-provider.ts';
import { connectIdentity } from './identities.sql.ts';

/**
 * Connects the provider identity that arrived in this browser to the signed-in account with the same address. From then
 * on the identity opens the account.
 */
export const connectProvider: Handler<'POST /api/auth/oidc/connect'> = async (deps, { actor, headers }) => {
  const { identityProvider, db } = deps;
  if (!identityProvider) throw new Refused({ code: 'not_found', what: 'identity_provider' });
  const ticket = arrivalOf(deps, headers.cookie);
  // A session under another address has nothing to do with this arrival.
  if (!ticket || ticket.said.email !== actor.email) throw new Refused({ code: 'sign_in_expired' });
  const { issuer, subject, email } = ticket.said;
  const { userId, orgId } = actor;
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const [first, connected] = await Promise.all([
      tx.maybeOne(useTicket, { id: ticket.id, expiresAt: ticket.expiresAt }),
      tx.maybeOne(connectIdentity, { issuer, subject, userId, email }),
    ]);
    if (!first || !connected) throw new Refused({ code: 'sign_in_expired' });
    if (!orgId) return;
    const subjectOf = { type: 'user' as const, id: userId };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'account.provider_connected', subject: subjectOf, data: { provider: issuer } },
    ]);
  });
  return answer(
    { message: `From now on ${identityProvider.label} signs you in.` },
    { 'set-cookie': cookieHeader(deps, COOKIE, '', 0) },
  );
};
