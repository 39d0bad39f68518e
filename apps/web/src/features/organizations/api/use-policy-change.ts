import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Call } from '../../../lib/api/api.ts';
import { settingsKey } from './use-organization-settings.ts';

const CONFIRM = 'POST /api/organizations/{id}/policy-change/confirm';

/** Confirms the number that was shown, or ends the proposal; refused where another change waits by now, and then that one is shown. */
export function usePolicyChange(id: string) {
  const queryClient = useQueryClient();
  const key = settingsKey(id);
  const settled = {
    onSuccess: (settings: unknown) => void queryClient.setQueryData(key, settings),
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  };
  const confirm = useMutation({
    mutationFn: (body: Call<typeof CONFIRM>['body']) => api(CONFIRM, { params: { id }, ...(body && { body }) }),
    ...settled,
  });
  const end = useMutation({
    mutationFn: () => api('DELETE /api/organizations/{id}/policy-change', { params: { id } }),
    ...settled,
  });
  return { confirm, end };
}
