import type { OkOf } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiWithHeaders, download } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { type Shown, periodQuery } from '../model/shown.ts';

/**
 * How long figures count as fresh, in milliseconds. The server updates them every few seconds, but figures about whole
 * weeks change slowly.
 */
const FRESH_MS = 30_000;

const ofVersion = ({ version }: Shown) => (version === '' ? {} : { version: Number(version) });

export function useWorkflowInsights(shown: Shown) {
  const { currentOrgId } = useUser();
  const { workflow, version, weeks } = shown;
  return useQuery({
    queryKey: ['insights', currentOrgId, workflow, version, weeks],
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/insights', {
        params: { key: workflow },
        query: { ...periodQuery(shown), ...ofVersion(shown) },
        signal,
      }),
    enabled: workflow !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/**
 * The figures of a workflow's steps by person, for all versions and the last half year. Every request is recorded in
 * the audit trail, so only a person's own action may send one.
 */
export function usePeopleFigures(workflow: string, isWanted: boolean) {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: ['insights', currentOrgId, workflow, 'people'],
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/insights', { params: { key: workflow }, query: { people: 'true' }, signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

type ReviewsPage = { body: OkOf<'GET /api/workflows/{key}/insights/reviews'>; nextCursor: string | undefined };

/** The figures of a workflow's finished reviews, and the reviews in pages. */
export function useFinishedReviews(shown: Shown) {
  const { currentOrgId } = useUser();
  const { workflow, version, weeks, week } = shown;
  return useInfiniteQuery({
    queryKey: ['insights', currentOrgId, 'reviews', workflow, version, weeks, week],
    queryFn: async ({ pageParam, signal }): Promise<ReviewsPage> => {
      const { body, headers } = await apiWithHeaders('GET /api/workflows/{key}/insights/reviews', {
        params: { key: workflow },
        query: { ...reviewsQuery(shown), ...(pageParam && { cursor: pageParam }) },
        signal,
      });
      return { body, nextCursor: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

const reviewsQuery = (shown: Shown) => ({
  ...(shown.week === '' ? periodQuery(shown) : { from: shown.week, to: shown.week }),
  ...ofVersion(shown),
});

export function useOverview(shown: Shown) {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: ['insights', currentOrgId, 'overview', shown.weeks],
    queryFn: ({ signal }) => api('GET /api/insights/overview', { query: periodQuery(shown), signal }),
    enabled: shown.workflow === '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

type Page = { body: OkOf<'GET /api/workflows/{key}/conformance'>; nextCursor: string | undefined };

/** The deviations of a workflow's runs, in pages. */
export function useDeviations(shown: Shown) {
  const { currentOrgId } = useUser();
  const { workflow, kind, step } = shown;
  return useInfiniteQuery({
    queryKey: ['insights', currentOrgId, 'deviations', shown],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const { body, headers } = await apiWithHeaders('GET /api/workflows/{key}/conformance', {
        params: { key: workflow },
        query: {
          ...periodQuery(shown),
          ...ofVersion(shown),
          ...(kind && { kind }),
          ...(step && { step }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      });
      return { body, nextCursor: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** Downloads the shown figures as a CSV file. */
export function useExportInsights() {
  return useMutation({
    mutationFn: (shown: Shown) => {
      const { workflow: key, kind, step } = shown;
      const query = { ...periodQuery(shown), ...ofVersion(shown) };
      if (key === '') return download('GET /api/insights/overview.csv', 'insights.csv', { query: periodQuery(shown) });
      if (shown.view === 'deviations')
        return download('GET /api/workflows/{key}/conformance.csv', `conformance-${key}.csv`, {
          params: { key },
          query: { ...query, ...(kind && { kind }), ...(step && { step }) },
        });
      if (shown.view === 'reviews')
        return download('GET /api/workflows/{key}/insights/reviews.csv', `reviews-${key}.csv`, {
          params: { key },
          query: reviewsQuery(shown),
        });
      return download('GET /api/workflows/{key}/insights.csv', `insights-${key}.csv`, { params: { key }, query });
    },
  });
}
