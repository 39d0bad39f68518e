import { formatDuration, parseDuration } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import type { EditorField, WorkflowContent } from '@stet/domain/workflows';

/** The step's property for each column. */
const STEP_FIELD = { step: 'title', assignee: 'assignee', sla: 'sla', task: 'description' } as const satisfies Record<
  EditorField,
  keyof Step
>;

/** A typed duration as it is stored, such as '2 days 4 hours'. Any other text is only trimmed. */
export function typedSla(text: string): string {
  const parsed = parseDuration(text);
  return parsed.ok ? formatDuration(parsed.ms) : text.trim();
}

export const readCell = (step: Step, field: EditorField): string => step[STEP_FIELD[field]];

/** Changes one cell. If nothing changes, it returns the same object, so that no undo step is recorded. */
export function editCell(content: WorkflowContent, stepId: string, field: EditorField, value: string): WorkflowContent {
  const index = content.steps.findIndex((step) => step.id === stepId);
  const step = content.steps[index];
  if (!step || readCell(step, field) === value) return content;
  return { ...content, steps: content.steps.with(index, { ...step, [STEP_FIELD[field]]: value }) };
}

/** The document with these steps. If nothing changes, it returns the same object, so that no undo step is recorded. */
export function withSteps(content: WorkflowContent, steps: Step[]): WorkflowContent {
  const isSame = steps.length === content.steps.length && steps.every((step, row) => step === content.steps[row]);
  return isSame ? content : { ...content, steps };
}
