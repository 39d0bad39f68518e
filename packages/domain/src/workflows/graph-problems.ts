import { type Step, refersTo, refersToNext } from '../steps/index.ts';
import { distinct, graphOf, reachableFrom, type StepGraph, topologicalOrder } from './graph.ts';

/** A problem in a workflow's graph, with the ids of the steps. `branch` is the setting that names the target. */
export type GraphProblem =
  | { code: 'duplicate_step_id'; stepId: string }
  | { code: 'unknown_next'; stepId: string; target: string }
  /** In the order of the cycle; a step that leads to itself is a cycle of one. */
  | { code: 'cycle'; stepIds: string[] }
  | { code: 'unreachable'; stepId: string }
  | { code: 'condition_target_not_next'; stepId: string; branch: string; target: string }
  | { code: 'on_reject_not_ancestor'; stepId: string; target: string };

/**
 * Returns all problems with the graph; empty if it can be run. In this order: repeated ids, wrong `next` and branch
 * targets, cycles, unreachable steps, wrong rejection targets. A blank setting names no step. Linear in steps and
 * edges, times the number of steps named by rejections (in groups of 32).
 */
export function checkGraph(steps: readonly Step[]): GraphProblem[] {
  const graph = graphOf(steps);
  const order = topologicalOrder(graph);
  return [
    ...(graph.ids.length < steps.length ? duplicates(steps) : []),
    ...steps.flatMap((step) => edgeProblems(step, graph)),
    ...(order.length < graph.ids.length ? [...cycles(graph, order), ...unreachable(graph)] : []),
    ...rejections(steps, graph, order),
  ];
}

function duplicates(steps: readonly Step[]): GraphProblem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of steps) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((stepId) => ({ code: 'duplicate_step_id', stepId }));
}

function edgeProblems(step: Step, graph: StepGraph): GraphProblem[] {
  const problems: GraphProblem[] = [];
  for (const target of distinct(step.next))
    if (!graph.has(target)) problems.push({ code: 'unknown_next', stepId: step.id, target });
  for (const { setting: branch, target } of refersToNext(step))
    if (!step.next.includes(target))
      problems.push({ code: 'condition_target_not_next', stepId: step.id, branch, target });
  return problems;
}

/**
 * Finds at least one cycle of each connected group. The depth-first search uses an explicit stack, because chains can
 * be a thousand steps long.
 */
function cycles(graph: StepGraph, order: readonly string[]): GraphProblem[] {
  const found: GraphProblem[] = [];
  const named = new Set<string>();
  const finished = new Set(order);
  for (const start of graph.ids) {
    if (finished.has(start)) continue;
    const path: { id: string; edge: number }[] = [{ id: start, edge: 0 }];
    const depth = new Map([[start, 0]]);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const target = graph.next(top.id)[top.edge++];
      if (target === undefined) {
        finished.add(top.id);
        depth.delete(top.id);
        path.pop();
      } else if (depth.has(target)) {
        // Each step starts at most one reported cycle, which limits the report if every step leads to every other.
        if (named.has(target)) continue;
        const stepIds = path.slice(depth.get(target)).map((entry) => entry.id);
        for (const id of stepIds) named.add(id);
        found.push({ code: 'cycle', stepIds });
      } else if (!finished.has(target)) {
        depth.set(target, path.length);
        path.push({ id: target, edge: 0 });
      }
    }
  }
  return found;
}

function unreachable(graph: StepGraph): GraphProblem[] {
  const reached = reachableFrom(graph, graph.roots);
  return graph.ids.filter((id) => !reached.has(id)).map((stepId) => ({ code: 'unreachable', stepId }));
}

function rejections(steps: readonly Step[], graph: StepGraph, order: readonly string[]): GraphProblem[] {
  const returns: { stepId: string; target: string }[] = [];
  for (const step of steps)
    for (const { names, target } of refersTo(step)) if (names === 'earlier') returns.push({ stepId: step.id, target });
  if (returns.length === 0) return [];
  const isAncestor = ancestry(graph, order, new Set(returns.map(({ target }) => target)));
  const ordered = new Set(order);
  return returns.flatMap(({ stepId, target }): GraphProblem[] => {
    // On or after a cycle, "before" has no meaning, so only the cycle is reported.
    const known = !graph.has(target) || ordered.has(stepId);
    return known && !isAncestor(target, stepId) ? [{ code: 'on_reject_not_ancestor', stepId, target }] : [];
  });
}

/**
 * Computes, for a few steps of interest, whether one is before another. Each has one bit, propagated along all edges.
 */
function ancestry(graph: StepGraph, order: readonly string[], ofInterest: ReadonlySet<string>) {
  const bitOf = new Map([...ofInterest].map((id, bit) => [id, bit]));
  const words = Math.ceil(bitOf.size / 32);
  const before = new Map<string, Uint32Array>();
  for (const id of order) {
    const own = new Uint32Array(words);
    for (const previous of graph.previous(id)) {
      const theirs = before.get(previous);
      if (theirs) for (let word = 0; word < words; word++) own[word] = (own[word] ?? 0) | (theirs[word] ?? 0);
      const bit = bitOf.get(previous);
      if (bit !== undefined) own[bit >>> 5] = (own[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    before.set(id, own);
  }
  return (ancestor: string, id: string): boolean => {
    const bit = bitOf.get(ancestor);
    if (bit === undefined) return false;
    return (((before.get(id)?.[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  };
}
