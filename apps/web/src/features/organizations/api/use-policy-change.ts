import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Call } from '../../../lib/api/api.ts';
import { settingsKey } from './use-organization-settings.ts';

const CONFIRM = 'POST /api/organizations/{id}/policy-change/confirm';

/**
 * Confirms or ends the proposal with this number. If another proposal is pending by now, the server refuses, and that
 * proposal is shown.
 */
export function usePolicyChange(id: string) {
  const queryClient = useQueryClient();
  const key = settingsKey(id);
  const handlers = {
    onSuccess: (settings: unknown) => void queryClient.setQueryData(key, settings),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  };
  const confirm = useMutation({
    mutationFn: (body: Call<typeof CONFIRM>['body']) => api(CONFIRM, { params: { id }, ...(body && { body }) }),
    ...handlers,
  });
  const end = useMutation({
    mutationFn: () => api('DELETE /api/organizations/{id}/policy-change', { params: { id } }),
    ...handlers,
  });
  return { confirm, end };
}
