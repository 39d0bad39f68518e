import { cutText } from './cut-text.ts';
import { METADATA } from './content.ts';

/**
 * Returns a new workflow's title from a template: 'New {template} Workflow', or 'New Workflow' for the blank one
 * (specification, section 4).
 */
export function newWorkflowTitle(template: { id: string; name: string }): string {
  return template.id === 'blank' ? 'New Workflow' : `New ${template.name} Workflow`;
}

/**
 * Returns a duplicate's title: '{title} (Copy)', with the title cut if that would be too long (specification, section
 * 4).
 */
export function copyTitle(title: string): string {
  return withSuffix(title, ' (Copy)', METADATA.title.limit);
}

/**
 * Returns the description of the draft that 'Change in editor' creates. It ends with ' (copy for changes)'
 * (specification, section 4). This is added only once, even if the source is already such a copy.
 */
export function copyForChangesDescription(description: string): string {
  const suffix = ' (copy for changes)';
  return description.endsWith(suffix) ? description : withSuffix(description, suffix, METADATA.description.limit);
}

/** Returns the display name of a workflow: its title, or its key if the title is blank (specification, section 2). */
export function displayTitle(key: string, title: string): string {
  return title.trim() === '' ? key : title;
}

function withSuffix(text: string, suffix: string, limit: number): string {
  return cutText(text, limit - suffix.length) + suffix;
}
