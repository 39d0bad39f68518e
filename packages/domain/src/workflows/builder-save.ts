import { UNWRITTEN_SLA } from '../defaults/table.ts';
import { UNASSIGNED } from './assignee.ts';
import { newStep } from './editor-rows.ts';
import { STEP_DEFAULTS } from './step-defaults.ts';
import type { Step, StepType, WorkflowContent } from './step.ts';

/** What a save from the management list writes where nothing was written (specification, section 5, list-save defaults). */
export const LIST_SAVE_DEFAULTS = {
  title: 'Untitled Step',
  description: 'No description provided',
  assignee: UNASSIGNED,
  sla: UNWRITTEN_SLA,
} as const;

/** How a step is called wherever it is named: by its title, also where it has none yet. */
export const stepTitle = ({ title }: Pick<Step, 'title'>): string =>
  title.trim() === '' ? LIST_SAVE_DEFAULTS.title : title;

/** A new step of the builder: nothing written yet, with the SLA and the settings that its type starts with (section 9). */
export function newBuilderStep(id: string, type: StepType): Step {
  return { ...newStep(id, type), title: '', description: '', assignee: '', sla: STEP_DEFAULTS[type].sla };
}

/** Why the builder can't save this, in the words of the specification (section 5); null where it can. */
export function builderSaveProblem({ metadata, steps }: WorkflowContent): string | null {
  if (metadata.title.trim() === '') return 'Workflow title is required';
  return steps.length === 0 ? 'Workflow must have at least one step' : null;
}

/**
 * The content as the builder saves it (specification, section 5): what was left empty gets its default, the assignee the
 * role of the step's settings where there is one. What is empty in `before` and still is stays empty: an empty SLA means
 * that there is no clock.
 */
export function withListSaveDefaults(content: WorkflowContent, before: WorkflowContent): WorkflowContent {
  const known = new Map(before.steps.map((step) => [step.id, step]));
  const steps = content.steps.map((step) => {
    const old = known.get(step.id);
    const defaults = { ...LIST_SAVE_DEFAULTS, assignee: roleOf(step) ?? LIST_SAVE_DEFAULTS.assignee };
    const missing = FIELDS.filter((field) => step[field].trim() === '' && old?.[field].trim() !== '');
    if (missing.length === 0) return step;
    return { ...step, ...Object.fromEntries(missing.map((field) => [field, defaults[field]])) };
  });
  return steps.every((step, at) => step === content.steps[at]) ? content : { ...content, steps };
}

const FIELDS = ['title', 'description', 'assignee', 'sla'] as const;

function roleOf({ config }: Step): string | undefined {
  const role = 'assignedRole' in config ? config.assignedRole?.trim() : undefined;
  return role === '' ? undefined : role;
}
