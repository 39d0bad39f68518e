import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import type { ListFilter } from '../model/list-filter.ts';

const PAGE = 48;

/** Workflows that a filter leaves, newest update first, page by page. Saves elsewhere make it stale by its first word. */
export function useWorkflowList(organizationId: string, { q, status }: ListFilter) {
  return useInfiniteQuery({
    queryKey: ['workflows', organizationId, 'list', { q, status }],
    queryFn: async ({ signal, pageParam }) => {
      const query = { q, status: status === 'all' ? '' : status, limit: PAGE, cursor: pageParam };
      const { body, headers } = await apiWithHeaders('GET /api/workflows', { query, signal });
      return { workflows: body, next: headers.get('x-next-cursor') };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // A word typed or a status picked changes the list in place.
    placeholderData: keepPreviousData,
  });
}

export function useWorkflowCounts(organizationId: string) {
  return useQuery({
    queryKey: ['workflows', organizationId, 'counts'],
    queryFn: ({ signal }) => api('GET /api/workflow-counts', { signal }),
    placeholderData: keepPreviousData,
  });
}
