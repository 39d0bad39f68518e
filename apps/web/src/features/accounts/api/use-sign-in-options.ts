import type { OkOf } from '@stet/contract';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';

type SignInOptions = OkOf<'GET /api/auth/oidc'>;
/** The default until the server responds: only passwords; the server decides about a sign-up. */
const UNKNOWN: SignInOptions = { label: null, signUp: 'open', domains: [] };

/** The sign-in options: the identity provider's name (null if there is none), and who may sign up. */
export function useSignInOptions(): SignInOptions {
  const [ways, setWays] = useState(UNKNOWN);
  useEffect(() => {
    const abort = new AbortController();
    // Password sign-in works without this response.
    api('GET /api/auth/oidc', { anonymous: true, signal: abort.signal }).then(setWays, () => undefined);
    return () => abort.abort();
  }, []);
  return ways;
}
