import type { WorkingHours } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';

const hoursKey = (id: string) => ['organization', id, 'working-hours'] as const;

/** The working hours for SLAs (null if clocks always run), and proposed hours that a second manager must confirm. */
export function useWorkingHours(id: string) {
  return useQuery({
    queryKey: hoursKey(id),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/working-hours', { params: { id }, signal }),
    meta: liveOn({ subject: 'organization', id }),
  });
}

export const hoursSchema = async () =>
  (await import('@stet/contract/clocks')).clockRoutes['PATCH /api/organizations/{id}/working-hours'].body;

export function useSaveWorkingHours(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (workingHours: WorkingHours | null) =>
      api('PATCH /api/organizations/{id}/working-hours', { params: { id }, body: { workingHours } }),
    // If a second owner or admin must confirm the change first, the response contains the present hours.
    onSuccess: (saved) => {
      queryClient.setQueryData(hoursKey(id), saved);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}
