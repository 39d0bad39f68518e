import { UNWRITTEN_SLA } from '../defaults/table.ts';
import { STEP_KINDS, type Step, type StepType } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';
import { UNASSIGNED } from '../access/assignee.ts';
import { newStep } from './editor-rows.ts';

/**
 * Default texts that a save from the management list writes into empty fields (specification, section 5, list-save
 * defaults).
 */
export const LIST_SAVE_DEFAULTS = {
  title: 'Untitled Step',
  description: 'No description provided',
  assignee: UNASSIGNED,
  sla: UNWRITTEN_SLA,
} as const;

/** Returns the name under which a step is shown: its title, or a placeholder if it has none. */
export const stepTitle = ({ title }: Pick<Step, 'title'>): string =>
  title.trim() === '' ? LIST_SAVE_DEFAULTS.title : title;

/** Returns a new step of the builder: without texts, with the SLA and settings of its type (section 9). */
export function newBuilderStep(id: string, type: StepType): Step {
  return { ...newStep(id, type), title: '', description: '', assignee: '', sla: STEP_KINDS[type].defaults.sla };
}

/**
 * Returns the reason why the builder can't save this content, in the words of the specification (section 5); null if it
 * can.
 */
export function builderSaveProblem({ metadata, steps }: WorkflowContent): string | null {
  if (metadata.title.trim() === '') return 'Workflow title is required';
  return steps.length === 0 ? 'Workflow must have at least one step' : null;
}

/**
 * Returns the content as the builder saves it (specification, section 5). Empty fields get their defaults, and the
 * assignee gets the role in the step's settings if there is one. A field that was already empty in `before` stays
 * empty, because an empty SLA means no SLA.
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
