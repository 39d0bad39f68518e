import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import type { ListFilter } from '../model/list-filter.ts';

const PAGE = 48;

/** Reads a page of the workflows that match a filter. */
export async function readWorkflows(
  { q, status, tag, sort }: ListFilter,
  { cursor = '', limit = PAGE, signal }: { cursor?: string | undefined; limit?: number; signal: AbortSignal },
) {
  const narrowed = { q, status: status === 'all' ? '' : status, tag, ...(sort !== 'updated' && { sort }) };
  const query = { ...narrowed, limit, in: 'text' as const, cursor };
  const { body, headers } = await apiWithHeaders('GET /api/workflows', { query, signal });
  return { workflows: body, next: headers.get('x-next-cursor') };
}

/**
 * The workflows that match a filter, in pages. Saves in other features invalidate the list through the first part of
 * its cache key.
 */
export function useWorkflowList(organizationId: string, filter: ListFilter) {
  return useInfiniteQuery({
    queryKey: ['workflows', organizationId, 'list', filter],
    queryFn: ({ signal, pageParam }) => readWorkflows(filter, { cursor: pageParam, signal }),
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
