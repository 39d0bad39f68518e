import { hasDirectionControl } from '../workflows/hidden-characters.ts';
import type { Step, WorkflowContent } from '../workflows/step.ts';

/** A field of a step with a character that makes it read differently from what it says. */
export type DirectionControl = { stepId: string; field: string; text: string };

/**
 * Scripts, conditions, assignees, roles, recipients and ids with direction controls: what runs, or whom it reaches, would
 * not be what people read. What one of the stored contents has in the same field of the same step is left alone, so that
 * an older workflow can still be saved. In row order.
 * @param stored what a draft is, and what it is made of
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
  const fields: [field: string, text: string | undefined][] = [
    ['id', step.id],
    ['assignee', step.assignee],
  ];
  switch (step.type) {
    case 'manual':
    case 'approval':
      fields.push(['assignedRole', step.config.assignedRole]);
      break;
    case 'automated':
      fields.push(['script', step.config.script]);
      break;
    case 'condition':
      fields.push(['condition', step.config.condition]);
      break;
    case 'notification':
      // One by one, so that a recipient can be added beside one that is stored.
      for (const recipient of step.config.recipients ?? []) fields.push(['recipients', recipient]);
      break;
  }
  return fields.map(([field, text = '']) => ({ stepId: step.id, field, text }));
}
