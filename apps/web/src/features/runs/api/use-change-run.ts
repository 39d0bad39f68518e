import type { Run } from '@stet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { isStatus } from '../../../lib/api/api-error.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import type { StepChange } from '../../../step-types/run/step-panel-props.ts';
import { runKeys } from './run-keys.ts';

/** The actions on a run and its steps. */
export type RunChange =
  | StepChange
  | { do: 'pause'; reason: string }
  | { do: 'resume' }
  | { do: 'cancel'; reason: string };

export const cancelSchema = async () =>
  (await import('@stet/contract/runs')).runRoutes['POST /api/runs/{id}/cancel'].body;

export const handOverSchema = async () =>
  (await import('@stet/contract/runs')).runRoutes['POST /api/runs/{id}/steps/{stepId}/hand-over'].body;

async function send(id: string, change: RunChange, idempotencyKey: string): Promise<Run> {
  switch (change.do) {
    case 'complete':
      return api('POST /api/runs/{id}/complete', {
        params: { id },
        body: { stepId: change.stepId, output: change.output, onBehalfOf: change.onBehalfOf },
        idempotencyKey,
      });
    case 'approve':
    case 'reject': {
      const call = {
        params: { id, stepId: change.stepId },
        body: { comments: change.comments || null, onBehalfOf: change.onBehalfOf },
        idempotencyKey,
      };
      const { run } =
        change.do === 'approve'
          ? await api('POST /api/runs/{id}/steps/{stepId}/approve', call)
          : await api('POST /api/runs/{id}/steps/{stepId}/reject', call);
      return run;
    }
    case 'skip': {
      const params = { runId: id, stepId: change.stepId };
      const body = { reason: change.reason };
      return (await api('POST /api/runs/{runId}/steps/{stepId}/skip', { params, body, idempotencyKey })).run;
    }
    case 'retry':
      return (
        await api('POST /api/runs/{id}/steps/{stepId}/retry', { params: { id, stepId: change.stepId }, idempotencyKey })
      ).run;
    case 'claim':
    case 'release': {
      const call = { params: { id, stepId: change.stepId }, idempotencyKey };
      const { run } =
        change.do === 'claim'
          ? await api('POST /api/runs/{id}/steps/{stepId}/claim', call)
          : await api('POST /api/runs/{id}/steps/{stepId}/release', call);
      return run;
    }
    case 'hand_over': {
      const { stepId, to, reason } = change;
      const call = { params: { id, stepId }, body: { to, reason }, idempotencyKey };
      return (await api('POST /api/runs/{id}/steps/{stepId}/hand-over', call)).run;
    }
    case 'pause':
      return api('POST /api/runs/{id}/pause', {
        params: { id },
        body: { reason: change.reason || null },
        idempotencyKey,
      });
    case 'resume':
      return api('POST /api/runs/{id}/resume', { params: { id }, idempotencyKey });
    case 'cancel':
      return api('POST /api/runs/{id}/cancel', { params: { id }, body: { reason: change.reason }, idempotencyKey });
  }
}

/**
 * Changes a run. The run in the response replaces the cached one. After a 409 or 404, the run is reloaded, because the
 * person acted on an outdated one. `onSent` is called once the server has accepted the action and before the new run is
 * shown.
 */
export function useChangeRun(runId: string, onSent: (change: RunChange) => void) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  const detail = runKeys.detail(runId);
  return useMutation({
    mutationFn: async (change: RunChange) => {
      // A refetch that is still in progress would show the previous run.
      await queryClient.cancelQueries({ queryKey: detail });
      return send(runId, change, intent.keyFor(change));
    },
    onSuccess: (run, change) => {
      intent.finish();
      onSent(change);
      queryClient.setQueryData(detail, run);
      void queryClient.invalidateQueries({
        queryKey: runKeys.all,
        predicate: ({ queryKey }) => queryKey[1] !== 'detail',
      });
    },
    onError: (error) => {
      intent.finish(error);
      if (isStatus(error, 409) || isStatus(error, 404)) return queryClient.invalidateQueries({ queryKey: detail });
    },
  });
}
