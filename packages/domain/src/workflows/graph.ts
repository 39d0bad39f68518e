import type { ConditionStep, Step } from './step.ts';

/** What of a step makes the graph. */
export type GraphStep = { id: string; next: readonly string[] };

/** The steps of a workflow, indexed both ways. Ids that are no step's have neither next nor previous. */
export type StepGraph = {
  /** In row order. */
  ids: readonly string[];
  /** Steps with no predecessor, in row order: those that a run begins with (rulings, section 6). */
  roots: readonly string[];
  has(id: string): boolean;
  next(id: string): readonly string[];
  previous(id: string): readonly string[];
};

const NONE: readonly string[] = [];

/**
 * Indexes steps by id. An edge named twice counts once; edges to no step, and later rows of an id that was there
 * before, are left out (`checkGraph` names them). Linear in steps and edges.
 */
export function graphOf(steps: readonly GraphStep[]): StepGraph {
  const next = new Map<string, string[]>();
  const previous = new Map<string, string[]>();
  for (const step of steps) previous.set(step.id, []);
  for (const step of steps) {
    if (next.has(step.id)) continue;
    const targets = [...new Set(step.next)].filter((target) => previous.has(target));
    next.set(step.id, targets);
    for (const target of targets) previous.get(target)?.push(step.id);
  }
  const ids = [...next.keys()];
  return {
    ids,
    roots: ids.filter((id) => previous.get(id)?.length === 0),
    has: (id) => next.has(id),
    next: (id) => next.get(id) ?? NONE,
    previous: (id) => previous.get(id) ?? NONE,
  };
}

/**
 * Step ids such that each comes after all its predecessors. Steps on a cycle or behind one are missing: the answer
 * is as long as `graph.ids` exactly when there is no cycle.
 */
export function topologicalOrder(graph: StepGraph): string[] {
  const missing = new Map(graph.ids.map((id) => [id, graph.previous(id).length]));
  const order = [...graph.roots];
  // The array grows while it is walked: it is the queue as well as the answer.
  for (const id of order) {
    for (const target of graph.next(id)) {
      const left = (missing.get(target) ?? 0) - 1;
      missing.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  return order;
}

/** The steps that can be reached from those given, these included. Linear. */
export function reachableFrom(graph: StepGraph, start: Iterable<string>): Set<string> {
  const seen = new Set([...start].filter((id) => graph.has(id)));
  // A set hands out what is added while it is walked.
  for (const id of seen) for (const target of graph.next(id)) seen.add(target);
  return seen;
}

/** Whether a step splits the path by a decision: a condition step that names at least one target. */
export function isBranching(step: Step): step is ConditionStep {
  return step.type === 'condition' && Boolean(step.config.trueNext || step.config.falseNext);
}

/**
 * The steps of `next` that a condition's result leads to (rulings, section 6): the target named for the result.
 * Steps of `next` that neither result names are the other branch where just one target is named, and follow either
 * result where both or none are. A named target that is not in `next` counts as not named.
 */
export function branchTaken(step: ConditionStep, result: boolean): string[] {
  const named = (target: string | undefined) => (target && step.next.includes(target) ? target : undefined);
  const onTrue = named(step.config.trueNext);
  const onFalse = named(step.config.falseNext);
  const own = result ? onTrue : onFalse;
  const other = result ? onFalse : onTrue;
  const takesUnnamed = own === undefined || other !== undefined;
  return step.next.filter((id) => id === own || (takesUnnamed && id !== other));
}
