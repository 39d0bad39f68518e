import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { ME_KEY } from '../../../lib/session/use-me.ts';

export const settingsKey = (id: string) => ['organization', id, 'settings'] as const;

export const settingsSchema = async () =>
  (await import('@stet/contract/profile')).profileRoutes['PATCH /api/organizations/{id}'].body;

export function useOrganizationSettings(id: string) {
  return useQuery({
    queryKey: settingsKey(id),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}', { params: { id }, signal }),
    enabled: id !== '',
  });
}

/** Changes the name or policies. Shows the settings in the response, and refetches the name in the top bar. */
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
