import type { Step } from '../steps/index.ts';

/** The properties of a step that define the graph. */
export type GraphStep = { id: string; next: readonly string[] };

/** The steps of a workflow, indexed in both directions. Unknown ids have neither next nor previous steps. */
export type StepGraph = {
  /** In row order. */
  ids: readonly string[];
  /** Steps without a predecessor, in row order: a run begins with these. */
  roots: readonly string[];
  has(id: string): boolean;
  next(id: string): readonly string[];
  previous(id: string): readonly string[];
};

const NONE: readonly string[] = [];

/**
 * Indexes steps by id. A repeated edge counts once; edges to missing steps and later rows with a repeated id are
 * omitted (`checkGraph` reports them). Linear in steps and edges.
 */
export function graphOf(steps: readonly GraphStep[]): StepGraph {
  const next = new Map<string, string[]>();
  const previous = new Map<string, string[]>();
  for (const step of steps) previous.set(step.id, []);
  for (const step of steps) {
    if (next.has(step.id)) continue;
    const targets = distinct(step.next).filter((target) => previous.has(target));
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

/** Returns the targets without repetitions. Most steps have only one target, for which no set is needed. */
export const distinct = (targets: readonly string[]): readonly string[] =>
  targets.length < 2 ? targets : [...new Set(targets)];

const graphs = new WeakMap<readonly GraphStep[], StepGraph>();

/** Like `graphOf`, but cached for each list. Only for lists that never change, such as the steps of a version. */
export function graphOfVersion(steps: readonly GraphStep[]): StepGraph {
  const known = graphs.get(steps);
  if (known) return known;
  const graph = graphOf(steps);
  graphs.set(steps, graph);
  return graph;
}

/**
 * Returns the step ids, each after all its predecessors. Steps on a cycle or after one are missing, so the result is as
 * long as `graph.ids` if and only if there is no cycle.
 */
export function topologicalOrder(graph: StepGraph): string[] {
  const missing = new Map(graph.ids.map((id) => [id, graph.previous(id).length]));
  const order = [...graph.roots];
  // The array grows during the iteration, because it is both queue and result.
  for (const id of order) {
    for (const target of graph.next(id)) {
      const left = (missing.get(target) ?? 0) - 1;
      missing.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  return order;
}

/** Returns the given steps and all steps reachable from them. Linear. */
export function reachableFrom(graph: StepGraph, start: Iterable<string>): Set<string> {
  const seen = new Set([...start].filter((id) => graph.has(id)));
  // Iterating a set also visits the entries added during the loop.
  for (const id of seen) for (const target of graph.next(id)) seen.add(target);
  return seen;
}

/** Returns all steps with a path to this one, in row order. Never includes the step itself, even on a cycle. */
export function stepsBefore(steps: readonly Step[], stepId: string): Step[] {
  const graph = graphOf(steps);
  const found = new Set(graph.previous(stepId));
  // Iterating a set also visits the entries added during the loop.
  for (const id of found) for (const earlier of graph.previous(id)) found.add(earlier);
  found.delete(stepId);
  return steps.filter(({ id }) => found.has(id));
}

/** Returns the steps that can follow this one without creating a cycle, in row order. */
export function stepsThatMayFollow(steps: readonly Step[], stepId: string): Step[] {
  const before = new Set(stepsBefore(steps, stepId).map(({ id }) => id));
  return steps.filter(({ id }) => id !== stepId && !before.has(id));
}
