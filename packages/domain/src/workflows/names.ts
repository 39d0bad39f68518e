import { cutText } from './cut-text.ts';
import { LIMITS } from './step.ts';

/** The title of a workflow begun from a template: 'New {template} Workflow', for the blank one 'New Workflow' (specification, section 4). */
export function newWorkflowTitle(template: { id: string; name: string }): string {
  return template.id === 'blank' ? 'New Workflow' : `New ${template.name} Workflow`;
}

/** The title of a duplicate: '{title} (Copy)', the title cut where that would be too long (specification, section 4). */
export function copyTitle(title: string): string {
  return withSuffix(title, ' (Copy)', LIMITS.title);
}

/**
 * The description of the draft that 'Change in editor' makes: ' (copy for changes)' at its end (specification,
 * section 4), once also where the source has it from an earlier round.
 */
export function copyForChangesDescription(description: string): string {
  const suffix = ' (copy for changes)';
  return description.endsWith(suffix) ? description : withSuffix(description, suffix, LIMITS.description);
}

/** What a person reads as a workflow's name: its title, or its key where the title is blank (specification, section 2). */
export function displayTitle(key: string, title: string): string {
  return title.trim() === '' ? key : title;
}

function withSuffix(text: string, suffix: string, limit: number): string {
  return cutText(text, limit - suffix.length) + suffix;
}
