import type { Invitation } from '@stet/contract';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../../lib/api/api.ts';
import { errorSentence, isStatus } from '../../../lib/api/api-error.ts';

/** `missing`: there is no valid invitation for the link. `failed`: the request failed for another reason. */
type InvitationState =
  | { state: 'loading' }
  | { state: 'open'; invitation: Invitation }
  | { state: 'missing' }
  | { state: 'failed'; sentence: string };

/** The invitation for a link. The page is public, so it has no query cache. */
export function useInvitation(token: string): InvitationState & { retry: () => void } {
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ of: string; is: InvitationState } | null>(null);
  const asked = `${token} ${attempt}`;
  useEffect(() => {
    const abort = new AbortController();
    const end = (is: InvitationState) => !abort.signal.aborted && setResult({ of: asked, is });
    api('GET /api/invitations/{token}', { params: { token }, anonymous: true, signal: abort.signal }).then(
      (invitation) => end({ state: 'open', invitation }),
      (error: unknown) =>
        end(
          isStatus(error, 404)
            ? { state: 'missing' }
            : { state: 'failed', sentence: errorSentence(error, 'Failed to load invitation') },
        ),
    );
    return () => abort.abort();
  }, [token, asked]);
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  const is: InvitationState = result?.of === asked ? result.is : { state: 'loading' };
  return { ...is, retry };
}
