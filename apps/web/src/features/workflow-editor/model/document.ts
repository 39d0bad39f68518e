import type { Step } from '@stet/domain/steps';
import { relinkAfterReorder, type EditorField, type WorkflowContent } from '@stet/domain/workflows';
import { sameStep } from './same-content.ts';

/** The step's property for each column. */
const STEP_FIELD = { step: 'title', assignee: 'assignee', sla: 'sla', task: 'description' } as const satisfies Record<
  EditorField,
  keyof Step
>;

export const readCell = (step: Step, field: EditorField): string => step[STEP_FIELD[field]];

/** Changes one cell. If nothing changes, it returns the same object, so that no undo step is recorded. */
export function editCell(content: WorkflowContent, stepId: string, field: EditorField, value: string): WorkflowContent {
  const index = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[index];
  if (!step || readCell(step, field) === value) return content;
  return { ...content, steps: content.steps.with(index, { ...step, [STEP_FIELD[field]]: value }) };
}

/** Inserts steps after `afterId`, or at the end. Their `next` follows the new order. */
export function insertSteps(content: WorkflowContent, added: readonly Step[], afterId: string | null): WorkflowContent {
  if (added.length === 0) return content;
  const at = afterId === null ? -1 : content.steps.findIndex((step) => step.id === afterId);
  const position = at === -1 ? content.steps.length : at + 1;
  return withOrder(content, content.steps.toSpliced(position, 0, ...added));
}

/** Inserts a copy of a step right after it, with the same content and settings and a new id. */
export function duplicateStep(content: WorkflowContent, stepId: string, newId: string): WorkflowContent {
  const step = content.steps.find((candidate) => candidate.id === stepId);
  if (!step) return content;
  return insertSteps(content, [structuredClone({ ...step, id: newId, next: [] })], stepId);
}

/** Removes a step. The last step can't be removed, because a workflow has at least one. */
export function deleteStep(content: WorkflowContent, stepId: string): WorkflowContent {
  if (content.steps.length === 1) return content;
  const left = content.steps.filter((step) => step.id !== stepId);
  return left.length === content.steps.length ? content : withOrder(content, left);
}

/** Moves a step to `to`, an index into the current steps. The other steps close the gap. */
export function moveStep(content: WorkflowContent, stepId: string, to: number): WorkflowContent {
  const from = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[from];
  const target = Math.max(0, Math.min(to, content.steps.length - 1));
  if (!step || from === target) return content;
  return withOrder(content, content.steps.toSpliced(from, 1).toSpliced(target, 0, step));
}

function withOrder(content: WorkflowContent, steps: Step[]): WorkflowContent {
  const linked = relinkAfterReorder(content.steps, steps);
  // Unchanged steps must stay the same objects, so that their rows don't rerender and comparing them is cheap.
  return { ...content, steps: linked.map((step, index) => reuseIfSame(steps[index], step)) };
}

const reuseIfSame = (old: Step | undefined, now: Step): Step => (old && sameStep(old, now) ? old : now);
