import { z } from 'zod';
import { signedIn } from './accounts.ts';
import type { RateLimit, Routes } from './route.ts';
import { HOUR, message } from './shared.ts';

const page = { contentType: 'text/html; charset=utf-8' } as const;
const text = z.string().max(4000).optional();

// The limit is as generous as for passwords, because everyone in an office may sign in at nine from the same address.
const limit = (name: string): RateLimit => ({ name, perAddress: 150, windowSeconds: HOUR / 4 });

/**
 * Signing in with the installation's identity provider (OpenID Connect). Between these calls the browser stores an
 * encrypted cookie that scripts can't read. None of these URLs contains one of our tokens or codes.
 */
export const providerRoutes = {
  'GET /api/auth/oidc': {
    access: 'public',
    summary:
      'Sign-in options: the name of the identity provider (null if there is none), whether passwords are accepted, and who may sign up',
    ok: z.object({
      label: z.string().nullable(),
      /** False if people can sign in only with the identity provider. */
      passwords: z.boolean(),
      signUp: z.enum(['open', 'domains', 'closed']),
      /** Domains whose addresses may sign up if `signUp` is `domains`. */
      domains: z.array(z.string()),
    }),
  },
  'GET /api/auth/oidc/start': {
    access: 'public',
    summary: 'Redirect to the identity provider, or to the login page if none is configured',
    ok: page,
    status: 302,
    rateLimit: limit('oidc-start'),
  },
  'GET /api/auth/oidc/callback': {
    access: 'public',
    summary:
      'Callback for the identity provider; redirects to the login page with `sso=ready`, or with the reason why sign-in failed',
    // Providers add their own parameters, which we have to ignore (RFC 6749, section 4.1.2).
    query: z.looseObject({ code: text, state: text, iss: text, error: text, error_description: text }),
    ok: page,
    status: 302,
    rateLimit: limit('oidc-callback'),
  },
  'POST /api/auth/oidc/session': {
    access: 'public',
    summary: 'Complete the sign-in that the provider confirmed in this browser; works once',
    ok: signedIn,
    rateLimit: limit('oidc-session'),
  },
  'POST /api/auth/oidc/connect': {
    access: 'session',
    summary:
      'Link the identity that the provider confirmed in this browser to the user’s account with the same address',
    ok: message,
    rateLimit: { ...limit('oidc-connect'), perAccount: 15 },
  },
} satisfies Routes;
