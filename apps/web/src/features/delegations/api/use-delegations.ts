import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';

export type DelegationForm = BodyInput<'POST /api/delegations'>;

export const delegationSchema = async () =>
  (await import('@stet/contract/delegations')).delegationRoutes['POST /api/delegations'].body;

const KEY = ['delegations'] as const;

/** The delegations from and to the user that haven't ended, by start. */
export function useDelegations() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: [...KEY, currentOrgId],
    queryFn: ({ signal }) => api('GET /api/delegations', { signal }),
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'delegation' }, { subject: 'user' }),
  });
}

export function useAddDelegation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: DelegationForm) => api('POST /api/delegations', { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

export function useEndDelegation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/delegations/{id}', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}
