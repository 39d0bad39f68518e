import { relinkAfterReorder } from '@stet/domain/workflows';
import type { EditorField, Step, WorkflowContent } from '@stet/domain/workflows';
import { sameStep } from './same-content.ts';

/** Where each column of the table is kept in a step. */
const STEP_FIELD = { step: 'title', assignee: 'assignee', sla: 'sla', task: 'description' } as const satisfies Record<
  EditorField,
  keyof Step
>;

export const readCell = (step: Step, field: EditorField): string => step[STEP_FIELD[field]];

/** The document with one cell changed; the same object where nothing changes, so that nothing is recorded for it. */
export function editCell(content: WorkflowContent, stepId: string, field: EditorField, value: string): WorkflowContent {
  const index = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[index];
  if (!step || readCell(step, field) === value) return content;
  return { ...content, steps: content.steps.with(index, { ...step, [STEP_FIELD[field]]: value }) };
}

/** Puts `added` after the step `afterId`, or at the end; `next` follows the new order. */
export function insertSteps(content: WorkflowContent, added: readonly Step[], afterId: string | null): WorkflowContent {
  if (added.length === 0) return content;
  const at = afterId === null ? -1 : content.steps.findIndex((step) => step.id === afterId);
  const position = at === -1 ? content.steps.length : at + 1;
  return withOrder(content, content.steps.toSpliced(position, 0, ...added));
}

/** A copy of a step under a new id, placed right after it. What it says and how it is configured comes along. */
export function duplicateStep(content: WorkflowContent, stepId: string, newId: string): WorkflowContent {
  const step = content.steps.find((candidate) => candidate.id === stepId);
  if (!step) return content;
  return insertSteps(content, [structuredClone({ ...step, id: newId, next: [] })], stepId);
}

/** Without the step. The last one stays: a workflow has at least one step. */
export function deleteStep(content: WorkflowContent, stepId: string): WorkflowContent {
  if (content.steps.length === 1) return content;
  const left = content.steps.filter((step) => step.id !== stepId);
  return left.length === content.steps.length ? content : withOrder(content, left);
}

/** The step at `to` (an index into the steps as they are), the others closing up. */
export function moveStep(content: WorkflowContent, stepId: string, to: number): WorkflowContent {
  const from = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[from];
  const target = Math.max(0, Math.min(to, content.steps.length - 1));
  if (!step || from === target) return content;
  return withOrder(content, content.steps.toSpliced(from, 1).toSpliced(target, 0, step));
}

function withOrder(content: WorkflowContent, steps: Step[]): WorkflowContent {
  const linked = relinkAfterReorder(content.steps, steps);
  // A step that nothing happened to stays the same object: its row isn't drawn again, and comparing it costs nothing.
  return { ...content, steps: linked.map((step, index) => keep(steps[index], step)) };
}

const keep = (old: Step | undefined, now: Step): Step => (old && sameStep(old, now) ? old : now);
