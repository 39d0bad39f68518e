import { checkGraph } from './graph-problems.ts';
import { relinkAfterReorder } from './relink.ts';
import type { Step } from './step.ts';

/**
 * Arranging the steps of a workflow as the builder does it (specification, section 2): each function gives the steps
 * after one change, with links that follow as `relinkAfterReorder` has it. While the links are broken (a cycle, a target
 * that is gone) no link is made up or taken away behind the person who is mending them. A step that nothing happened to
 * stays the same object.
 */

/** With `step` at row `at`, from 0; its own `next` isn't read. */
export function insertStep(steps: readonly Step[], step: Step, at: number): Step[] {
  const row = Math.max(0, Math.min(at, steps.length));
  return relinked(steps, steps.toSpliced(row, 0, { ...step, next: [] }));
}

/** Without the step; what led to it leads to what followed it. */
export function removeStep(steps: readonly Step[], id: string): Step[] {
  const left = steps.filter((step) => step.id !== id);
  return left.length === steps.length ? [...steps] : relinked(steps, left);
}

/** With the step at row `to`, from 0, the others closing up. */
export function moveStep(steps: readonly Step[], id: string, to: number): Step[] {
  const from = steps.findIndex((step) => step.id === id);
  const step = steps[from];
  const row = Math.max(0, Math.min(to, steps.length - 1));
  if (!step || from === row) return [...steps];
  return relinked(steps, steps.toSpliced(from, 1).toSpliced(row, 0, step));
}

/** With a copy of the step right after it, under a new id. A copy of a condition leads where the condition led. */
export function copyStep(steps: readonly Step[], id: string, newId: string): Step[] {
  const at = steps.findIndex((step) => step.id === id);
  const step = steps[at];
  if (!step) return [...steps];
  const copied = insertStep(steps, { ...step, id: newId }, at + 1);
  if (step.type !== 'condition') return copied;
  const decided = replaceStep(copied, { ...step, id: newId, next: [...step.next] });
  return checkGraph(decided).length > checkGraph(copied).length ? copied : decided;
}

/** With `step`, links included, in the place of the one that has its id. */
export function replaceStep(steps: readonly Step[], step: Step): Step[] {
  return steps.map((old) => (old.id === step.id ? step : old));
}

/** How many connections lead from step to step. */
export function countConnections(steps: readonly Step[]): number {
  return steps.reduce((sum, { next }) => sum + new Set(next).size, 0);
}

function relinked(before: readonly Step[], after: readonly Step[]): Step[] {
  const isBroken = checkGraph(before).some(({ code }) => code !== 'on_reject_not_ancestor');
  const linked = isBroken ? withoutGone(after) : relinkAfterReorder(before, after);
  return linked.map((step, row) => {
    const old = after[row];
    return old && hasSameLinks(old, step) ? old : step;
  });
}

/** The links as they are, without those to steps that are gone. */
function withoutGone(steps: readonly Step[]): Step[] {
  const there = new Set(steps.map(({ id }) => id));
  return steps.map((step): Step => {
    const next = step.next.filter((id) => there.has(id));
    if (step.type !== 'condition') return { ...step, next };
    const { trueNext, falseNext, ...config } = step.config;
    const kept = {
      ...(trueNext !== undefined && there.has(trueNext) && { trueNext }),
      ...(falseNext !== undefined && there.has(falseNext) && { falseNext }),
    };
    return { ...step, next, config: { ...config, ...kept } };
  });
}

function hasSameLinks(left: Step, right: Step): boolean {
  return (
    left.next.length === right.next.length &&
    left.next.every((id, at) => id === right.next[at]) &&
    rest(left) === rest(right)
  );
}

function rest({ type, config }: Step): string {
  if (type === 'condition') return `${config.trueNext}\n${config.falseNext}`;
  return type === 'approval' ? `${config.onReject}` : '';
}
