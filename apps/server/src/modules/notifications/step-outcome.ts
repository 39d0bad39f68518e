import type { RunActor, StepState } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';

/** A step of a run. `step` is its state in the state machine. */
type StepNow = {
  status: string;
  type: string;
  step: StepState;
  /** The person who cancelled the run, or null if it was not cancelled. */
  cancelled_by: RunActor | null;
};

/** Describes the outcome of an activation, or that it is still waiting. */
export function outcomeOf(
  { status, type, step, cancelled_by: cancelledBy }: StepNow,
  activation: number,
): { isOpen: boolean; outcome: string } {
  const over = (outcome: string) => ({ isOpen: false, outcome });
  if (step.activation !== activation) return over('This step is no longer waiting');
  if (status === 'cancelled')
    return over(`The run was cancelled${cancelledBy ? ` by ${isolated(cancelledBy.name)}` : ''}`);
  switch (step.state) {
    case 'completed':
      return over(`${type === 'approval' ? 'Approved' : 'Completed'} by ${isolated(step.by.name)}`);
    case 'skipped':
      return over(`Skipped by ${isolated(step.by.name)}`);
    case 'failed':
      return over(`Step failed: ${isolated(step.reason)}`);
    case 'waiting':
      return over('This step is no longer waiting');
    case 'active':
      return step.submitted
        ? over(`${isolated(step.submitted.by.name)} has submitted the input, which is waiting for approval`)
        : { isOpen: true, outcome: 'This step is waiting' };
  }
}
