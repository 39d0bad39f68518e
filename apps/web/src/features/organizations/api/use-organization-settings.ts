import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

export const settingsKey = (id: string) => ['organization', id, 'settings'] as const;

/** The selected organization with its policies. */
export function useOrganizationSettings(id: string) {
  return useQuery({
    queryKey: settingsKey(id),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}', { params: { id }, signal }),
  });
}

/** Changes name or policies; the answer takes the place of what is shown, and the top bar learns the name. */
export function useSaveOrganizationSettings(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'PATCH /api/organizations/{id}'>) =>
      api('PATCH /api/organizations/{id}', { params: { id }, body }),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsKey(id), settings);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
      return queryClient.invalidateQueries({ queryKey: ME_KEY });
    },
  });
}
