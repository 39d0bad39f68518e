import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { useCan } from '../../../lib/session/signed-in.ts';

type Asked = { organizationId: string; isTeam: boolean; enabled: boolean };

/** Whether there are runs and, in a team, other members. For its managers, also the number of pending invitations. */
export function useSetupProgress({ organizationId, isTeam, enabled }: Asked) {
  const canInvite = useCan('org.manage') && isTeam;
  return useQuery({
    queryKey: ['first-steps', organizationId, canInvite],
    queryFn: async ({ signal }) => {
      const params = { id: organizationId };
      const [runs, members, invitations] = await Promise.all([
        api('GET /api/runs/summary', { signal }),
        isTeam ? api('GET /api/organizations/{id}/users', { params, signal }) : null,
        canInvite ? api('GET /api/organizations/{id}/invitations', { params, signal }) : [],
      ]);
      return {
        hasRuns: runs.total > 0,
        hasColleagues: members && members.length > 1,
        pendingInvitations: invitations.filter(({ expired }) => !expired).length,
      };
    },
    enabled,
    meta: liveOn({ subject: 'run' }),
  });
}
