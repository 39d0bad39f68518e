import type { RunSummary } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useUser } from '../../../lib/session/signed-in.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { runsQuery } from '../model/run-filters.ts';
import type { RunFilters } from '../model/run-filters.ts';
import { runKeys } from './run-keys.ts';

/**
 * A run with the time when it was loaded, by this browser's clock in milliseconds. Running clocks are advanced from
 * that time.
 */
export type ListedRun = RunSummary & { loadedAt: number };
type Page = { runs: ListedRun[]; nextCursor: string | undefined };

/** The selected organization's runs, in pages. They are updated live. */
export function useRuns(filters: RunFilters) {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: runKeys.list(currentOrgId, filters),
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const { body, headers } = await apiWithHeaders('GET /api/runs', { query: runsQuery(filters, pageParam), signal });
      const loadedAt = Date.now();
      return { runs: body.map((run) => ({ ...run, loadedAt })), nextCursor: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'run' }),
    // Keep the previous runs while the person types.
    placeholderData: keepPreviousData,
  });
}

/** The number of the organization's runs, ignoring filters. */
export function useRunCount() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: runKeys.count(currentOrgId),
    queryFn: ({ signal }) => api('GET /api/runs/summary', { signal }),
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'run' }),
  });
}

/** The key, title and live version of each workflow for the filter, sorted by title. */
export function useWorkflowChoices() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: runKeys.workflows(currentOrgId),
    queryFn: ({ signal }) => api('GET /api/workflows', { signal }),
    staleTime: 60_000,
    select: (workflows) =>
      workflows
        .map(({ key, metadata, version }) => ({ key, title: metadata.title || key, version: version?.number ?? null }))
        .sort((one, other) => one.title.localeCompare(other.title)),
  });
}
