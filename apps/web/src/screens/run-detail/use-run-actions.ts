import type { Run } from '@stet/contract';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useChangeRun } from '../../features/runs/api/use-change-run.ts';
import type { RunChange } from '../../features/runs/api/use-change-run.ts';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { toast } from '../../ui/toast.ts';

/** What is said when the server gives no words of its own (specification, section 8). */
const FALLBACKS = {
  complete: 'Failed to complete step',
  approve: 'Failed to approve',
  reject: 'Failed to reject',
  skip: 'Failed to skip step',
  retry: 'Failed to retry the step',
  pause: 'Failed to pause the run',
  resume: 'Failed to resume the run',
  cancel: 'Failed to cancel the run',
} satisfies Record<RunChange['do'], string>;

const DONE = {
  complete: 'Step Completed',
  approve: 'Approved',
  reject: 'Rejected',
  skip: 'Step Skipped',
  retry: 'Step Retried',
  pause: 'Execution Paused',
  resume: 'Execution Resumed',
  cancel: 'Run Cancelled',
} satisfies Record<RunChange['do'], string>;

// From the last step to the list, as specified (section 9).
const LEAVE_MS = 3000;

export type RunActions = ReturnType<typeof useRunActions>;

/** Acts on the run, and knows what is under way, what failed and whether the run has just been finished here. */
export function useRunActions(run: Run, onDone: () => void) {
  const changeRun = useChangeRun(run.id);
  const [leaving, setLeaving] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => void navigate(paths.runs), LEAVE_MS);
    return () => clearTimeout(timer);
  }, [leaving, navigate]);

  const change = (wanted: RunChange) => {
    if (changeRun.isPending) return;
    changeRun.mutate(wanted, {
      onSuccess: (after) => {
        toast.ok(DONE[wanted.do], titleOf(run, wanted));
        onDone();
        if (after.status !== 'completed') return;
        toast.ok('Workflow Completed', after.name);
        setLeaving(true);
      },
      // The step that was asked about may be gone: what happened is told over the steps.
      onError: (error) => isStatus(error, 409) && onDone(),
    });
  };

  const last = changeRun.variables;
  const failure = changeRun.error && last ? errorSentence(changeRun.error, FALLBACKS[last.do]) : null;
  const isConflict = isStatus(changeRun.error, 409);
  const isOn = (stepId: string) => last !== undefined && 'stepId' in last && last.stepId === stepId;
  return {
    change,
    pending: changeRun.isPending ? (last ?? null) : null,
    pendingOn: (stepId: string) => (changeRun.isPending && last && isOn(stepId) ? last.do : null),
    errorOn: (stepId: string) => (isOn(stepId) && !isConflict ? failure : null),
    runError: last && !('stepId' in last) && !isConflict ? failure : null,
    conflict: isConflict ? failure : null,
    leaving,
    stay: () => setLeaving(false),
  };
}

function titleOf(run: Run, wanted: RunChange): string {
  if (!('stepId' in wanted)) return run.name;
  return run.steps.find(({ id }) => id === wanted.stepId)?.title ?? run.name;
}
