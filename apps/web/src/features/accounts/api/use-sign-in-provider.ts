import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';

/** What the provider of this installation is called; null where it has none, and until that is known. */
export function useSignInProvider(): string | null {
  const [label, setLabel] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    api('GET /api/auth/oidc', { anonymous: true, signal: abort.signal }).then(
      (provider) => setLabel(provider.label),
      // Passwords go on without it.
      () => undefined,
    );
    return () => abort.abort();
  }, []);
  return label;
}
