import { graphOfVersion } from '../workflows/graph.ts';
import { isDone, type RunState, type RunWorkflow, stepStateOf } from './state.ts';

/** How a step is displayed in a run (specification, section 4), plus `failed`, which can be retried. */
const STEP_DISPLAY_STATES = ['completed', 'skipped', 'active', 'pending', 'blocked', 'failed'] as const;
export type StepDisplayState = (typeof STEP_DISPLAY_STATES)[number];

/**
 * Returns the active steps, in row order (specification, section 3). A completed or cancelled run has none. In a failed
 * run, the other active steps remain; they continue once the failed step is retried.
 */
export function currentStepIds(workflow: RunWorkflow, state: RunState): string[] {
  if (state.status === 'completed' || state.status === 'cancelled') return [];
  return workflow.steps.filter(({ id }) => stepStateOf(state, id)?.state === 'active').map(({ id }) => id);
}

/**
 * Returns the display state of each step, in row order (specification, section 4). A waiting step is pending if all
 * rows above are completed or skipped, otherwise blocked. A step that was active when the run was cancelled is shown
 * like a waiting one.
 */
export function displayStates(workflow: RunWorkflow, state: RunState): { stepId: string; state: StepDisplayState }[] {
  const current = new Set(currentStepIds(workflow, state));
  let isFreeSoFar = true;
  return workflow.steps.map(({ id }) => {
    const step = stepStateOf(state, id);
    const isFree = isFreeSoFar;
    isFreeSoFar &&= isDone(step);
    if (isDone(step) || step?.state === 'failed') return { stepId: id, state: step.state };
    if (current.has(id)) return { stepId: id, state: 'active' };
    return { stepId: id, state: isFree ? 'pending' : 'blocked' };
  });
}

/** `owner` is the assignee as typed. */
export type NextStep = { id: string; name: string; owner: string };

/**
 * Returns the steps after the active ones (specification, section 4): the waiting steps in their `next`. If no active
 * step has a `next`, the step in the row below the last active one, if it is waiting. Empty if no step is active.
 */
export function nextSteps(workflow: RunWorkflow, state: RunState): NextStep[] {
  const current = new Set(currentStepIds(workflow, state));
  if (current.size === 0) return [];
  const graph = graphOfVersion(workflow.steps);
  const following = new Set([...current].flatMap((id) => graph.next(id)));
  if (following.size === 0) {
    const lastRow = workflow.steps.findLastIndex(({ id }) => current.has(id));
    const below = workflow.steps[lastRow + 1];
    if (below) following.add(below.id);
  }
  return workflow.steps
    .filter(({ id }) => following.has(id) && stepStateOf(state, id)?.state === 'waiting')
    .map(({ id, title, assignee }) => ({ id, name: title, owner: assignee }));
}

/**
 * 'N of M steps completed'; `share` is N / M from 0 to 1 (specification, section 9). Skipped steps are not completed.
 */
type RunProgress = { completed: number; skipped: number; total: number; share: number };

export function progressOf(workflow: RunWorkflow, state: RunState): RunProgress {
  const total = workflow.steps.length;
  const count = (wanted: string) => workflow.steps.filter(({ id }) => stepStateOf(state, id)?.state === wanted).length;
  const completed = count('completed');
  return { completed, skipped: count('skipped'), total, share: total === 0 ? 0 : completed / total };
}
