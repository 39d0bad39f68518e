import { atRiskAt } from '@stet/domain/sla';
import { type NextStep, type RunActor, type RunState, type RunWorkflow, currentStepIds, nextSteps, stepStateOf, trendOf } from '@stet/domain/runs';

/** What a list shows of a run beyond its columns, kept beside it so that a list never reads step definitions. */
export type RunListFacts = {
  startedBy: RunActor;
  pausedMs: number;
  currentStepIds: string[];
  nextSteps: NextStep[];
  trend: number[];
  /** Of the active steps that have one; epoch milliseconds. */
  clocks: { stepId: string; atRiskAt: number; dueAt: number }[];
};

export function listFactsOf(workflow: RunWorkflow, state: RunState): RunListFacts {
  const current = currentStepIds(workflow, state);
  return {
    startedBy: state.startedBy,
    pausedMs: state.pausedMs,
    currentStepIds: current,
    nextSteps: nextSteps(workflow, state),
    trend: trendOf(workflow, state).map((share) => Math.round(share * 1000) / 1000),
    clocks: current.flatMap((stepId) => {
      const step = stepStateOf(state, stepId);
      const risk = step?.state === 'active' ? atRiskAt(step) : null;
      return step?.state === 'active' && risk !== null && step.dueAt !== null ? [{ stepId, atRiskAt: risk, dueAt: step.dueAt }] : [];
    }),
  };
}
