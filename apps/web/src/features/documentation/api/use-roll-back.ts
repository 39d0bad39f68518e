import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { docsKeys } from './docs-keys.ts';

/** `emergency`: an owner skips the review. */
type RollBack = { version: number; reason: string; emergency?: true };

/** Makes a superseded version live again. The server refuses it if it needs a review, except in an emergency. */
export function useRollBack(key: string) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: ({ version, ...body }: RollBack) =>
      api('POST /api/workflows/{key}/versions/{version}/rollback', {
        params: { key, version },
        ...(body.reason !== '' && { body }),
        idempotencyKey: intent.keyFor({ key, version, ...body }),
      }),
    // Refetch after a refusal too, because it can mean that the data on the screen is outdated.
    onSettled: (_answer, error) => {
      intent.finish(error ?? undefined);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      void queryClient.invalidateQueries({ queryKey: docsKeys.workflow(key) });
      void queryClient.invalidateQueries({ queryKey: ['confirmations'] });
    },
  });
}

/** Creates a draft from an earlier version. The draft needs an ordinary review. */
export function useRestore(key: string) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (version: number) =>
      api('POST /api/workflows/{key}/versions/{version}/restore', {
        params: { key, version },
        idempotencyKey: intent.keyFor({ key, version }),
      }),
    onSettled: (_answer, error) => {
      intent.finish(error ?? undefined);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      void queryClient.invalidateQueries({ queryKey: docsKeys.workflow(key) });
    },
  });
}
