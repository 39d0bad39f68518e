import { UNWRITTEN_SLA } from '../defaults/table.ts';
import { defaultConfig, type Step, type StepType } from '../steps/index.ts';
import { UNASSIGNED } from '../access/assignee.ts';

/** One row of the step table (specification, section 3); `type` isn't editable there. */
export type EditorRow = { id: string; type: StepType; step: string; assignee: string; sla: string; task: string };

/** The cells that a person edits and a diff compares (specification, section 9). */
export const EDITOR_FIELDS = ['step', 'assignee', 'sla', 'task'] as const;
export type EditorField = (typeof EDITOR_FIELDS)[number];

/** Initial values of a new step (specification, section 3). */
export const NEW_STEP = {
  step: 'New Step',
  assignee: UNASSIGNED,
  sla: UNWRITTEN_SLA,
  task: 'Describe what needs to be done in this step...',
} as const satisfies Record<EditorField, string>;

/** Returns the row of a step (specification, section 3). */
export const toEditorRow = ({ id, type, title, assignee, sla, description }: Step): EditorRow => ({
  id,
  type,
  step: title,
  assignee,
  sla,
  task: description,
});

/** Returns the rows of a workflow, in order. */
export const toEditorRows = (steps: readonly Step[]): EditorRow[] => steps.map(toEditorRow);

/** Returns a new step of a type, with the texts of `NEW_STEP` and the default settings of the type. */
export function newStep(id: string, type: StepType = 'manual'): Step {
  const texts = { title: NEW_STEP.step, description: NEW_STEP.task, assignee: NEW_STEP.assignee, sla: NEW_STEP.sla };
  return { id, ...texts, next: [], type, config: defaultConfig(type) };
}
