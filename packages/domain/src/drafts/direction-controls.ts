import { hasDirectionControl } from '../workflows/hidden-characters.ts';
import { type Step, settingsOf } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';

/** A field of a step with a character that makes it look different from its content. */
export type DirectionControl = { stepId: string; field: string; text: string };

/**
 * Returns the direction controls in scripts, conditions, assignees, roles, recipients and ids. There they would mislead
 * people about the code that runs or the people who are notified. A stored text in the same field of the same step is
 * accepted, so an older workflow can still be saved. The result is in row order.
 * @param stored the current content of the draft, and its base
 */
export function directionControls(
  content: Pick<WorkflowContent, 'steps'>,
  stored: readonly Pick<WorkflowContent, 'steps'>[] = [],
): DirectionControl[] {
  const found = content.steps.flatMap(controlledFields).filter(({ text }) => hasDirectionControl(text));
  if (found.length === 0) return [];
  const known = new Set(stored.flatMap(({ steps }) => steps.flatMap(controlledFields)).map(keyOf));
  return found.filter((each) => !known.has(keyOf(each)));
}

const keyOf = ({ stepId, field, text }: DirectionControl): string => JSON.stringify([stepId, field, text]);

function controlledFields(step: Step): DirectionControl[] {
  const values: Readonly<Record<string, unknown>> = step.config;
  const fields: [field: string, value: unknown][] = [
    ['id', step.id],
    ['assignee', step.assignee],
    ...settingsOf(step.type).flatMap(([name, { isExact }]) =>
      isExact ? [[name, values[name]] as [string, unknown]] : [],
    ),
  ];
  // The entries of a list are compared one by one, so that one can be added beside a stored one.
  return fields.flatMap(([field, value = '']) =>
    (Array.isArray(value) ? value : [value]).map((text) => ({ stepId: step.id, field, text: String(text) })),
  );
}
