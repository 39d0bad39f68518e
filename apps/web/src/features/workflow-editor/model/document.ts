import type { Step } from '@stet/domain/steps';
import { relinkAfterReorder, type EditorField, type WorkflowContent } from '@stet/domain/workflows';
import { sameStep } from './same-content.ts';

/** The step property of each column. */
const STEP_FIELD = { step: 'title', assignee: 'assignee', sla: 'sla', task: 'description' } as const satisfies Record<
  EditorField,
  keyof Step
>;

export const readCell = (step: Step, field: EditorField): string => step[STEP_FIELD[field]];

/** The document with one cell changed; the same object if nothing changes, so that it isn't recorded for undo. */
export function editCell(content: WorkflowContent, stepId: string, field: EditorField, value: string): WorkflowContent {
  const index = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[index];
  if (!step || readCell(step, field) === value) return content;
  return { ...content, steps: content.steps.with(index, { ...step, [STEP_FIELD[field]]: value }) };
}

/** Inserts `added` after the step `afterId`, or at the end; `next` follows the new order. */
export function insertSteps(content: WorkflowContent, added: readonly Step[], afterId: string | null): WorkflowContent {
  if (added.length === 0) return content;
  const at = afterId === null ? -1 : content.steps.findIndex((step) => step.id === afterId);
  const position = at === -1 ? content.steps.length : at + 1;
  return withOrder(content, content.steps.toSpliced(position, 0, ...added));
}

/** A copy of a step with a new id, right after it, including its content and settings. */
export function duplicateStep(content: WorkflowContent, stepId: string, newId: string): WorkflowContent {
  const step = content.steps.find((candidate) => candidate.id === stepId);
  if (!step) return content;
  return insertSteps(content, [structuredClone({ ...step, id: newId, next: [] })], stepId);
}

/** The document without the step. The last step stays, because a workflow has at least one. */
export function deleteStep(content: WorkflowContent, stepId: string): WorkflowContent {
  if (content.steps.length === 1) return content;
  const left = content.steps.filter((step) => step.id !== stepId);
  return left.length === content.steps.length ? content : withOrder(content, left);
}

/** Moves a step to `to` (an index into the current steps); the others close the gap. */
export function moveStep(content: WorkflowContent, stepId: string, to: number): WorkflowContent {
  const from = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[from];
  const target = Math.max(0, Math.min(to, content.steps.length - 1));
  if (!step || from === target) return content;
  return withOrder(content, content.steps.toSpliced(from, 1).toSpliced(target, 0, step));
}

function withOrder(content: WorkflowContent, steps: Step[]): WorkflowContent {
  const linked = relinkAfterReorder(content.steps, steps);
  // An unchanged step stays the same object, so its row doesn't rerender and comparing it is free.
  return { ...content, steps: linked.map((step, index) => reuseIfSame(steps[index], step)) };
}

const reuseIfSame = (old: Step | undefined, now: Step): Step => (old && sameStep(old, now) ? old : now);
