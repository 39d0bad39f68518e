import { isolated } from '@stet/domain/workflows';
import { errorSentence, isCode } from '../../../lib/api/api-error.ts';
import { deletionWords } from '../../../lib/format/deletion-words.ts';
import { DestroyDialog } from '../../../ui/destroy-dialog.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { SubmitDialog } from '../../../ui/submit-dialog.tsx';
import { LeaveDialog, SettingsDialog } from './editor-dialogs.tsx';
import { wasLive } from '../model/source.ts';
import type { ImportModel } from './use-import.ts';
import type { UnsavedCopyModel } from './use-unsaved-copy.ts';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

const ChangesDialog = lazyDialog(async () => (await import('./changes-dialog.tsx')).ChangesDialog);
const ImportDialog = lazyDialog(async () => (await import('./import-dialog.tsx')).ImportDialog);
const MergeDialog = lazyDialog(async () => (await import('./merge-dialog.tsx')).MergeDialog);
const OpenConflict = lazyDialog(async () => (await import('./conflict-dialog.tsx')).OpenConflict);

export type DialogName = 'changes' | 'settings' | 'delete' | 'discard';

type OpenDialogProps = {
  name: DialogName | null;
  editor: WorkflowEditorModel;
  imports: ImportModel;
  copy: UnsavedCopyModel;
  title: string;
  leaving: { stay: () => void; leave: () => void } | null;
  now: number;
  /** Moves the focus to a step. */
  onStep: (stepId: string) => void;
  onClose: () => void;
};

/** The open dialog of the editor. Dialogs that need an answer, such as a conflict, take precedence over `name`. */
export function OpenDialog({ name, editor, imports, copy, title, leaving, now, onStep, onClose }: OpenDialogProps) {
  const { state, content, record, trouble, remove, discard } = editor;
  // If the draft was reviewed after it was loaded, only the refusal shows that a reason is required.
  const asksWhy = ({ error, variables }: typeof remove | typeof discard): boolean =>
    isCode(error, 'reason_required') || variables?.reason !== undefined;
  const sentenceOf = (error: unknown, fallback: string): string | null =>
    error === null || isCode(error, 'reason_required') ? null : errorSentence(error, fallback);
  if (leaving) {
    const leave = () => {
      copy.forget();
      leaving.leave();
    };
    return <LeaveDialog onStay={leaving.stay} onLeave={leave} />;
  }
  if (trouble?.kind === 'conflict')
    return <OpenConflict editor={editor} conflict={trouble} now={now} onClose={editor.dismissTrouble} />;
  if (editor.submission)
    return (
      <SubmitDialog
        {...editor.submission}
        onStep={(stepId) => {
          editor.submission?.onClose();
          onStep(stepId);
        }}
      />
    );
  if (copy.merging) return <MergeDialog sides={copy.merging} onMerged={copy.finishMerge} onClose={copy.cancelMerge} />;
  if (imports.state.stage === 'preview') {
    const { name: file, content: imported } = imports.state;
    return (
      <ImportDialog
        name={file}
        current={content}
        imported={imported}
        leftOut={imports.state.leftOut}
        onApply={imports.apply}
        onClose={imports.cancel}
      />
    );
  }
  switch (name) {
    case 'changes':
      return <ChangesDialog saved={state.saved} edited={content} onClose={onClose} />;
    case 'settings':
      return <SettingsDialog workflowKey={record.kind === 'unsaved' ? null : editor.key} onClose={onClose} />;
    case 'delete':
      return (
        <DestroyDialog
          title={`Delete ${isolated(title)}?`}
          confirmLabel="Delete"
          busy={remove.isPending && 'Deleting...'}
          error={sentenceOf(remove.error, 'Failed to delete workflow')}
          needsReason={asksWhy(remove)}
          onConfirm={(reason) => remove.mutate({ reason })}
          onCancel={onClose}
        >
          {deletionWords(wasLive(record))} This action cannot be undone.
        </DestroyDialog>
      );
    case 'discard':
      return (
        <DestroyDialog
          title="Discard this draft?"
          confirmLabel="Discard draft"
          busy={discard.isPending && 'Discarding...'}
          error={sentenceOf(discard.error, 'Failed to discard the draft')}
          needsReason={(record.kind === 'draft' && record.abilities.discardNeedsReason) || asksWhy(discard)}
          onConfirm={(reason) => discard.mutate({ reason })}
          onCancel={onClose}
        >
          Its changes will be lost. The live version stays unchanged. This action cannot be undone.
        </DestroyDialog>
      );
    case null:
      return null;
  }
}
