import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';

const routesKey = (id: string) => ['organization', id, 'routes'] as const;

/**
 * The routes (which groups have to approve which changes), and proposed routes that a second manager must confirm.
 */
export function useReviewRoutes(id: string) {
  return useQuery({
    queryKey: routesKey(id),
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/routes', { params: { id }, signal }),
    meta: liveOn({ subject: 'organization', id }),
  });
}

export function useSaveReviewRoutes(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'PATCH /api/organizations/{id}/routes'>) =>
      api('PATCH /api/organizations/{id}/routes', { params: { id }, body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(routesKey(id), saved);
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}
