import type { Note } from '@stet/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { runKeys } from './run-keys.ts';

export const noteSchema = async () =>
  (await import('@stet/contract/notes')).noteRoutes['POST /api/runs/{id}/notes'].body;

type Page = { notes: Note[]; nextCursor: string | undefined };

/** The notes on a run or on one of its steps, newest first, in pages. They are updated live. */
export function useNotes(runId: string, stepId?: string) {
  return useInfiniteQuery({
    queryKey: [...runKeys.notes(runId), stepId],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = { ...(pageParam !== undefined && { cursor: pageParam }), ...(stepId !== undefined && { stepId }) };
      const call = { params: { id: runId }, query, signal };
      const { body, headers } = await apiWithHeaders('GET /api/runs/{id}/notes', call);
      return { notes: body, nextCursor: headers.get('x-next-cursor') ?? undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: usePolling(),
    meta: liveOn({ subject: 'run', id: runId }),
  });
}

/** Adds a note. The returned promise resolves once the lists show it. */
export function useAddNote(runId: string) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (body: { text: string; stepId?: string | undefined }) =>
      api('POST /api/runs/{id}/notes', { params: { id: runId }, body, idempotencyKey: intent.keyFor(body) }),
    onSuccess: async () => {
      intent.finish();
      void queryClient.invalidateQueries({ queryKey: runKeys.detail(runId) });
      await queryClient.invalidateQueries({ queryKey: runKeys.notes(runId) });
    },
    onError: (error) => intent.finish(error),
  });
}
