import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** The name of a workflow's newest run. Null if there is none or it isn't known yet. */
export function useNewestRunName(workflow: string): string | null {
  const query = useQuery({
    queryKey: ['runs', 'newest', workflow],
    queryFn: ({ signal }) => api('GET /api/runs', { query: { workflow, limit: 1 }, signal }),
    retry: false,
  });
  return query.data?.[0]?.name ?? null;
}
