import type { Member } from '@stet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';

const NOBODY: readonly Member[] = [];

/**
 * The members that a comment can mention. They are loaded when the person types `@`; until they arrive, the list is
 * empty.
 */
export function useMentionable(isNaming: boolean): readonly Member[] {
  const { currentOrgId } = useUser();
  const { data } = useQuery({
    queryKey: ['review', 'mentionable', currentOrgId],
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/users', { params: { id: currentOrgId ?? '' }, signal }),
    enabled: isNaming && currentOrgId !== null,
    staleTime: 5 * 60_000,
  });
  return data ?? NOBODY;
}
