import { z } from 'zod';
import { signedIn } from './accounts.ts';
import type { RateLimit, Routes } from './route.ts';
import { HOUR, message } from './shared.ts';

const page = { contentType: 'text/html; charset=utf-8' } as const;
const text = z.string().max(4000).optional();

// As generous as for passwords, because a whole office may sign in from one address at nine.
const limit = (name: string): RateLimit => ({ name, perAddress: 150, windowSeconds: HOUR / 4 });

/**
 * Signing in with the installation's identity provider (OpenID Connect). Between these calls the browser keeps a sealed
 * cookie that scripts can't read. Our URLs never contain a token or code of ours.
 */
export const providerRoutes = {
  'GET /api/auth/oidc': {
    access: 'public',
    summary: 'Sign-in options: the name of the identity provider (null if there is none), and who may sign up',
    ok: z.object({
      label: z.string().nullable(),
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
    // Providers add parameters of their own; we have to ignore them (RFC 6749, section 4.1.2).
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
