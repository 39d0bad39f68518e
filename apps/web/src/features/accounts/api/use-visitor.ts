import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { isStatus } from '../../../lib/api/api-error.ts';
import { decodeToken } from '../../../lib/session/decode-token.ts';
import { useToken } from '../../../lib/session/use-token.ts';

/** The visitor of a public page. `asking`: this browser has a token, and the server hasn't responded yet. */
type Visitor = { state: 'asking' } | { state: 'stranger' } | { state: 'signed_in'; name: string; email: string };

/**
 * Returns the visitor. Asks the server once per token. If the request fails, reads the user from the token instead; if
 * the session has expired, the API client ends it.
 */
export function useVisitor(): Visitor {
  const token = useToken();
  const [known, setKnown] = useState<{ token: string; visitor: Visitor } | null>(null);
  useEffect(() => {
    if (token === null) return;
    const abort = new AbortController();
    api('GET /api/auth/me', { signal: abort.signal }).then(
      ({ name, email }) => setKnown({ token, visitor: { state: 'signed_in', name, email } }),
      (error: unknown) => {
        if (abort.signal.aborted || isStatus(error, 401)) return;
        const user = decodeToken(token);
        setKnown({ token, visitor: user ? { state: 'signed_in', ...user } : { state: 'stranger' } });
      },
    );
    return () => abort.abort();
  }, [token]);
  if (token === null) return { state: 'stranger' };
  return known?.token === token ? known.visitor : { state: 'asking' };
}
