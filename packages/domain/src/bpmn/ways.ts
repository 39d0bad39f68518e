import { STEP_ELEMENTS } from '../steps/index.ts';
import type { BpmnElement, BpmnFlow, BpmnProcess, LeftOut } from './process.ts';

/** A way out of a step: the next steps, skipping elements that aren't steps. */
export type Way = { to: string[]; flow: BpmnFlow | null };
/** A step's element with its ways out. A decision takes the first way if it is true, and the others if it is false. */
export type WayNode = { element: BpmnElement; ways: Way[]; isDecision: boolean };
/** The elements that become steps, in row order, and everything the import leaves out. */
export type Ways = { nodes: WayNode[]; leftOut: LeftOut[] };

/** A gateway is a step only if it decides. */
const TASKS: ReadonlySet<string> = new Set(STEP_ELEMENTS.filter((element) => element !== 'exclusiveGateway'));

/**
 * Finds the elements that become steps, and the steps that follow each. Loops, and steps that no start reaches, are
 * left out.
 */
export function waysOf({ elements, flows }: BpmnProcess): Ways {
  const byId = new Map(elements.map((element) => [element.id, element]));
  const out = new Map<string, BpmnFlow[]>();
  const into = new Set<string>();
  for (const flow of flows) {
    const source = byId.get(flow.from);
    if (!source || source.isBoundary || !byId.has(flow.to)) continue;
    out.set(flow.from, [...(out.get(flow.from) ?? []), flow]);
    into.add(flow.to);
  }
  const flowsOf = (id: string): BpmnFlow[] => out.get(id) ?? [];
  const isDecision = (element: BpmnElement): boolean =>
    element.kind === 'exclusiveGateway' && (element.step !== null || flowsOf(element.id).length > 1);
  const isStep = (element: BpmnElement): boolean => TASKS.has(element.kind) || isDecision(element);
  const reach = (ids: readonly string[]): string[] => stepsBehind(ids, byId, flowsOf, isStep);

  const starts = elements.filter(({ kind }) => kind === 'startEvent');
  const begins = starts.length > 0 ? starts : elements.filter(({ id, isBoundary }) => !into.has(id) && !isBoundary);
  const roots = [
    ...new Set(begins.flatMap((each) => (isStep(each) ? [each.id] : reach(flowsOf(each.id).map(({ to }) => to))))),
  ];

  const nodes = new Map<string, WayNode>();
  for (const element of elements.filter(isStep)) {
    const decides = isDecision(element);
    const own = decides ? inOrder(element, flowsOf(element.id)) : flowsOf(element.id);
    const each = own.map((flow): Way => ({ to: reach([flow.to]), flow }));
    const ways = decides ? each : [{ to: [...new Set(each.flatMap(({ to }) => to))], flow: null }];
    nodes.set(element.id, { element, ways, isDecision: decides });
  }
  const leftOut = [...unknownOnes(elements), ...cutLoops(nodes, roots), ...takeUnreached(nodes, roots)];
  const order = inRows(nodes, roots);
  return { nodes: order, leftOut };
}

/**
 * Flows with a condition come first, the default comes last, and others are in between. Among these, flows with names
 * such as 'no' or 'else' come last.
 */
function inOrder(element: BpmnElement, flows: readonly BpmnFlow[]): BpmnFlow[] {
  const rank = (flow: BpmnFlow): number => {
    if (flow.id === element.defaultFlow) return 3;
    if (flow.condition !== null) return 0;
    return /^(?:no|false|nein|non|else|otherwise)\b/i.test(flow.name.trim()) ? 2 : 1;
  };
  return flows.toSorted((a, b) => rank(a) - rank(b));
}

function stepsBehind(
  ids: readonly string[],
  byId: ReadonlyMap<string, BpmnElement>,
  flowsOf: (id: string) => BpmnFlow[],
  isStep: (element: BpmnElement) => boolean,
): string[] {
  const found: string[] = [];
  const seen = new Set(ids);
  // Iterating a set also visits the entries added during the loop.
  for (const id of seen) {
    const element = byId.get(id);
    if (!element) continue;
    if (isStep(element)) found.push(id);
    else for (const { to } of flowsOf(id)) seen.add(to);
  }
  return found;
}

function unknownOnes(elements: readonly BpmnElement[]): LeftOut[] {
  return elements
    .filter(({ kind, isBoundary }) => kind === 'other' || isBoundary)
    .map(({ what = 'element', name, isBoundary }) => ({
      what,
      name,
      reason: isBoundary
        ? 'Steps can’t have boundary events'
        : 'Workflows don’t support this element; the step after it now follows the step before it',
    }));
}

/** Removes flows that lead back to an earlier step. The walk from the roots is in file order. */
function cutLoops(nodes: Map<string, WayNode>, roots: readonly string[]): LeftOut[] {
  const leftOut: LeftOut[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of roots) {
    const path: { id: string; targets: [Way, string][] }[] = [];
    const enter = (id: string): void => {
      state.set(id, 'open');
      path.push({
        id,
        targets: (nodes.get(id)?.ways ?? [])
          .flatMap((way) => way.to.map((to): [Way, string] => [way, to]))
          .toReversed(),
      });
    };
    if (!state.has(root)) enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const [way, target] = top.targets.pop() ?? [];
      if (way === undefined || target === undefined) {
        state.set(top.id, 'done');
        path.pop();
      } else if (state.get(target) === 'open') {
        way.to = way.to.filter((to) => to !== target);
        const [from, to] = [nameOf(nodes, top.id), nameOf(nodes, target)];
        leftOut.push({ what: 'loop', name: `${from} → ${to}`, reason: 'Workflows can’t have loops' });
      } else if (!state.has(target)) enter(target);
    }
  }
  return leftOut;
}

/** Removes the steps that are unreachable from every root. */
function takeUnreached(nodes: Map<string, WayNode>, roots: readonly string[]): LeftOut[] {
  const reached = new Set(roots);
  for (const id of reached) for (const way of nodes.get(id)?.ways ?? []) for (const to of way.to) reached.add(to);
  const leftOut: LeftOut[] = [];
  for (const [id, { element }] of nodes) {
    if (reached.has(id)) continue;
    nodes.delete(id);
    leftOut.push({ what: 'step', name: element.name || id, reason: 'It can’t be reached from the start' });
  }
  return leftOut;
}

const nameOf = (nodes: ReadonlyMap<string, WayNode>, id: string): string => nodes.get(id)?.element.name.trim() || id;

/** Returns steps in file order if Stet wrote all elements; otherwise each step after its predecessors. */
function inRows(nodes: ReadonlyMap<string, WayNode>, roots: readonly string[]): WayNode[] {
  const all = [...nodes.values()];
  if (all.every(({ element }) => element.step !== null)) return all;
  const missing = new Map<string, number>();
  for (const { ways } of all)
    for (const to of new Set(ways.flatMap((way) => way.to))) missing.set(to, (missing.get(to) ?? 0) + 1);
  const queue = roots.filter((id) => !missing.get(id));
  // The array grows during the iteration.
  for (const id of queue) {
    for (const to of new Set(nodes.get(id)?.ways.flatMap((way) => way.to))) {
      const left = (missing.get(to) ?? 0) - 1;
      missing.set(to, left);
      if (left === 0) queue.push(to);
    }
  }
  return queue.flatMap((id) => nodes.get(id) ?? []);
}
