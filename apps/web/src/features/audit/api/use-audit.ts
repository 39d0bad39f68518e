import type { AuditEventView, AuditStatus } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders, download } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { periodOf } from '../../../lib/period.ts';
import { eventsQuery } from '../model/audit-filters.ts';
import type { AuditFilters } from '../model/audit-filters.ts';

type Days = { from: string; to: string };
type Page = { events: AuditEventView[]; nextCursor: string | undefined };

const statusKey = (organizationId: string | null, days?: Days) =>
  ['audit', 'status', organizationId, ...(days ? [days] : [])] as const;

/** A page looks through so many events at most; so many pages are looked for what fits before one is asked whether to go on. */
const MOST_EMPTY_PAGES = 10;

/** The trail of the selected organization, newest first, page by page. */
export function useAuditEvents(filters: AuditFilters) {
  const { currentOrgId } = useUser();
  return useInfiniteQuery({
    queryKey: ['audit', 'events', currentOrgId, filters] as const,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      let cursor = pageParam;
      for (let pages = 1; ; pages += 1) {
        const { body, headers } = await apiWithHeaders('GET /api/audit/events', {
          query: eventsQuery(filters, cursor),
          signal,
        });
        cursor = headers.get('x-next-cursor') ?? undefined;
        if (body.length > 0 || cursor === undefined || pages === MOST_EMPTY_PAGES)
          return { events: body, nextCursor: cursor };
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

// While the chain is checked the count should be seen to move.
const CHECKING_MS = 600;
const RESTING_MS = 30_000;

/** How the trail stands, and how many events a period has; asked often while it is being verified. */
export function useAuditStatus(days: Days) {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: statusKey(currentOrgId, days),
    queryFn: ({ signal }) => api('GET /api/audit/status', { query: periodOf(days), signal }),
    refetchInterval: ({ state }) => (state.data?.verification?.state === 'running' ? CHECKING_MS : RESTING_MS),
    placeholderData: keepPreviousData,
  });
}

/** Has the server verify the whole chain. */
export function useVerifyAudit() {
  const queryClient = useQueryClient();
  const { currentOrgId } = useUser();
  return useMutation({
    mutationFn: () => api('POST /api/audit/verify'),
    onSuccess: ({ verification }) => {
      const begun = (status: AuditStatus | undefined) => status && { ...status, verification };
      queryClient.setQueriesData({ queryKey: statusKey(currentOrgId) }, begun);
      return queryClient.invalidateQueries({ queryKey: statusKey(currentOrgId) });
    },
  });
}

type ExportKind = 'pdf' | 'ndjson';

/** Fetches the trail of some days as a file: a document to read, or the data that `stet audit verify` checks. */
export function useExportAudit() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, days }: { kind: ExportKind; days: Days }) => {
      const name = ['audit', days.from, days.to].filter(Boolean).join('-');
      const query = periodOf(days);
      return kind === 'pdf'
        ? download('GET /api/audit/export.pdf', `${name}.pdf`, { query })
        : download('GET /api/audit/export.ndjson', `${name}.ndjson`, { query });
    },
    // An export is an event itself.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['audit'] }),
  });
}

/** Everyone whose events can be asked for by name. */
export function useActors() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: ['audit', 'actors', currentOrgId] as const,
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/users', { params: { id: currentOrgId ?? '' }, signal }),
    enabled: currentOrgId !== null,
    staleTime: 60_000,
    select: (members) =>
      members.map(({ id, name }) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name)),
  });
}
