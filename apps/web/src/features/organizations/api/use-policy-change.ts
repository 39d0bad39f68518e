import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Call } from '../../../lib/api/api.ts';
import { settingsKey } from './use-organization-settings.ts';

const CONFIRM = 'POST /api/organizations/{id}/policy-change/confirm';

/**
 * Confirms the proposal that the person saw, or ends the pending one. If a different proposal is pending by then, the
 * server refuses the confirmation, and that proposal is shown.
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
