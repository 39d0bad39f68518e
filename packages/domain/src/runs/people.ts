import { addressesOf, isForAddresses, type NamesPeople, type Performers, performersOf } from '../access/performers.ts';
import type { Step } from '../steps/index.ts';
import type { StepGraph } from '../workflows/graph.ts';
import { namesAfter, performersAfter } from './hand-over.ts';
import {
  isDone,
  isSamePerson,
  isUncertainTie,
  peopleBehind,
  personBehind,
  type RunActor,
  type RunState,
  type StepState,
  stepStateOf,
  surelyBehind,
} from './state.ts';

type Graph = Pick<StepGraph, 'previous'>;
/** Someone who contributed to a step. */
export type Hand = { stepId: string; by: RunActor };

/**
 * Returns everyone who contributed to a completed or skipped step: with its input, its approval, a vote, or an
 * agreement to skip it. Empty for steps of the server, and for a branch that was not taken.
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

/** Returns everyone who handed the work in a step over to the people who did it. */
export function giversIn(step: StepState | undefined): readonly RunActor[] {
  const submitted = step?.state === 'completed' || step?.state === 'active' ? step.submitted : null;
  const own = step?.state === 'completed' || step?.state === 'skipped' ? (step.handedBy ?? []) : [];
  const all = [...(submitted?.handedBy ?? []), ...own];
  return [...new Map(all.map((giver) => [personBehind(giver), giver])).values()];
}

/**
 * Returns the last people on every path that leads to a step (decision 70). The search continues past steps of the
 * server and skipped steps, but includes the people who agreed to a skip. Linear in the steps and edges in between.
 */
export const lastPeopleBefore = (graph: Graph, state: RunState, stepId: string): Hand[] =>
  lastStepsBefore(graph, state, stepId).flatMap((step) => step.people.map((by) => ({ stepId: step.stepId, by })));

/** Returns everyone who handed the work of the last people before a step over to them. */
export const giversBefore = (graph: Graph, state: RunState, stepId: string): Hand[] =>
  lastStepsBefore(graph, state, stepId).flatMap((step) => step.givers.map((by) => ({ stepId: step.stepId, by })));

type LastStep = { stepId: string; people: readonly RunActor[]; givers: readonly RunActor[] };

function lastStepsBefore(graph: Graph, state: RunState, stepId: string): LastStep[] {
  const steps: LastStep[] = [];
  // Iterating a set also visits the entries added during the loop.
  const seen = new Set([stepId]);
  for (const id of seen) {
    for (const previous of graph.previous(id)) {
      const step = stepStateOf(state, previous);
      if (seen.has(previous) || !isDone(step)) continue;
      const people = handsIn(step);
      steps.push({ stepId: previous, people, givers: giversIn(step) });
      if (step.state === 'skipped' || people.length === 0) seen.add(previous);
    }
  }
  return steps;
}

/** Returns the id of the person who started a run; null if the server did. */
export const starterOf = ({ startedBy }: Pick<RunState, 'startedBy'>): string | null =>
  startedBy.kind === 'system' ? null : personBehind(startedBy);

/**
 * Returns the people that a step is for: those that it names, the person who has claimed it, or the receiver of a
 * hand-over.
 */
export const performersIn = (state: RunState, step: Step): Performers =>
  performersAfter(stepStateOf(state, step.id), performersOf(step, starterOf(state)));

/** Returns the fields of a step that name people, as they are after claims and hand-overs. */
export const namesNow = (state: RunState, step: Step): NamesPeople =>
  namesAfter(stepStateOf(state, step.id), step, starterOf(state));

/**
 * Returns the ids of everyone behind the work that an approval step must be independent of, and of those who are
 * certainly behind it. Both are empty without separation.
 */
export function separatedPeople(graph: Graph, state: RunState, step: Step): { all: string[]; sure: string[] } {
  if (step.type !== 'approval' || !step.config.separateFrom) return { all: [], sure: [] };
  const people = lastPeopleBefore(graph, state, step.id).map(({ by }) => by);
  return { all: idsBehind(people), sure: [...new Set(people.flatMap(surelyBehind))] };
}

/**
 * Returns everyone who handed over the work that a decision on an active step must be independent of: the previous work
 * of an approval with separation, or the submitted input.
 */
export function giversOfWork(graph: Graph, state: RunState, step: Step): readonly RunActor[] {
  if (step.type === 'approval')
    return step.config.separateFrom ? giversBefore(graph, state, step.id).map(({ by }) => by) : [];
  const active = stepStateOf(state, step.id);
  return active?.state === 'active' ? (active.submitted?.handedBy ?? []) : [];
}

export const idsBehind = (people: readonly RunActor[]): string[] => [...new Set(people.flatMap(peopleBehind))];

/** Returns the last people before an approval step whose work counts as this person's, so they can't approve it. */
export function barringHands(graph: Graph, state: RunState, step: Step, by: RunActor): Hand[] {
  if (step.type !== 'approval' || !step.config.separateFrom) return [];
  const performers = performersIn(state, step);
  const isNamed = isForAddresses(performers) && addressesOf(by).some((email) => performers.emails.includes(email));
  return lastPeopleBefore(graph, state, step.id).filter(
    (last) => isSamePerson(last.by, by) && !(isNamed && isUncertainTie(last.by, by)),
  );
}

/**
 * Returns the people whose work a rejection of this step concerns: the last people before it or, if there are none,
 * whoever started the run.
 */
export function rejectedBy(graph: Graph, state: RunState, stepId: string): RunActor[] {
  const hands = lastPeopleBefore(graph, state, stepId).map(({ by }) => by);
  return hands.length > 0 ? hands : [state.startedBy];
}
