import type { OkOf } from '@stet/contract';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';

type SignInOptions = OkOf<'GET /api/auth/oidc'>;
/**
 * Used until the server responds, or if it doesn't. It offers only password sign-in and doesn't restrict sign-up,
 * because the server enforces the rules anyway.
 */
const UNKNOWN: SignInOptions = { label: null, passwords: true, signUp: 'open', domains: [] };

/**
 * The identity provider's name (null without a provider), whether passwords are accepted, and who may sign up.
 * `isKnown` is false until the server has responded or failed to.
 */
export function useSignInOptions(): SignInOptions & { isKnown: boolean } {
  const [ways, setWays] = useState({ ...UNKNOWN, isKnown: false });
  useEffect(() => {
    const abort = new AbortController();
    // If this request fails, people can still sign in with their password.
    api('GET /api/auth/oidc', { anonymous: true, signal: abort.signal }).then(
      (options) => setWays({ ...options, isKnown: true }),
      () => !abort.signal.aborted && setWays({ ...UNKNOWN, isKnown: true }),
    );
    return () => abort.abort();
  }, []);
  return ways;
}
