import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../api/api.ts';
import { useUser } from './signed-in.ts';

const NAMES_STALE_MS = 5 * 60_000;
/** The end excludes a sentence's punctuation. */
const ADDRESS = /[^\s@,;:()“”]+@[^\s@,;:()“”]*[^\s@,;:()“”.]/g;

export const membersKey = (organizationId: string) => ['organization', organizationId, 'members'] as const;

/** All members of the selected organization. */
export function useMembers(options: { enabled?: boolean; staleTime?: number } = {}) {
  const { currentOrgId } = useUser();
  const id = currentOrgId ?? '';
  return useQuery({
    queryKey: membersKey(id),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/users', { params: { id }, signal }),
    ...options,
    enabled: currentOrgId !== null && options.enabled !== false,
  });
}

/** An assignee as shown: a member's name with their address, or the stored text. */
type Shown = { name: string; address?: string };

/** Shows addresses of members as names. Every other text stays as stored, also while the members load. */
export function usePeople(): { personOf: (assignee: string) => Shown; withNames: (text: string) => string } {
  const { data } = useMembers({ staleTime: NAMES_STALE_MS });
  return useMemo(() => {
    const names = new Map(data?.map(({ email, name }) => [email.toLowerCase(), name]));
    const nameAt = (address: string) => names.get(address.trim().toLowerCase());
    return {
      personOf: (assignee) => {
        const name = nameAt(assignee);
        return name === undefined ? { name: assignee } : { name, address: assignee };
      },
      withNames: (text) => text.replace(ADDRESS, (address) => nameAt(address) ?? address),
    };
  }, [data]);
}
