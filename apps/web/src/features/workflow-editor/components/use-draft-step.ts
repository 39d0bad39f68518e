import type { DraftStep } from './editor-bar.tsx';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

const IN_PROGRESS = 'Your last action is still in progress';

/** The action to publish, submit or withdraw the document. Null if none is available to this person. */
export function useDraftStep(editor: WorkflowEditorModel, organization: 'individual' | 'team'): DraftStep | null {
  const { record, dirty, busy } = editor;
  const disabledReason = busy === 'saving' ? IN_PROGRESS : undefined;
  const abilities = record.kind === 'draft' ? record.abilities : null;
  // Only a saved draft has abilities. In a personal account, nobody has to approve.
  const publishes = abilities ? abilities.publish : organization === 'individual';
  const hasSomething = record.kind !== 'live' || dirty;
  if (!hasSomething) return null;
  if (publishes) {
    return {
      label: 'Publish',
      busyLabel: 'Publishing...',
      busy: busy === 'publishing',
      disabledReason,
      onClick: editor.publish,
    };
  }
  const submitting = { busy: busy === 'submitting', disabledReason };
  if (abilities?.withdraw) {
    return { ...submitting, label: 'Withdraw from review', busyLabel: 'Withdrawing...', onClick: editor.withdraw };
  }
  // Saving the changes may make it possible to submit the draft.
  if (abilities && !abilities.submit && !dirty) return null;
  return { ...submitting, label: 'Submit for review', busyLabel: 'Submitting...', onClick: editor.submit };
}
