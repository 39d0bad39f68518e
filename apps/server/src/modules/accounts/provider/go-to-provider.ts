import { z } from 'zod';
import { cookieHeader, redirect } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { sealTicket } from '../../../http/tickets.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { ProviderProblem } from '../../../kernel/identity-provider.ts';

const SCREEN = '/login';
/** For the whole host, so that no neighbouring host can set it. */
export const COOKIE = { name: 'stet_sign_in', path: '/' };
/** So long someone may take at the provider. */
const WAY_MS = 10 * 60_000;

/** What the cookie holds on the way there; the state comes back by the address, and has to be the same. */
export const WAY = 'sign-in on its way';
export const way = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

export type Outcome = 'ready' | 'denied' | 'expired' | 'unverified' | 'unavailable' | 'failed';
/** The one place where a sign-in ends, whoever asked for it: where a person goes on from there, their browser knows. */
export const atLogin = (outcome: Outcome): string => `${SCREEN}?sso=${outcome}`;
export const returnAddress = ({ publicUrl }: Pick<Deps, 'publicUrl'>): string => `${publicUrl}/api/auth/oidc/callback`;

/** What the login page has to offer besides passwords. */
export const describeProvider: Handler<'GET /api/auth/oidc'> = async ({ identityProvider }) =>
  answer({ label: identityProvider?.label ?? null });

/** Sends a browser on to the provider; what comes back from there has to come from the same browser. */
export const goToProvider: Handler<'GET /api/auth/oidc/start'> = async (deps) => {
  const { identityProvider, log } = deps;
  if (!identityProvider) return redirect(SCREEN);
  try {
    const { url, challenge } = await identityProvider.begin(returnAddress(deps));
    return redirect(url, cookieHeader(deps, COOKIE, sealTicket(deps, WAY, challenge, WAY_MS), WAY_MS / 1000));
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    log.warn({ reason: error.message }, 'the identity provider can’t be asked to sign in');
    return redirect(atLogin(error.failure));
  }
};
