import { z } from 'zod';
import { signedIn } from './accounts.ts';
import type { RateLimit, Routes } from './route.ts';
import { HOUR, message } from './shared.ts';

const page = { contentType: 'text/html; charset=utf-8' } as const;
const text = z.string().max(4000).optional();

// As generous as for passwords: a whole office signs in from one address at nine.
const limit = (name: string): RateLimit => ({ name, perAddress: 150, windowSeconds: HOUR / 4 });

/**
 * Signing in by the identity provider of this installation, by OpenID Connect. What a browser carries between these calls is
 * a sealed cookie of its own, which no script reads; no token and no code of ours is ever part of an address.
 */
export const providerRoutes = {
  'GET /api/auth/oidc': {
    access: 'public',
    summary: 'What the identity provider of this installation is called; null where it has none',
    ok: z.object({ label: z.string().nullable() }),
  },
  'GET /api/auth/oidc/start': {
    access: 'public',
    summary: 'Go to the identity provider and sign in there; to the login page where this installation has none',
    ok: page,
    status: 302,
    rateLimit: limit('oidc-start'),
  },
  'GET /api/auth/oidc/callback': {
    access: 'public',
    summary:
      'Where the provider sends the browser back to; goes on to the login page with `sso=ready`, or with what came of it',
    // Providers add parameters of their own, which are to be ignored (RFC 6749, section 4.1.2).
    query: z.looseObject({ code: text, state: text, iss: text, error: text, error_description: text }),
    ok: page,
    status: 302,
    rateLimit: limit('oidc-callback'),
  },
  'POST /api/auth/oidc/session': {
    access: 'public',
    summary: 'Sign in who came back from the provider in this browser, once',
    ok: signedIn,
    rateLimit: limit('oidc-session'),
  },
  'POST /api/auth/oidc/connect': {
    access: 'session',
    summary: 'Connect who came back from the provider in this browser to one’s account of the same address',
    ok: message,
    rateLimit: { ...limit('oidc-connect'), perAccount: 15 },
  },
} satisfies Routes;
