import type { WorkingHours } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';

const hoursKey = (id: string) => ['organization', id, 'working-hours'] as const;

/** The working hours that SLAs are counted in; null for the clock on the wall. */
export function useWorkingHours(id: string) {
  return useQuery({
    queryKey: hoursKey(id),
    queryFn: async ({ signal }) =>
      (await api('GET /api/organizations/{id}/working-hours', { params: { id }, signal })).workingHours,
    meta: liveOn({ subject: 'organization', id }),
  });
}

export function useSaveWorkingHours(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (workingHours: WorkingHours | null) =>
      (await api('PATCH /api/organizations/{id}/working-hours', { params: { id }, body: { workingHours } }))
        .workingHours,
    // What loosens a clock isn't saved: it waits for a second owner or admin.
    onSuccess: (saved) => {
      queryClient.setQueryData(hoursKey(id), saved);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}
