import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { runRequest } from '../model/run-form.ts';
import type { RunForm } from '../model/run-form.ts';

/** Starts a run of the live version. Trying again after silence doesn't start it twice. */
export function useStartRun(workflowKey: string) {
  const intent = useIntent();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: RunForm) => {
      const body = runRequest(workflowKey, form);
      try {
        const run = await api('POST /api/runs', { body, idempotencyKey: intent.keyFor(body) });
        intent.settle();
        return run;
      } catch (error) {
        intent.settle(error);
        throw error;
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['runs'] }),
  });
}
