import type { FoundWorkflow } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { useUser } from '../../../lib/session/signed-in.ts';
import { searchQuery } from '../model/docs-filters.ts';
import type { DocsFilters } from '../model/docs-filters.ts';
import { docsKeys } from './docs-keys.ts';

type Page = { workflows: FoundWorkflow[]; nextCursor: string | undefined };

/** The tags that the list can be filtered by. */
export function useTags() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: docsKeys.tags(currentOrgId),
    queryFn: async ({ signal }) => (await api('GET /api/workflow-counts', { signal })).tags,
    meta: liveOn({ subject: 'workflow' }),
  });
}

/** Reads a page of the workflows that match the filters. */
export async function readFoundWorkflows(
  filters: DocsFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const query = searchQuery(filters, cursor);
  const { body, headers } = await apiWithHeaders('GET /api/workflow-search', { query, signal });
  return { workflows: body, nextCursor: headers.get('x-next-cursor') ?? undefined };
}

/** The workflows that match the filters, in pages, with the places where the search text was found. */
export function useFoundWorkflows(filters: DocsFilters) {
  const { currentOrgId } = useUser();
  const refetchInterval = usePolling();
  return useInfiniteQuery({
    queryKey: docsKeys.found(currentOrgId, filters),
    queryFn: ({ pageParam, signal }) => readFoundWorkflows(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    meta: liveOn({ subject: 'workflow' }, { subject: 'version' }),
    refetchInterval,
    // Keep the previous results while the person types.
    placeholderData: keepPreviousData,
  });
}
