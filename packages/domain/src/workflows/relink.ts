import { type Step, isBranching, withReferences } from '../steps/index.ts';
import { LIMITS } from './content.ts';
import { graphOf, type StepGraph } from './graph.ts';
import { checkGraph, type GraphProblem } from './graph-problems.ts';
import { Links } from './links.ts';

/**
 * Returns the steps as one chain in row order (specification, section 3). Invalid branch and rejection targets are
 * dropped.
 */
export function linearNext(steps: readonly Step[]): Step[] {
  const chain = chained(steps);
  return withoutDeadTargets(chain, checkGraph(chain));
}

/**
 * Returns the links of a workflow after its table was edited. `before` is the loaded workflow. `after` has the rows in
 * their new order with their new content, some removed, some added; its `next` lists are ignored. Step ids in each are
 * unique.
 *
 * - A plain chain becomes a plain chain in the new order.
 * - A row is plain if its only link in comes from the row above and it has at most one link out. If a plain row is
 *   moved, its old neighbors are linked to each other, and it is linked to its new neighbors. Added and removed rows
 *   are linked in the same way.
 * - All other links stay unchanged: a moved row that forks, joins, decides, or begins a branch has the same links as
 *   before.
 * - The targets of `trueNext` and `falseNext` move with the links. An `onReject` that is no longer before its step is
 *   dropped.
 *
 * The result has no unknown target, no cycle and no unreachable step. If `before` had one, or the edit would give a
 * step more links than allowed, the result is the plain chain.
 */
export function relinkAfterReorder(before: readonly Step[], after: readonly Step[]): Step[] {
  return relinkChecked(before, after, checkGraph(before));
}

/** Like `relinkAfterReorder`, if the problems with the graph of `before` are already known. */
export function relinkChecked(
  before: readonly Step[],
  after: readonly Step[],
  problemsBefore: readonly GraphProblem[],
): Step[] {
  if (problemsBefore.some(isStructural)) return linearNext(after);
  const graph = graphOf(before);
  const links = new Links(graph, before, after);
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

  const linked = links.applyTo(after);
  const problems = checkGraph(linked);
  const relinked = withoutDeadTargets(linked, problems);
  const isTooWide = relinked.some((step) => step.next.length > LIMITS.nextPerStep);
  const isInvalid = isTooWide || (problems.length > 0 && checkGraph(relinked).length > 0);
  return isInvalid ? linearNext(after) : relinked;
}

function chained(steps: readonly Step[]): Step[] {
  return steps.map((step, row) => {
    const following = steps[row + 1];
    return { ...step, next: following ? [following.id] : [] };
  });
}

/** Returns, for each row, the first row below it that is already placed in the graph. */
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

/** Returns the plain rows that must move so that all others stay in order. */
function movedRows(before: readonly Step[], after: readonly Step[], graph: StepGraph): Set<string> {
  const rowBefore = new Map(before.map((step, row) => [step.id, row]));
  const survivors = after.flatMap(({ id }) => {
    const row = rowBefore.get(id);
    return row === undefined ? [] : [{ id, row }];
  });
  if (survivors.every(({ row }, at) => at === 0 || row > (survivors[at - 1]?.row ?? row))) return new Set();
  // One fixed row outweighs all plain rows together. If a plain row and a fixed one were swapped, the plain one counts
  // as moved.
  const fixedWeight = survivors.length + 1;
  const best: { weight: number; from: number }[] = [];
  let end = -1;
  const plainRows = survivors.map(({ row }) => isPlain(before, row, graph));
  survivors.forEach(({ row }, at) => {
    let weight = 0;
    let from = -1;
    for (let earlier = 0; earlier < at; earlier++) {
      const reached = best[earlier]?.weight ?? 0;
      if ((survivors[earlier]?.row ?? row) < row && reached > weight) [weight, from] = [reached, earlier];
    }
    best[at] = { weight: weight + (plainRows[at] ? 1 : fixedWeight), from };
    if (end < 0 || (best[at]?.weight ?? 0) > (best[end]?.weight ?? 0)) end = at;
  });
  const longest = new Set<number>();
  for (let at = end; at >= 0; at = best[at]?.from ?? -1) longest.add(at);
  return new Set(survivors.filter((_, at) => plainRows[at] && !longest.has(at)).map(({ id }) => id));
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

function withoutDeadTargets(steps: Step[], problems: readonly GraphProblem[]): Step[] {
  if (problems.length === 0) return steps;
  const dead = new Map<string, Set<string>>();
  for (const problem of problems) {
    if (problem.code !== 'condition_target_not_next' && problem.code !== 'on_reject_not_ancestor') continue;
    const targets = dead.get(problem.stepId) ?? new Set();
    dead.set(problem.stepId, targets.add(deadTarget(REFERENCE_OF[problem.code], problem.target)));
  }
  return steps.map((step) => {
    const targets = dead.get(step.id);
    return targets
      ? withReferences(step, ({ names, target }) => (targets.has(deadTarget(names, target)) ? undefined : target))
      : step;
  });
}

const REFERENCE_OF = { condition_target_not_next: 'next', on_reject_not_ancestor: 'earlier' } as const;

const deadTarget = (names: 'next' | 'earlier', target: string): string => `${names} ${target}`;
