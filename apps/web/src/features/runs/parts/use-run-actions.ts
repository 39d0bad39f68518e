import type { Run } from '@stet/contract';
import { REDIRECT_MS } from '@stet/domain/defaults';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorSentence, isStatus } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../ui/toast.ts';
import { useChangeRun } from '../api/use-change-run.ts';
import type { RunChange } from '../api/use-change-run.ts';
import { leftBehind } from '../model/left-behind.ts';
import { useTypedInput } from './use-typed-input.ts';

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

export type RunActions = ReturnType<typeof useRunActions>;

/** Acts on the run, and knows what is typed, what is under way, what failed and whether the run has just been finished. */
export function useRunActions(run: Run, onDone: () => void) {
  const typed = useTypedInput(run.id);
  const changeRun = useChangeRun(run.id, (sent) => 'stepId' in sent && typed.clear(sent.stepId));

  const change = (wanted: RunChange) => {
    if (changeRun.isPending) return;
    changeRun.mutate(wanted, {
      onSuccess: (after) => {
        toast.ok(doneWord(wanted, after), titleOf(run, wanted));
        onDone();
      },
      onError: (error) => {
        // The step that was asked about may be gone: what happened is told over the steps.
        if (isStatus(error, 409)) onDone();
        else toast.bad('Execution Error', errorSentence(error, FALLBACKS[wanted.do]));
      },
    });
  };

  // While an answer is awaited nobody knows yet whether what was typed was in vain.
  const left = changeRun.isPending ? [] : leftBehind(run, typed.all);
  const leaving = useLeaving(run, changeRun.isPending || left.length > 0);

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
    typedFor: (stepId: string) => typed.all[stepId] ?? {},
    type: typed.change,
    leftBehind: left,
    forget: typed.clear,
    ...leaving,
  };
}

/**
 * A run that is finished while one looks at it leads to the list, unless one stays (specification, section 4). It waits
 * while something `isHeld` back here that leaving would take out of sight.
 */
function useLeaving({ status, name }: Run, isHeld: boolean) {
  const [seen, setSeen] = useState(status);
  const [isFinished, setFinished] = useState(false);
  const navigate = useNavigate();
  if (seen !== status) {
    setSeen(status);
    setFinished(status === 'completed');
  }
  useEffect(() => {
    if (isFinished) toast.ok('Workflow Completed', name);
  }, [isFinished, name]);
  const leaving = isFinished && !isHeld;
  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => void navigate(paths.runs), REDIRECT_MS.afterRun);
    return () => clearTimeout(timer);
  }, [leaving, navigate]);
  return { leaving, stay: () => setFinished(false) };
}

/** Input that another person has to approve doesn't complete the step, nor does one person's word skip every step. */
function doneWord(wanted: RunChange, after: Run): string {
  const step = 'stepId' in wanted ? after.steps.find(({ id }) => id === wanted.stepId) : undefined;
  if (wanted.do === 'complete' && step?.submittedBy) return 'Sent for approval';
  if (wanted.do === 'skip' && step?.state === 'active')
    return `${step.skip.votes.length} of ${step.skip.required} have agreed to skip`;
  return DONE[wanted.do];
}

function titleOf(run: Run, wanted: RunChange): string {
  if (!('stepId' in wanted)) return run.name;
  return run.steps.find(({ id }) => id === wanted.stepId)?.title ?? run.name;
}
