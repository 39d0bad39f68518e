import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { docsKeys } from './docs-keys.ts';

type RollBack = { version: number; reason: string };

/** Makes an earlier version live again; then everything that shows the workflow is asked anew. */
export function useRollBack(key: string) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: ({ version, reason }: RollBack) =>
      api('POST /api/workflows/{key}/versions/{version}/rollback', {
        params: { key, version },
        ...(reason !== '' && { body: { reason } }),
        idempotencyKey: intent.keyFor({ key, version, reason }),
      }),
    // A refusal, too, says that something is not as it is shown.
    onSettled: (_answer, error) => {
      intent.settle(error ?? undefined);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      void queryClient.invalidateQueries({ queryKey: docsKeys.workflow(key) });
    },
  });
}
