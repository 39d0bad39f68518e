import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { REFRESH_MS, runKeys } from './run-keys.ts';

/** One run with its steps and history; refreshed in place while it can still change. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }) => api('GET /api/runs/{id}', { params: { id: runId }, signal }),
    refetchInterval: ({ state }) => (state.data?.completedAt ? false : REFRESH_MS),
  });
}
