import type { AuditEventView, AuditStatus } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders, download } from '../../../lib/api/api.ts';
import { browserDateForm } from '../../../lib/format/languages.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { periodOf } from '../../../lib/period.ts';
import { useStoppable } from '../../../lib/use-stoppable.ts';
import { eventsQuery } from '../model/audit-filters.ts';
import type { AuditFilters } from '../model/audit-filters.ts';

type Days = { from: string; to: string };
type Page = { events: AuditEventView[]; nextCursor: string | undefined };

const statusKey = (organizationId: string | null, days?: Days) =>
  ['audit', 'status', organizationId, ...(days ? [days] : [])] as const;

/** The maximum number of pages without a match that are searched before the person has to ask for older events. */
const MAX_EMPTY_PAGES = 10;

/** The audit trail of the selected organization, newest events first, in pages. */
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
        if (body.length > 0 || cursor === undefined || pages === MAX_EMPTY_PAGES)
          return { events: body, nextCursor: cursor };
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

// The status is refetched often during a verification, so that its progress is visible.
const CHECKING_MS = 600;
const RESTING_MS = 30_000;

/** The audit trail's state and the number of events in a period. */
export function useAuditStatus(days: Days) {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: statusKey(currentOrgId, days),
    queryFn: ({ signal }) => api('GET /api/audit/status', { query: periodOf(days), signal }),
    refetchInterval: ({ state }) => (state.data?.verification?.state === 'running' ? CHECKING_MS : RESTING_MS),
    placeholderData: keepPreviousData,
  });
}

/** Starts a verification of the whole chain on the server. */
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

/**
 * Downloads the events of a range of days as a bundle for `stet audit verify`, or a PDF about the runs that started in
 * it.
 */
export function useExportAudit() {
  const queryClient = useQueryClient();
  return useStoppable({
    run: ({ kind, days }: { kind: ExportKind; days: Days }, signal) => {
      const name = ['audit', days.from, days.to].filter(Boolean).join('-');
      const query = periodOf(days);
      return kind === 'pdf'
        ? download('GET /api/audit/export.pdf', `${name}.pdf`, { query: { ...query, ...browserDateForm() }, signal })
        : download('GET /api/audit/export.ndjson', `${name}.ndjson`, { query, signal });
    },
    // The server adds an event to the trail before it sends the file, so a stopped export may have added one too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['audit'] }),
  });
}
