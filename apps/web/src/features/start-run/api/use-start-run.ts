import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { runRequest } from '../model/run-form.ts';
import type { RunForm } from '../model/run-form.ts';

export const runSchema = async () => (await import('@stet/contract/runs')).runRoutes['POST /api/runs'].body;

/** Starts a run of the live version. A retry after a lost response doesn't start a second one. */
export function useStartRun(workflowKey: string) {
  const intent = useIntent();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: RunForm) => {
      const body = runRequest(workflowKey, form);
      try {
        const run = await api('POST /api/runs', { body, idempotencyKey: intent.keyFor(body) });
        intent.finish();
        return run;
      } catch (error) {
        intent.finish(error);
        throw error;
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['runs'] }),
  });
}
