import type { RunActor, StepState } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';

/** A step of a run as it is now; `step` is the machine's own state of it. */
type StepStanding = {
  status: string;
  type: string;
  step: StepState;
  /** Who cancelled the run; null where nobody did. */
  cancelled_by: RunActor | null;
};

/** Whether an activation still waits for whoever was told of it, and what became of it. */
export function standingOf(
  { status, type, step, cancelled_by: cancelledBy }: StepStanding,
  activation: number,
): { isOpen: boolean; said: string } {
  const over = (said: string) => ({ isOpen: false, said });
  if (step.activation !== activation) return over('This step has moved on');
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
      return over('This step has moved on');
    case 'active':
      return step.submitted
        ? over(`${isolated(step.submitted.by.name)} has sent the input; it waits for an approval`)
        : { isOpen: true, said: 'This step waits' };
  }
}
