import { graphOf, reachableFrom, type StepGraph, topologicalOrder } from './graph.ts';
import type { ApprovalStep, Step } from './step.ts';

/** What can be wrong with the graph of a workflow (rulings, section 4), as data that names the steps. */
export type GraphProblem =
  | { code: 'duplicate_step_id'; stepId: string }
  | { code: 'unknown_next'; stepId: string; target: string }
  /** In the order of the cycle; a step that follows itself stands alone. */
  | { code: 'cycle'; stepIds: string[] }
  | { code: 'unreachable'; stepId: string }
  | { code: 'condition_target_not_next'; stepId: string; branch: 'trueNext' | 'falseNext'; target: string }
  | { code: 'on_reject_not_ancestor'; stepId: string; target: string };

/**
 * Everything that is wrong with the graph of these steps; empty when a run can be made of them. In row order, cycles
 * after what is wrong with single edges. A blank `trueNext`, `falseNext` or `onReject` counts as absent.
 * Linear in steps and edges (times the steps that rejections name, 32 at once).
 */
export function checkGraph(steps: readonly Step[]): GraphProblem[] {
  const graph = graphOf(steps);
  const order = topologicalOrder(graph);
  return [
    ...duplicates(steps),
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
  const targets = new Set(step.next);
  const problems: GraphProblem[] = [];
  for (const target of targets)
    if (!graph.has(target)) problems.push({ code: 'unknown_next', stepId: step.id, target });
  if (step.type !== 'condition') return problems;
  for (const branch of ['trueNext', 'falseNext'] as const) {
    const target = step.config[branch];
    if (target && !targets.has(target)) {
      problems.push({ code: 'condition_target_not_next', stepId: step.id, branch, target });
    }
  }
  return problems;
}

/** At least one cycle of every tangle: a depth-first walk with a stack of its own, since chains are a thousand steps long. */
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
        // A step is named once as the beginning of a cycle; that bounds the report where every step follows every other.
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
  const returning = steps.filter(
    (step): step is ApprovalStep => step.type === 'approval' && Boolean(step.config.onReject),
  );
  if (returning.length === 0) return [];
  const isAncestor = ancestry(graph, order, new Set(returning.map((step) => step.config.onReject ?? '')));
  const ordered = new Set(order);
  return returning.flatMap((step): GraphProblem[] => {
    const target = step.config.onReject ?? '';
    // On or behind a cycle "before" means nothing; the cycle is reported instead.
    const known = !graph.has(target) || ordered.has(step.id);
    return known && !isAncestor(target, step.id) ? [{ code: 'on_reject_not_ancestor', stepId: step.id, target }] : [];
  });
}

/** For a few steps of interest: is one before another? One bit a step of interest, passed along all edges. */
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
