import { z } from 'zod';
import { cookieHeader, redirect } from '../../../http/cookies.ts';
import type { Handler } from '../../../http/handler.ts';
import { sealTicket } from '../../../http/tickets.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { currentSignUp } from '../may-sign-up.ts';
import { ProviderProblem } from '../../../kernel/identity-provider.ts';

const SCREEN = '/login';
/**
 * The cookie applies to the whole host. This is required for the `__Host-` prefix, which prevents other hosts from
 * setting the cookie.
 */
export const COOKIE = { name: 'stet_sign_in', path: '/' };
/** The maximum time that a person may spend at the provider. */
const SIGN_IN_MS = 10 * 60_000;

/**
 * The purpose of the cookie during a sign-in. The cookie contains the `state` parameter that the provider must return.
 */
export const SIGN_IN = 'sign-in on its way';
export const signInState = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

export type Outcome = 'ready' | 'denied' | 'expired' | 'unverified' | 'unavailable' | 'failed';
/**
 * Every sign-in through the provider returns to the login page. The browser remembers the page that the person wanted
 * to open.
 */
export const atLogin = (outcome: Outcome): string => `${SCREEN}?sso=${outcome}`;
export const returnAddress = ({ publicUrl }: Pick<Deps, 'publicUrl'>): string => `${publicUrl}/api/auth/oidc/callback`;

/** Returns the name of the identity provider for the login page, whether passwords are accepted, and who can sign up. */
export const describeProvider: Handler<'GET /api/auth/oidc'> = async (deps) => {
  const signUp = await currentSignUp(deps);
  return answer({
    label: deps.identityProvider?.label ?? null,
    passwords: deps.config.passwordSignIn,
    signUp: signUp.kind,
    domains: signUp.kind === 'domains' ? [...signUp.domains] : [],
  });
};

/** Redirects the browser to the provider. The response has to come from the same browser. */
export const redirectToProvider: Handler<'GET /api/auth/oidc/start'> = async (deps) => {
  const { identityProvider, log } = deps;
  if (!identityProvider) return redirect(SCREEN);
  try {
    const { url, challenge } = await identityProvider.begin(returnAddress(deps));
    return redirect(
      url,
      cookieHeader(deps, COOKIE, sealTicket(deps, SIGN_IN, challenge, SIGN_IN_MS), SIGN_IN_MS / 1000),
    );
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    log.warn({ reason: error.message }, 'could not start a sign-in through the identity provider');
    return redirect(atLogin(error.failure));
  }
};
