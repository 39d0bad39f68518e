import { cookieHeader } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { useTicket } from '../../../http/tickets.ts';
import { auditActor } from '../../../kernel/actor.ts';
import { answer } from '../../../kernel/answer.ts';
import { Refused } from '../../../kernel/refused.ts';
import { appendAudit } from '../../audit/index.ts';
import { arrivalOf } from './provider-callback.ts';
import { COOKIE } from './redirect-to-provider.ts';
import { connectIdentity } from './identities.sql.ts';

/**
 * Connects the identity that the provider returned to this browser to the signed-in account, if both have the same
 * address. The person can then sign in to the account with that identity.
 */
export const connectProvider: Handler<'POST /api/auth/oidc/connect'> = async (deps, { actor, headers }) => {
  const { identityProvider, db } = deps;
  if (!identityProvider) throw new Refused({ code: 'not_found', what: 'identity_provider' });
  const ticket = arrivalOf(deps, headers.cookie);
  // If the addresses differ, the identity may belong to someone else.
  if (!ticket || ticket.content.email !== actor.email) throw new Refused({ code: 'sign_in_expired' });
  const { issuer, subject, email } = ticket.content;
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
    { message: `You can now sign in with ${identityProvider.label}.` },
    { 'set-cookie': cookieHeader(deps, COOKIE, '', 0) },
  );
};
