import type { Run, RunStep } from '@stet/contract';
import { useState } from 'react';
import { errorSentence, isStatus } from '../../../lib/api/api-error.ts';
import { toast } from '../../../ui/toast.ts';
import { useChangeRun } from '../api/use-change-run.ts';
import type { RunChange } from '../api/use-change-run.ts';
import { useTypedInput } from './use-typed-input.ts';

/** The messages if the server sends none (specification, section 8). */
const FALLBACKS = {
  complete: 'Failed to complete step',
  approve: 'Failed to approve',
  reject: 'Failed to reject',
  skip: 'Failed to skip step',
  retry: 'Failed to retry the step',
  claim: 'Failed to claim the step',
  release: 'Failed to release the step',
  hand_over: 'The step was not handed over',
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
  claim: 'Step Claimed',
  release: 'Step Released',
  hand_over: 'Step Handed Over',
  pause: 'Execution Paused',
  resume: 'Execution Resumed',
  cancel: 'Run Cancelled',
} satisfies Record<RunChange['do'], string>;

/** The open dialog. */
export type Asking =
  | { for: 'nothing' }
  | { for: 'skip'; step: RunStep }
  /** Asks a colleague about a step. */
  | { for: 'question'; step: RunStep }
  | { for: 'hand_over'; step: RunStep }
  /** Asks before a person completes a step that is assigned to someone else. */
  | { for: 'help'; step: RunStep; change: Extract<RunChange, { do: 'complete' }> }
  | { for: 'pause' }
  | { for: 'cancel' };

const NOTHING: Asking = { for: 'nothing' };

export type RunActions = ReturnType<typeof useRunActions>;

/**
 * The state of a person's actions on a run and its steps, for every screen that shows them: typed input, open dialogs,
 * actions in progress and errors. `onDone` is called after each success; the sentence that it returns is added to the
 * message.
 */
export function useRunActions(run: Run, onDone?: (change: RunChange) => string | undefined) {
  const typed = useTypedInput(run.id);
  const [asking, setAsking] = useState<Asking>(NOTHING);
  const changeRun = useChangeRun(run.id, (sent) => {
    // Claiming or releasing a step doesn't discard the person's typed input.
    if ('stepId' in sent && sent.do !== 'claim' && sent.do !== 'release') typed.clear(sent.stepId);
  });

  const send = async (wanted: RunChange) => {
    if (changeRun.isPending) return;
    await changeRun.mutateAsync(wanted, {
      onSuccess: (after) => {
        const next = onDone?.(wanted);
        toast.ok(
          doneWord(wanted, after),
          next === undefined ? titleOf(run, wanted) : `${titleOf(run, wanted)}. ${next}`,
        );
        setAsking(NOTHING);
      },
      onError: (error) => {
        // The form for a hand-over shows its own errors.
        if (wanted.do === 'hand_over') return;
        // The step may no longer be on the page, so the error is shown above the steps.
        if (isStatus(error, 409)) setAsking(NOTHING);
        else toast.bad('Execution Error', errorSentence(error, FALLBACKS[wanted.do]));
      },
    });
  };
  const change = (wanted: RunChange) => void send(wanted).catch(() => undefined);

  const last = changeRun.variables;
  const failure = changeRun.error && last ? errorSentence(changeRun.error, FALLBACKS[last.do]) : null;
  const isConflict = isStatus(changeRun.error, 409) && last?.do !== 'hand_over';
  const isOn = (stepId: string) => last !== undefined && 'stepId' in last && last.stepId === stepId;
  return {
    change,
    /** Rejects if the server refuses. Asks first before completing someone else's step. */
    changeStep: async (step: RunStep, wanted: RunChange) => {
      if (wanted.do === 'complete' && step.actsFor === 'helper') setAsking({ for: 'help', step, change: wanted });
      else await send(wanted);
    },
    asking,
    ask: setAsking,
    stopAsking: () => setAsking(NOTHING),
    pending: changeRun.isPending ? (last ?? null) : null,
    pendingOn: (stepId: string) =>
      changeRun.isPending && last && 'stepId' in last && last.stepId === stepId ? last.do : null,
    errorOn: (stepId: string) => (isOn(stepId) && !isConflict && last?.do !== 'hand_over' ? failure : null),
    runError: last && !('stepId' in last) && !isConflict ? failure : null,
    conflict: isConflict ? failure : null,
    typed: typed.all,
    type: typed.change,
    forget: typed.clear,
  };
}

/**
 * The toast's title. Input that needs approval doesn't complete its step, and one vote may not be enough to skip a
 * step.
 */
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
