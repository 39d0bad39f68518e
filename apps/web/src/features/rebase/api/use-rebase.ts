import type { Resolution } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';

export type DraftAt = { key: string; id: string };
const rebaseKey = ({ key, id }: DraftAt) => ['rebase', key, id] as const;
const ROUTE = '/api/workflows/{key}/drafts/{id}/rebase';

/** Both sides and what they began from, as they are on the server. */
export function useRebaseQuestion(at: DraftAt) {
  return useQuery({
    queryKey: rebaseKey(at),
    queryFn: ({ signal }) => api(`GET ${ROUTE}`, { params: at, signal }),
    // What is being settled must not change under one's hands; whether it is still so the server checks at the end.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

type RebaseInput = { revision: number; liveVersionId: string; resolutions: Resolution[] };

/** Puts the draft on the live version; where either changed since it was shown, what is shown is read anew. */
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
      intent.settle();
      return queries.invalidateQueries({ queryKey: ['workflows'] });
    },
    onError: (error) => {
      intent.settle(error);
      return queries.invalidateQueries({ queryKey: rebaseKey(at) });
    },
  });
}
