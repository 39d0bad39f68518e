import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** The maximum number of changed steps that the server describes in detail. */
const MAX_STEPS = 1000;

/** All versions and open drafts of a workflow, newest first. */
export function useVersions(key: string) {
  return useQuery({
    queryKey: ['workflows', key, 'versions'],
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/versions', { params: { key }, signal }),
    enabled: key !== '',
  });
}

/** The changes between two versions. While a new pair loads, the previous comparison stays visible. */
export function useComparison(key: string, pair: { from: string; to: string } | null) {
  return useQuery({
    queryKey: ['workflows', key, 'compare', pair],
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/compare', {
        params: { key },
        query: { from: pair?.from ?? '', to: pair?.to ?? '', limit: MAX_STEPS },
        signal,
      }),
    enabled: key !== '' && pair !== null,
    placeholderData: keepPreviousData,
  });
}
