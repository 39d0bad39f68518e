import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import type { ListFilter } from '../model/list-filter.ts';

const PAGE = 48;

/**
 * The workflows that match a filter, most recently updated first, in pages. Saves in other features invalidate the list
 * through the first part of its cache key.
 */
export function useWorkflowList(organizationId: string, { q, status, tag }: ListFilter) {
  return useInfiniteQuery({
    queryKey: ['workflows', organizationId, 'list', { q, status, tag }],
    queryFn: async ({ signal, pageParam }) => {
      const narrowed = { q, status: status === 'all' ? '' : status, tag };
      const query = { ...narrowed, limit: PAGE, in: 'text' as const, cursor: pageParam };
      const { body, headers } = await apiWithHeaders('GET /api/workflows', { query, signal });
      return { workflows: body, next: headers.get('x-next-cursor') };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Keep the previous list while the person types or chooses a different status.
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
