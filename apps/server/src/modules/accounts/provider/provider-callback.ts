import { timingSafeEqual } from 'node:crypto';
import { email as emailForm, fullName } from '@stet/contract';
import { z } from 'zod';
import { cookieHeader, cookieOf, redirect } from '../../../http/cookies.ts';
import type { Handler, RequestOf } from '../../../http/handler.ts';
import { openTicket, sealTicket, useTicket } from '../../../http/tickets.ts';
import { hashOfToken } from '../../../kernel/derive.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { type Identified, type IdentityProvider, ProviderProblem } from '../../../kernel/identity-provider.ts';
import { COOKIE, SIGN_IN, atLogin, returnAddress, signInState } from './redirect-to-provider.ts';

/** How long a person has to finish the sign-in on the login page, for example by entering a password. */
const ARRIVAL_MS = 10 * 60_000;

/** The purpose of the cookie after the provider has identified the person. The cookie can be used for one sign-in. */
const ARRIVAL = 'sign-in that arrived';
export const arrival = z.object({ issuer: z.string(), subject: z.string(), email: z.string(), name: z.string() });
export type Arrival = z.output<typeof arrival>;

type Came = RequestOf<'GET /api/auth/oidc/callback'>['query'];
/** The query parameters that are passed on. Everything else from the provider is ignored. */
const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'] as const;

/**
 * Accepts the provider's response once, and only from the browser that was sent to the provider. The person isn't
 * signed in yet, because signing in requires a POST.
 */
export const finishProviderSignIn: Handler<'GET /api/auth/oidc/callback'> = async (deps, { query, headers }) => {
  const { identityProvider, log } = deps;
  const sent = openTicket(deps, SIGN_IN, signInState, cookieOf(deps, COOKIE, headers.cookie));
  // A response to a different sign-in doesn't end the sign-in of this browser.
  if (!identityProvider || !sent || !isSame(sent.content.state, query.state ?? '')) return redirect(atLogin('expired'));
  const [first] = await deps.db.query(useTicket, { id: sent.id, expiresAt: sent.expiresAt });
  if (!first) return redirect(atLogin('expired'));
  const forgotten = cookieHeader(deps, COOKIE, '', 0);
  try {
    const who = await identityOf(identityProvider, returnAddress(deps), query, sent.content);
    if (!who) return redirect(atLogin('unverified'), forgotten);
    return redirect(
      atLogin('ready'),
      cookieHeader(deps, COOKIE, sealTicket(deps, ARRIVAL, who, ARRIVAL_MS), ARRIVAL_MS / 1000),
    );
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    log.warn({ reason: error.message }, 'a sign-in through the identity provider failed');
    return redirect(atLogin(error.failure), forgotten);
  }
};

/**
 * Returns the identity from the provider. Null if it has no valid address that the provider has confirmed, because
 * accounts are identified by addresses.
 */
async function identityOf(
  provider: IdentityProvider,
  returnTo: string,
  came: Came,
  challenge: z.output<typeof signInState>,
): Promise<Arrival | null> {
  const parameters = new URLSearchParams();
  for (const name of PARAMETERS) if (came[name] !== undefined) parameters.set(name, came[name]);
  const { issuer, subject, email, isEmailVerified, name } = await provider.finish({ returnTo, parameters, challenge });
  const address = emailForm.safeParse(email ?? '');
  if (!isEmailVerified || !address.success) return null;
  return { issuer, subject, email: address.data, name: nameOf({ name, email: address.data }) };
}

/** The initial name of the account, which the person can change in their profile. */
function nameOf({ name, email }: Pick<Identified, 'name'> & { email: string }): string {
  const asOneLine = (name ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 120);
  const called = fullName.safeParse(asOneLine);
  return called.success ? called.data : email.slice(0, email.indexOf('@')).slice(0, 120);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hashOfToken(one), hashOfToken(other));
}

/** The identity that the provider returned to this browser. Null if there is none or it has expired. */
export const arrivalOf = (deps: Pick<Deps, 'publicUrl' | 'vault'>, cookies: string | undefined) =>
  openTicket(deps, ARRIVAL, arrival, cookieOf(deps, COOKIE, cookies));
