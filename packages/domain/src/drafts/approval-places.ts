import { type Step, branchTaken, isBranching, refersTo } from '../steps/index.ts';
import { graphOf, type StepGraph, topologicalOrder } from '../workflows/graph.ts';

/** The order of a workflow's controls: approval steps, and manual steps whose input needs a sign-off. */
export type ApprovalPlaces = {
  /** Returns the controls that every run has passed before it reaches the step. */
  before(stepId: string): ControlSet;
  /** Returns the controls that can be reached from the step. */
  behind(stepId: string): ControlSet;
  /** Returns whether a run begins with the step. */
  isRoot(stepId: string): boolean;
};

/** Returns whether this step needs a second person's approval. */
export const isControl = (step: Step): boolean =>
  step.type === 'approval' || (step.type === 'manual' && step.config.requiresApproval === true);

/** Returns the ids of the steps that are controls, in row order. */
export const controlIds = (steps: readonly Step[]): string[] => steps.filter(isControl).map(({ id }) => id);

/** Returns the ids of the controls in a set; `controls` is the list it was made from. */
export function idsIn(set: ControlSet, controls: readonly string[]): string[] {
  return set.some((word) => word !== 0)
    ? controls.filter((_, bit) => (((set[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1)
    : [];
}

/** Returns the controls of `set` that are missing from `other`, a set made with the same list. */
export const less = (set: ControlSet, other: ControlSet | undefined): ControlSet =>
  set.map((word, at) => word & ~(other?.[at] ?? 0));

/**
 * Computes which steps each control precedes, by the rules of the run core: a join waits for all its predecessors, a
 * plain step leads to all its successors, and a condition may take either branch. So a control precedes a step if a
 * path leads from it to the step and no choice of branches reaches the step without it. A rejection can return a run to
 * a step that no branch led to, which counts as another way in. No control precedes a step on or after a cycle.
 *
 * Takes O((steps + edges) × controls / 32) time, repeated while rejections open further ways in.
 * @param controls ids that the sets cover, so that two workflows can be compared; by default the controls of these
 * steps
 */
export function approvalPlaces(
  steps: readonly Step[],
  controls: readonly string[] = controlIds(steps),
): ApprovalPlaces {
  const graph = graphOf(steps);
  // As in the graph, the first of two steps with the same id counts.
  const stepOf = new Map(steps.toReversed().map((step) => [step.id, step]));
  const bits = new Map(controls.map((id, bit) => [id, bit]));
  const none = () => new Int32Array(Math.ceil(controls.length / 32));
  const paths: Paths = {
    order: topologicalOrder(graph),
    graph,
    stepOf,
    none,
    itself: (id) => {
      const step = stepOf.get(id);
      return withBit(none(), step && isControl(step) ? bits.get(id) : undefined);
    },
    branches: (id) => branchesOf(stepOf.get(id) as Step, graph.next(id)),
  };
  const { ahead, unavoidable } = controlsAhead(paths);
  const passed = controlsPassed(paths);
  const avoided = controlsAvoided(paths, unavoidable);
  const roots = new Set(graph.roots);
  return {
    before: (stepId) => less(passed.get(stepId) ?? none(), avoided.get(stepId)),
    behind: (stepId) => less(ahead.get(stepId) ?? none(), paths.itself(stepId)),
    isRoot: (stepId) => roots.has(stepId),
  };
}

/** One bit for each control. */
export type ControlSet = Int32Array;
type Paths = {
  order: readonly string[];
  graph: StepGraph;
  stepOf: ReadonlyMap<string, Step>;
  none: () => ControlSet;
  /** The step itself if it is a control, else the empty set. */
  itself: (id: string) => ControlSet;
  branches: (id: string) => readonly (readonly string[])[];
};

/** Returns the successors that activate together, one list for each possible decision. */
function branchesOf(step: Step, next: readonly string[]): (readonly string[])[] {
  if (!isBranching(step)) return [next];
  return [true, false].map((result) => branchTaken(step, result).filter((id) => next.includes(id)));
}

/**
 * Returns, for each step, the controls reachable from it, and those that every choice of branches activates. Both sets
 * include the step itself if it is a control.
 */
function controlsAhead({ order, graph, itself, none, branches }: Paths) {
  const ahead = new Map<string, ControlSet>();
  const unavoidable = new Map<string, ControlSet>();
  for (const id of order.toReversed()) {
    const reached = itself(id);
    for (const next of graph.next(id)) addAll(reached, ahead.get(next));
    ahead.set(id, reached);
    const [first = none(), second = first] = branches(id).map((branch) => {
      const certain = none();
      for (const next of branch) addAll(certain, unavoidable.get(next));
      return certain;
    });
    const certain = itself(id);
    addAll(
      certain,
      first.map((word, at) => word & (second[at] ?? 0)),
    );
    unavoidable.set(id, certain);
  }
  return { ahead, unavoidable };
}

/** Returns the controls on some path to each step. */
function controlsPassed({ order, graph, itself, none }: Paths): Map<string, ControlSet> {
  const upTo = new Map<string, ControlSet>();
  const onTheWay = new Map<string, ControlSet>();
  for (const id of order) {
    const passed = none();
    for (const previous of graph.previous(id)) addAll(passed, upTo.get(previous));
    onTheWay.set(id, passed);
    upTo.set(id, passed.slice());
    addAll(upTo.get(id) as ControlSet, itself(id));
  }
  return onTheWay;
}

/** Returns, for each step, the controls that a run can reach it without. */
function controlsAvoided(
  { order, graph, stepOf, none, branches }: Paths,
  unavoidable: ReadonlyMap<string, ControlSet>,
): Map<string, ControlSet> {
  const avoided = new Map(order.map((id) => [id, none()]));
  const avoidedAt = (id: string): ControlSet => avoided.get(id) ?? none();
  const certainStart = none();
  for (const root of graph.roots) addAll(certainStart, unavoidable.get(root));
  for (const root of graph.roots) {
    addAll(
      avoidedAt(root),
      certainStart.map((word) => ~word),
    );
  }
  const returns = order.flatMap((id) => {
    const step = stepOf.get(id);
    return step ? refersTo(step).flatMap(({ names, target }) => (names === 'earlier' ? [{ id, target }] : [])) : [];
  });
  do {
    for (const id of order) {
      const decisions = branches(id);
      for (const branch of decisions) {
        let onward = avoidedAt(id);
        // A run that takes this branch passes its unavoidable controls. If it is the only branch, the step's own set
        // already excludes them.
        if (decisions.length > 1) for (const next of branch) onward = less(onward, unavoidable.get(next));
        for (const next of branch) addAll(avoidedAt(next), onward);
      }
    }
  } while (
    returns
      .map(({ id, target }) => addAll(avoidedAt(target), less(avoidedAt(id), unavoidable.get(target))))
      .includes(true)
  );
  return avoided;
}

function withBit(set: ControlSet, bit: number | undefined): ControlSet {
  if (bit !== undefined) set[bit >>> 5] = 1 << (bit & 31);
  return set;
}

/** Adds the other set to this one; returns true if this one grew. */
function addAll(set: ControlSet, other: ControlSet | undefined): boolean {
  let isLarger = false;
  for (let word = 0; word < set.length; word++) {
    const before = set[word] ?? 0;
    const after = before | (other?.[word] ?? 0);
    if (after !== before) isLarger = true;
    set[word] = after;
  }
  return isLarger;
}
