import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** So many changed steps are asked for; a workflow has a thousand at most. */
const MOST = 1000;

/** All versions and open drafts of a workflow, newest first. */
export function useVersions(key: string) {
  return useQuery({
    queryKey: ['workflows', key, 'versions'],
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/versions', { params: { key }, signal }),
    enabled: key !== '',
  });
}

/** What changed from one to the other; while another pair is loaded the former one stays. */
export function useComparison(key: string, pair: { from: string; to: string } | null) {
  return useQuery({
    queryKey: ['workflows', key, 'compare', pair],
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/compare', {
        params: { key },
        query: { from: pair?.from ?? '', to: pair?.to ?? '', limit: MOST },
        signal,
      }),
    enabled: key !== '' && pair !== null,
    placeholderData: keepPreviousData,
  });
}
