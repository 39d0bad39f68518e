import { newStep } from './editor-rows.ts';
import { copyForChangesDescription, copyTitle } from './names.ts';
import type { WorkflowContent } from './step.ts';

/** The content of a duplicate: ' (Copy)' on the title, all else alike, one new step where there was none (specification, section 4). */
export function duplicateContent({ metadata, steps }: WorkflowContent): WorkflowContent {
  return {
    metadata: { ...metadata, title: copyTitle(metadata.title) },
    steps: steps.length === 0 ? [newStep('step-1')] : steps,
  };
}

/** The content of the draft that 'Change in editor' makes of a version (specification, section 4). */
export function copyForChanges({ metadata, steps }: WorkflowContent): WorkflowContent {
  return { metadata: { ...metadata, description: copyForChangesDescription(metadata.description) }, steps };
}
