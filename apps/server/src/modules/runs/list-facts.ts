import { type SlaState, atRiskAt } from '@stet/domain/sla';
import {
  type NextStep,
  type RunActor,
  type RunState,
  type RunWorkflow,
  type StepState,
  currentStepIds,
  nextSteps,
  stepStateOf,
  trendOf,
} from '@stet/domain/runs';

/** What a list shows of a run beyond its columns, kept beside it so that a list never reads step definitions. */
export type RunListFacts = {
  startedBy: RunActor;
  pausedMs: number;
  currentStepIds: string[];
  nextSteps: NextStep[];
  trend: number[];
  clocks: ListedClock[];
  /** How many completed steps were simulated; absent from rows that were saved before this was counted. */
  simulatedSteps?: number;
};

/** The clock of a step that has one: its moments in epoch milliseconds while the step is active, what became of it afterwards. */
export type ListedClock = { stepId: string } & ({ atRiskAt: number; dueAt: number } | { verdict: SlaState });

export function listFactsOf(workflow: RunWorkflow, state: RunState): RunListFacts {
  const current = currentStepIds(workflow, state);
  return {
    startedBy: state.startedBy,
    pausedMs: state.pausedMs,
    currentStepIds: current,
    nextSteps: nextSteps(workflow, state),
    trend: trendOf(workflow, state).map((share) => Math.round(share * 1000) / 1000),
    clocks: workflow.steps.flatMap(({ id }) => clockOf(id, stepStateOf(state, id))),
    simulatedSteps: simulatedStepsOf(workflow, state),
  };
}

/** How many completed steps the simulation has completed. */
export function simulatedStepsOf(workflow: RunWorkflow, state: RunState): number {
  return workflow.steps.filter(({ id }) => {
    const step = stepStateOf(state, id);
    return step?.state === 'completed' && step.report?.kind === 'automated' && step.report.simulated;
  }).length;
}

function clockOf(stepId: string, step: StepState | undefined): ListedClock[] {
  if (!step || step.state === 'waiting') return [];
  if (step.state !== 'active') return step.slaVerdict === null ? [] : [{ stepId, verdict: step.slaVerdict }];
  const risk = atRiskAt(step);
  return risk === null || step.dueAt === null ? [] : [{ stepId, atRiskAt: risk, dueAt: step.dueAt }];
}
