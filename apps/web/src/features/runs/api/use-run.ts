import type { RunStatus } from '@stet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { REFRESH_MS, runKeys } from './run-keys.ts';

// A failed run can still be retried, by anyone.
const isFinal = (status: RunStatus | undefined): boolean => status === 'completed' || status === 'cancelled';

/** One run with its steps and history; refreshed in place while it can still change. */
export function useRun(runId: string) {
  return useQuery({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }) => api('GET /api/runs/{id}', { params: { id: runId }, signal }),
    refetchInterval: ({ state }) => (isFinal(state.data?.status) ? false : REFRESH_MS),
  });
}
