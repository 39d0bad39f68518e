import { type SlaState, atRiskAt } from '@stet/domain/sla';
import {
  type DecisionMark,
  type NextStep,
  type RunActor,
  type RunState,
  type RunWorkflow,
  type StepState,
  currentStepIds,
  marksOfStep,
  nextSteps,
  personBehind,
  stepStateOf,
  trendOf,
  waitsFor,
} from '@stet/domain/runs';

/**
 * The data that lists show and that has no column of its own. It is stored with the run, so that lists never read step
 * definitions.
 */
export type RunListFacts = {
  startedBy: RunActor;
  pausedMs: number;
  currentStepIds: string[];
  /**
   * Absent from rows of completed and cancelled runs that were saved before this field existed. These runs have no
   * current steps.
   */
  currentSteps?: CurrentStep[];
  nextSteps: NextStep[];
  trend: number[];
  clocks: ListedClock[];
  /** The number of steps that a simulation completed. Absent from rows saved before these were counted. */
  simulatedSteps?: number;
  /** The marks of all decisions. Absent from rows saved before marks existed. */
  marks?: DecisionMark[];
};

/**
 * A current step: an active one or, in a failed run, the failed one. `waitsFor` has the format of `WaitingStep.who`,
 * but contains the addresses of people who claimed or received the step. It is empty unless the step waits for people.
 */
export type CurrentStep = { id: string; name: string; waitsFor: string[] };

/** The SLA clock of a step: its times in epoch milliseconds while the step is active, and its verdict afterwards. */
export type ListedClock = { stepId: string } & ({ atRiskAt: number; dueAt: number } | { verdict: SlaState });

export function listFactsOf(workflow: RunWorkflow, state: RunState): RunListFacts {
  const current = currentStepIds(workflow, state);
  return {
    startedBy: state.startedBy,
    pausedMs: state.pausedMs,
    currentStepIds: current,
    currentSteps: currentStepsOf(workflow, state, current),
    nextSteps: nextSteps(workflow, state),
    trend: trendOf(workflow, state).map((share) => Math.round(share * 1000) / 1000),
    clocks: workflow.steps.flatMap(({ id }) => clockOf(id, stepStateOf(state, id))),
    simulatedSteps: simulatedStepsOf(workflow, state),
    marks: marksIn(state),
  };
}

/** A run's current steps, or only the failed step in a failed run. */
export function currentStepsOf(workflow: RunWorkflow, state: RunState, activeIds: readonly string[]): CurrentStep[] {
  const ids = state.status === 'failed' ? [state.stepId] : activeIds;
  if (ids.length === 0) return [];
  return workflow.steps
    .filter(({ id }) => ids.includes(id))
    .map((step) => ({
      id: step.id,
      name: step.title,
      waitsFor: waitsFor(state, step).map((name) => addressOf(name, stepStateOf(state, step.id))),
    }));
}

/**
 * Returns the address of a person who has the step because of a claim or a hand-over. Returns other names unchanged.
 */
function addressOf(name: string, step: StepState | undefined): string {
  if (step?.state !== 'active' || !name.startsWith('user:')) return name;
  const { claimed, handedOver = [] } = step;
  const people = handedOver.flatMap(({ to }) => (to.kind === 'person' ? [to] : []));
  const held = [...(claimed ? [{ id: personBehind(claimed.by), email: claimed.by.email }] : []), ...people];
  return held.find(({ id }) => name === `user:${id}`)?.email ?? name;
}

export const marksIn = ({ steps }: RunState): DecisionMark[] => [...new Set(Object.values(steps).flatMap(marksOfStep))];

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
