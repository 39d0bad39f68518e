import type { Group } from '@stet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { liveOn } from '../events/live-on.ts';
import { usePolling } from '../events/live-updates.tsx';
import { useUser } from './signed-in.ts';

export const GROUPS_KEY = ['groups'] as const;

export const groupsQuery = (organizationId: string | null) => ({
  queryKey: [...GROUPS_KEY, organizationId],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Group[]> => api('GET /api/groups', { signal }),
  // The members of a group change when someone leaves the organization.
  meta: liveOn({ subject: 'group' }, { subject: 'user' }),
});

/** All groups of the selected organization, by name. */
export function useGroups() {
  const { currentOrgId } = useUser();
  const refetchInterval = usePolling();
  return useQuery({ ...groupsQuery(currentOrgId), enabled: currentOrgId !== null, refetchInterval });
}
