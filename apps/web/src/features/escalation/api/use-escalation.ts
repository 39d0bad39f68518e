import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

const escalationKey = (key: string) => ['escalation', key] as const;

export const escalationSchema = async () =>
  (await import('@stet/contract/clocks')).clockRoutes['PATCH /api/workflows/{key}/escalation'].body;

/** The other people who are notified of a breach in runs of a workflow, and the interval of reminders. */
export function useEscalation(key: string) {
  return useQuery({
    queryKey: escalationKey(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/escalation', { params: { key }, signal }),
  });
}

export function useSaveEscalation(key: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'PATCH /api/workflows/{key}/escalation'>) =>
      api('PATCH /api/workflows/{key}/escalation', { params: { key }, body }),
    // If a second owner or admin must confirm a weaker escalation first, the response contains the present one.
    onSuccess: (saved) => {
      queryClient.setQueryData(escalationKey(key), saved);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}
