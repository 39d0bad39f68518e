import { UNWRITTEN_SLA } from '../defaults/table.ts';
import { UNASSIGNED } from './assignee.ts';
import { defaultConfig } from './step-defaults.ts';
import { STEP_TYPES, type Step, type StepType } from './step.ts';

/** One line of the step table (specification, section 3); `type` is carried along and not edited there. */
export type EditorRow = { id: string; type: StepType; step: string; assignee: string; sla: string; task: string };

/** The cells of a row that a person edits and a diff compares (specification, section 9). */
export const EDITOR_FIELDS = ['step', 'assignee', 'sla', 'task'] as const;
export type EditorField = (typeof EDITOR_FIELDS)[number];

/** What a new step starts with (specification, section 3). */
export const NEW_STEP = {
  step: 'New Step',
  assignee: UNASSIGNED,
  sla: UNWRITTEN_SLA,
  task: 'Describe what needs to be done in this step...',
} as const satisfies Record<EditorField, string>;

/** A step as files and older clients have it: anything may be missing, two fields have a second name. */
type StepSource = {
  [Field in 'id' | 'type' | 'title' | 'name' | 'description' | 'instructions' | 'assignee' | 'sla']?: unknown;
};

/**
 * The row of a step. A missing value gets its default: 'Step {n}', 'Unassigned', '1 day', 'Task description...', id
 * `step-{n}` (specification, section 3). An empty text is not missing: an empty SLA means that there is no clock.
 * @param index place in the list, from 0
 */
export function toEditorRow(source: StepSource, index: number): EditorRow {
  return {
    id: firstText(source.id) ?? `step-${index + 1}`,
    type: readStepType(source.type),
    step: firstText(source.title, source.name) ?? `Step ${index + 1}`,
    assignee: firstText(source.assignee) ?? UNASSIGNED,
    sla: firstText(source.sla) ?? UNWRITTEN_SLA,
    task: firstText(source.description, source.instructions) ?? 'Task description...',
  };
}

/** The rows of a workflow, in its order. */
export function toEditorRows(steps: readonly StepSource[]): EditorRow[] {
  return steps.map(toEditorRow);
}

/** The step type that a text names: `review` is an older name of approval, whatever is unknown is manual (rulings, section 4). */
export function readStepType(value: unknown): StepType {
  if (value === 'review') return 'approval';
  return STEP_TYPES.find((type) => type === value) ?? 'manual';
}

/** A new step of a type, with what `NEW_STEP` says and the settings that `STEP_DEFAULTS` has for the type. */
export function newStep(id: string, type: StepType = 'manual'): Step {
  const texts = { title: NEW_STEP.step, description: NEW_STEP.task, assignee: NEW_STEP.assignee, sla: NEW_STEP.sla };
  const common = { id, ...texts, next: [] };
  switch (type) {
    case 'manual':
      return { ...common, type, config: defaultConfig('manual') };
    case 'approval':
      return { ...common, type, config: defaultConfig('approval') };
    case 'automated':
      return { ...common, type, config: defaultConfig('automated') };
    case 'condition':
      return { ...common, type, config: defaultConfig('condition') };
    case 'notification':
      return { ...common, type, config: defaultConfig('notification') };
  }
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}
