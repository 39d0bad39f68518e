import { graphOf, isBranching, type StepGraph } from './graph.ts';
import { checkGraph, type GraphProblem } from './graph-problems.ts';
import { Links } from './links.ts';
import { LIMITS, type Step } from './step.ts';

/** The steps as one chain in row order (specification, section 3). Branch and rejection targets that no longer hold go. */
export function linearNext(steps: readonly Step[]): Step[] {
  return withoutDeadTargets(chained(steps));
}

/**
 * The links of a workflow after its table was edited (rulings, section 4). `before` is as it was loaded; `after` has the
 * rows in their new order with their new content, some removed, some added; its `next` lists are not read. Step ids in
 * each are unique.
 *
 * - A plain chain gives a plain chain in the new order.
 * - A row that was moved out of a plain stretch (one way in from the row above, at most one way out) leaves its place,
 *   which closes, and goes between the rows it was put between; so does an added one. A removed row's place closes too.
 * - All other links stay: a moved row that forks, joins, decides, or begins a branch takes its links along.
 * - What `trueNext` and `falseNext` lead to moves with the links. An `onReject` that no longer lies before its step goes.
 *
 * The answer has no unknown target, no cycle, no unreachable step. Where `before` had one, or the edit would give a step
 * more links than a step may have, it is the plain chain.
 */
export function relinkAfterReorder(before: readonly Step[], after: readonly Step[]): Step[] {
  if (checkGraph(before).some(isStructural)) return linearNext(after);
  const graph = graphOf(before);
  const links = new Links(before, after);
  const remaining = new Set(after.map((step) => step.id));
  const moved = movedRows(before, after, graph);

  for (const id of graph.ids) if (!remaining.has(id)) links.remove(id);
  for (const id of moved) links.detach(id);
  const placed = new Set(after.map((step) => step.id).filter((id) => graph.has(id) && !moved.has(id)));
  const below = nextPlaced(after, placed);
  let above: string | undefined;
  after.forEach(({ id }, row) => {
    if (!placed.has(id)) links.insert(id, above, below[row]);
    above = id;
  });

  const relinked = withoutDeadTargets(links.applyTo(after));
  const isTooWide = relinked.some((step) => step.next.length > LIMITS.nextPerStep);
  return isTooWide || checkGraph(relinked).length > 0 ? linearNext(after) : relinked;
}

function chained(steps: readonly Step[]): Step[] {
  return steps.map((step, row) => {
    const following = steps[row + 1];
    return { ...step, next: following ? [following.id] : [] };
  });
}

/** For each row, the first row below it that has a place in the graph already. */
function nextPlaced(after: readonly Step[], placed: ReadonlySet<string>): (string | undefined)[] {
  const below: (string | undefined)[] = [];
  let nearest: string | undefined;
  for (let row = after.length - 1; row >= 0; row--) {
    below[row] = nearest;
    const id = after[row]?.id;
    if (id !== undefined && placed.has(id)) nearest = id;
  }
  return below;
}

/** The plain rows that have to change place so that all others keep their order. */
function movedRows(before: readonly Step[], after: readonly Step[], graph: StepGraph): Set<string> {
  const rowBefore = new Map(before.map((step, row) => [step.id, row]));
  const survivors = after.flatMap(({ id }) => {
    const row = rowBefore.get(id);
    return row === undefined ? [] : [{ id, row, isPlain: isPlain(before, row, graph) }];
  });
  // Heavier than all plain rows together: of two rows that were swapped, the plain one is the one that moved.
  const fixedWeight = survivors.length + 1;
  const best: { weight: number; from: number }[] = [];
  let end = -1;
  survivors.forEach(({ row, isPlain: plain }, at) => {
    let weight = 0;
    let from = -1;
    for (let earlier = 0; earlier < at; earlier++) {
      const reached = best[earlier]?.weight ?? 0;
      if ((survivors[earlier]?.row ?? row) < row && reached > weight) [weight, from] = [reached, earlier];
    }
    best[at] = { weight: weight + (plain ? 1 : fixedWeight), from };
    if (end < 0 || (best[at]?.weight ?? 0) > (best[end]?.weight ?? 0)) end = at;
  });
  const kept = new Set<number>();
  for (let at = end; at >= 0; at = best[at]?.from ?? -1) kept.add(at);
  return new Set(survivors.filter((survivor, at) => survivor.isPlain && !kept.has(at)).map(({ id }) => id));
}

function isPlain(before: readonly Step[], row: number, graph: StepGraph): boolean {
  const step = before[row];
  if (!step || isBranching(step) || graph.next(step.id).length > 1) return false;
  const above = before[row - 1];
  const [previous, ...others] = graph.previous(step.id);
  if (!above) return previous === undefined;
  return previous === above.id && others.length === 0 && !isBranching(above) && graph.next(above.id).length === 1;
}

function isStructural(problem: GraphProblem): boolean {
  return problem.code !== 'condition_target_not_next' && problem.code !== 'on_reject_not_ancestor';
}

function withoutDeadTargets(steps: Step[]): Step[] {
  const dead = new Map<string, Set<string>>();
  for (const problem of checkGraph(steps)) {
    if (isStructural(problem) || !('stepId' in problem)) continue;
    const key = problem.code === 'condition_target_not_next' ? problem.branch : 'onReject';
    dead.set(problem.stepId, (dead.get(problem.stepId) ?? new Set()).add(key));
  }
  return steps.map((step) => {
    const keys = dead.get(step.id);
    if (!keys) return step;
    if (step.type === 'condition') return { ...step, config: without(step.config, keys) };
    return step.type === 'approval' ? { ...step, config: without(step.config, keys) } : step;
  });
}

function without<C extends object>(config: C, keys: ReadonlySet<string>): C {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !keys.has(key))) as C;
}
