import type { StepGraph } from '../workflows/graph.ts';
import { isSettled, type RunActor, type RunState, type StepState, stepStateOf } from './state.ts';

type Graph = Pick<StepGraph, 'previous'>;
/** Someone who had a hand in a step. */
export type Hand = { stepId: string; by: RunActor };

/**
 * All people who had a hand in how a step ended: whoever gave its input, approved it, voted on it, or agreed to skip it. Empty
 * for what the server performed, and for a branch that was not taken.
 */
function handsIn(step: StepState): RunActor[] {
  const all =
    step.state === 'completed'
      ? [step.by, ...step.votes.map(({ by }) => by), ...(step.submitted ? [step.submitted.by] : [])]
      : step.state === 'skipped' && step.onward
        ? (step.hands ?? [step.by])
        : [];
  return all.filter(({ kind }) => kind !== 'system');
}

/**
 * The last people on every path that leads to a step (rulings, section 12): looks back over what the server performed, and over
 * skipped steps, where those who agreed to the skip count as well. Linear in the steps and edges that lie between.
 */
export function lastPeopleBefore(graph: Graph, state: RunState, stepId: string): Hand[] {
  const hands: Hand[] = [];
  // A set hands out what is added while it is walked.
  const seen = new Set([stepId]);
  for (const id of seen) {
    for (const previous of graph.previous(id)) {
      const step = stepStateOf(state, previous);
      if (seen.has(previous) || !isSettled(step)) continue;
      const people = handsIn(step);
      for (const by of people) hands.push({ stepId: previous, by });
      if (step.state === 'skipped' || people.length === 0) seen.add(previous);
    }
  }
  return hands;
}

/** Whose work a rejection of this step is about: the last people before it, or whoever started the run. */
export function rejectedBy(graph: Graph, state: RunState, stepId: string): RunActor[] {
  const hands = lastPeopleBefore(graph, state, stepId).map(({ by }) => by);
  return hands.length > 0 ? hands : [state.startedBy];
}
