import type { Resolution } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../lib/api/api.ts';
import { useIntent } from '../../../../lib/api/intent.ts';

export type DraftAt = { key: string; id: string };
const rebaseKey = ({ key, id }: DraftAt) => ['rebase', key, id] as const;
const ROUTE = '/api/workflows/{key}/drafts/{id}/rebase';

/** The draft, the live version and their common base, as stored on the server. */
export function useRebaseQuestion(at: DraftAt) {
  return useQuery({
    queryKey: rebaseKey(at),
    queryFn: ({ signal }) => api(`GET ${ROUTE}`, { params: at, signal }),
    // The conflicts must not change while the person resolves them. At the end, the server checks that they are up to
    // date.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

type RebaseInput = { revision: number; liveVersionId: string; resolutions: Resolution[] };

/** Rebases the draft onto the live version. If that fails, both are reloaded, because either may have changed. */
export function useRebase(at: DraftAt) {
  const queries = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: ({ revision, ...body }: RebaseInput) =>
      api(`POST ${ROUTE}`, {
        params: at,
        body,
        headers: { 'if-match': `"${revision}"` },
        idempotencyKey: intent.keyFor({ at, revision, body }),
      }),
    onSuccess: () => {
      intent.finish();
      return queries.invalidateQueries({ queryKey: ['workflows'] });
    },
    onError: (error) => {
      intent.finish(error);
      return queries.invalidateQueries({ queryKey: rebaseKey(at) });
    },
  });
}
