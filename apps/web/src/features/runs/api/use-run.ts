import type { RunStatus } from '@stet/domain/runs';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { runKeys } from './run-keys.ts';

// A failed run isn't final, because it can still be retried.
const isFinal = (status: RunStatus | undefined): boolean => status === 'completed' || status === 'cancelled';

/** A run with its steps and history. It is updated live. */
export function useRun(runId: string) {
  const polling = usePolling();
  return useQuery({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }) => api('GET /api/runs/{id}', { params: { id: runId }, signal }),
    refetchInterval: ({ state }) => (isFinal(state.data?.status) ? false : polling),
    meta: liveOn({ subject: 'run', id: runId }, { subject: 'delegation' }),
  });
}
