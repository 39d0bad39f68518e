import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { useCan, useUser } from '../../../lib/session/signed-in.ts';

const CONFIRMATIONS_KEY = ['confirmations'] as const;

/**
 * The changes in the selected organization that a second person must confirm. People who can't manage the organization
 * see only those that they proposed.
 */
export function useConfirmations() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: [...CONFIRMATIONS_KEY, currentOrgId],
    queryFn: ({ signal }) => api('GET /api/confirmations', { signal }),
    enabled: useCan('draft.merge') && currentOrgId !== null,
    meta: liveOn({ subject: 'organization' }, { subject: 'user' }, { subject: 'version' }),
  });
}

export type Decision = { id: string; to: 'confirm' } | { id: string; to: 'refuse'; reason?: string };

/** Confirms or refuses a proposal. If the proposer refuses it, it is withdrawn. */
export function useDecide() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => {
      const params = { id: decision.id };
      if (decision.to === 'confirm') return api('POST /api/confirmations/{id}/confirm', { params });
      const body = decision.reason ? { reason: decision.reason } : {};
      return api('POST /api/confirmations/{id}/refuse', { params, body });
    },
    // The server may also refuse because the list is outdated. A confirmation can change members, settings or versions,
    // so refetch all of them.
    onSettled: () => {
      for (const queryKey of [
        CONFIRMATIONS_KEY,
        ['organization'],
        ['workflows'],
        ['workflow'],
        ['escalation'],
        ['workflow-people'],
        ['groups'],
        ['me'],
      ])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}
