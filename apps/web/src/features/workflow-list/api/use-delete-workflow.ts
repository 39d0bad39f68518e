import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** Deletes a workflow, or archives it if it was ever live. Returns which one it did. */
export function useDeleteWorkflow() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, reason }: { key: string; reason: string | undefined }) =>
      api('DELETE /api/workflows/{key}', { params: { key }, ...(reason !== undefined && { body: { reason } }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['workflows'] }),
  });
}
