import { checkGraph } from './graph-problems.ts';
import { isSameList } from './links.ts';
import { relinkChecked } from './relink.ts';
import { type Step, choosesNext, hasSameReferences, withReferences } from '../steps/index.ts';

/**
 * Arranges steps in the table or the builder (specification, section 2). Each function returns the steps after one
 * change, with links updated as in `relinkAfterReorder`. While the links are invalid (a cycle, a missing target), a
 * person is fixing them. Links are therefore only removed if they lead to missing steps, and none are added. An
 * unaffected step stays the same object.
 */

/** Inserts the steps `added` at row `at`, from 0; their own `next` is ignored. */
export function insertSteps(steps: readonly Step[], added: readonly Step[], at: number): Step[] {
  const row = Math.max(0, Math.min(at, steps.length));
  return relinked(steps, steps.toSpliced(row, 0, ...added.map((step) => ({ ...step, next: [] }))));
}

/** Removes the step; its predecessors lead to its successors. */
export function removeStep(steps: readonly Step[], id: string): Step[] {
  const left = steps.filter((step) => step.id !== id);
  return left.length === steps.length ? [...steps] : relinked(steps, left);
}

/** Moves the step to row `to`, from 0, and closes the gap at its old place. */
export function moveStep(steps: readonly Step[], id: string, to: number): Step[] {
  const from = steps.findIndex((step) => step.id === id);
  const step = steps[from];
  const row = Math.max(0, Math.min(to, steps.length - 1));
  if (!step || from === row) return [...steps];
  return relinked(steps, steps.toSpliced(from, 1).toSpliced(row, 0, step));
}

/**
 * Inserts a copy of the step right after it, with a new id. A copy of a condition leads to the same steps as the
 * original.
 */
export function copyStep(steps: readonly Step[], id: string, newId: string): Step[] {
  const at = steps.findIndex((step) => step.id === id);
  const step = steps[at];
  if (!step) return [...steps];
  const copied = insertSteps(steps, [{ ...step, id: newId }], at + 1);
  if (!choosesNext(step.type)) return copied;
  const decided = replaceStep(copied, { ...step, id: newId, next: [...step.next] });
  return checkGraph(decided).length > checkGraph(copied).length ? copied : decided;
}

/** Replaces the step that has the same id with `step`, including links. */
export function replaceStep(steps: readonly Step[], step: Step): Step[] {
  return steps.map((old) => (old.id === step.id ? step : old));
}

/** Returns the number of connections between steps. */
export function countConnections(steps: readonly Step[]): number {
  return steps.reduce((sum, { next }) => sum + new Set(next).size, 0);
}

function relinked(before: readonly Step[], after: readonly Step[]): Step[] {
  const problems = checkGraph(before);
  const isBroken = problems.some(({ code }) => code !== 'on_reject_not_ancestor');
  const linked = isBroken ? withoutGone(after) : relinkChecked(before, after, problems);
  return linked.map((step, row) => {
    const old = after[row];
    return old && hasSameLinks(old, step) ? old : step;
  });
}

/** Returns the current links, without those to missing steps. */
function withoutGone(steps: readonly Step[]): Step[] {
  const there = new Set(steps.map(({ id }) => id));
  return steps.map((step): Step => {
    const next = step.next.filter((id) => there.has(id));
    return withReferences({ ...step, next }, ({ names, target }) =>
      names === 'earlier' || there.has(target) ? target : undefined,
    );
  });
}

function hasSameLinks(left: Step, right: Step): boolean {
  return left === right || (isSameList(left.next, right.next) && hasSameReferences(left, right));
}
