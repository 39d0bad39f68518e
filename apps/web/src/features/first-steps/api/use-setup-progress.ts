import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';

type Asked = { organizationId: string; isTeam: boolean; enabled: boolean };

/** Whether there are any runs and, in a team, other members. */
export function useSetupProgress({ organizationId, isTeam, enabled }: Asked) {
  return useQuery({
    queryKey: ['first-steps', organizationId],
    queryFn: async ({ signal }) => {
      const [runs, members] = await Promise.all([
        api('GET /api/runs/summary', { signal }),
        isTeam ? api('GET /api/organizations/{id}/users', { params: { id: organizationId }, signal }) : null,
      ]);
      return { hasRuns: runs.total > 0, hasColleagues: members && members.length > 1 };
    },
    enabled,
    meta: liveOn({ subject: 'run' }),
  });
}
