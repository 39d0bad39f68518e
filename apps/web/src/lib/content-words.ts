import { type Step, settingNamed } from '@stet/domain/steps';
import { METADATA } from '@stet/domain/workflows';
import { formText } from '@stet/presentation/form-changes';
import { plainText } from '@stet/presentation/plain-text';

/** Returns a step's title by its id, or the id itself if there is none. */
export type TitleOf = (stepId: string) => string;

const FIELD_LABELS: Readonly<Record<string, string>> = {
  title: 'Step',
  description: 'Task',
  assignee: 'Assignee',
  sla: 'SLA',
  type: 'Type',
  config: 'Settings',
  next: 'Next steps',
  previous: 'Previous steps',
  position: 'Position',
  step: 'The step',
};
const WORKFLOW_LABELS: Readonly<Record<string, { label: string }>> = {
  ...METADATA,
  title: { label: 'Workflow name' },
};

export const stepFieldLabel = (field: string): string => FIELD_LABELS[field] ?? field;
/** The label of one of the workflow's own fields. */
export const workflowFieldLabel = (field: string): string => WORKFLOW_LABELS[field]?.label ?? field;

/** A field's value in words: steps as titles, settings one per line. */
export function fieldText(field: string, value: unknown, titleOf: TitleOf): string {
  if (value === null || value === undefined) return '';
  if (field === 'next') return Array.isArray(value) ? stepNames(value.map(String), titleOf) : '';
  if (field === 'previous') return Array.isArray(value) ? value.map(String).map(titleOf).join(', ') : '';
  if (field === 'config') return settingLines(value, titleOf).join('\n');
  return plainText(value);
}

export function stepNames(ids: readonly string[], titleOf: TitleOf): string {
  return ids.length === 0 ? 'None: the workflow ends' : ids.map(titleOf).join(', ');
}

/** The type and its settings in words. They are shown together because people choose them together. */
export const kindText = ({ type, config }: Pick<Step, 'type' | 'config'>, titleOf: TitleOf): string =>
  [type, ...settingLines(config, titleOf)].join('\n');

/** A step's title, task, assignee, SLA, type and settings, one per line, without empty ones. */
export function stepText(step: Step, titleOf: TitleOf): string {
  const lines = (['description', 'assignee', 'sla'] as const).flatMap((field) =>
    step[field] === '' ? [] : [`${stepFieldLabel(field)}: ${step[field]}`],
  );
  return [step.title, ...lines, `Type: ${kindText(step, titleOf)}`].join('\n');
}

function settingLines(value: unknown, titleOf: TitleOf): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, setting]) => {
    const text = (name === 'fields' ? formText(setting, true) : null) ?? plainText(setting);
    return `${settingNamed(name)?.label ?? name}: ${settingNamed(name)?.names ? titleOf(text) : text}`;
  });
}
