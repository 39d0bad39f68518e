import { newStep } from './editor-rows.ts';
import { copyForChangesDescription, copyTitle } from './names.ts';
import type { WorkflowContent } from './content.ts';

/**
 * Returns a duplicate's content: the title with ' (Copy)' and the same steps, or one new step if there were none
 * (specification, section 4).
 */
export function duplicateContent({ metadata, steps }: WorkflowContent): WorkflowContent {
  return {
    metadata: { ...metadata, title: copyTitle(metadata.title) },
    steps: steps.length === 0 ? [newStep('step-1')] : steps,
  };
}

/** Returns the content of the draft that 'Change in editor' creates from a version (specification, section 4). */
export function copyForChanges({ metadata, steps }: WorkflowContent): WorkflowContent {
  return { metadata: { ...metadata, description: copyForChangesDescription(metadata.description) }, steps };
}
