import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { isStatus } from '../api/api-error.ts';
import { decodeToken } from './decode-token.ts';
import type { SignedIn } from './signed-in.ts';

export const ME_KEY = ['me'] as const;

export type Me = { state: 'loading' } | { state: 'unknown' } | ({ state: 'known'; retry: () => void } & SignedIn);

/**
 * Loads the signed-in user. If the server can't be reached or fails, the token's data is used. The API client ends the
 * session on a 401.
 */
export function useMe(token: string): Me {
  const query = useQuery({
    queryKey: ME_KEY,
    queryFn: ({ signal }) => api('GET /api/auth/me', { signal }),
    staleTime: 60_000,
    retry: false,
    // A different organization may have been selected on another device while this window was in the background.
    refetchOnWindowFocus: 'always',
    // Keep retrying after a failure, because only the token's data or older data is known.
    refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : false),
  });
  const retry = () => void query.refetch();
  if (query.data) return { state: 'known', user: query.data, source: 'server', retry };
  if (query.error && !isStatus(query.error, 401)) {
    const user = decodeToken(token);
    return user ? { state: 'known', user, source: 'token', retry } : { state: 'unknown' };
  }
  return { state: 'loading' };
}
