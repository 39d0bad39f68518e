import type { RunStep, RunSummary } from '@stet/contract';
import type { Segment } from '../../../ui/segments.tsx';
import { isSimulatedEnd } from './step-outcome.ts';

const clockSegment = (state: string | null | undefined): Segment =>
  state === 'at_risk' || state === 'breached' ? state : 'active';

/** A segment for each step, in the workflow's order. */
export function stepSegments(steps: readonly RunStep[]): Segment[] {
  return steps.map((step): Segment => {
    if (step.state === 'completed' && isSimulatedEnd(step)) return 'simulated';
    if (step.state === 'completed') return step.slaState === 'breached' ? 'done_late' : 'done';
    if (step.state === 'skipped' || step.state === 'failed') return step.state;
    return step.state === 'active' ? clockSegment(step.slaState) : 'todo';
  });
}

/**
 * The segments for a summary, which only has counts and the active steps. Completed steps come first, the simulated
 * ones among them last, then active and other steps.
 */
export function summarySegments(
  run: Pick<RunSummary, 'stepsTotal' | 'stepsCompleted' | 'simulatedSteps' | 'currentStepIds' | 'slaStatus'>,
): Segment[] {
  const clocks = new Map(run.slaStatus.map(({ stepId, state }) => [stepId, state]));
  const done = Array.from({ length: run.stepsCompleted }, (_, at): Segment =>
    at < run.stepsCompleted - (run.simulatedSteps ?? 0) ? 'done' : 'simulated',
  );
  const active = run.currentStepIds.map((stepId) => clockSegment(clocks.get(stepId)));
  const rest = Math.max(0, run.stepsTotal - done.length - active.length);
  return [...done, ...active, ...Array.from({ length: rest }, (): Segment => 'todo')];
}

/** 'N of M steps completed' (specification, section 2, run execution). */
export const progressText = ({
  stepsCompleted,
  stepsTotal,
}: Pick<RunSummary, 'stepsCompleted' | 'stepsTotal'>): string => `${stepsCompleted} of ${stepsTotal} steps completed`;
