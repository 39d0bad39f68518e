import { errorSentence } from '../../../lib/api/api-error.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { ConflictDialog, DestroyDialog, LeaveDialog, SettingsDialog } from './editor-dialogs.tsx';
import type { WorkflowEditorModel } from './use-workflow-editor.ts';

export type DialogName = 'changes' | 'settings' | 'delete' | 'discard';

type OpenDialogProps = {
  name: DialogName | null;
  editor: WorkflowEditorModel;
  title: string;
  leaving: { stay: () => void; leave: () => void } | null;
  now: number;
  onClose: () => void;
};

/** The one dialog of the editor that is open. Leaving and a conflict go before what was asked for. */
export function OpenDialog({ name, editor, title, leaving, now, onClose }: OpenDialogProps) {
  const { state, content, trouble, remove, discard } = editor;
  if (leaving) return <LeaveDialog onStay={leaving.stay} onLeave={leaving.leave} />;
  if (trouble?.kind === 'conflict') {
    return (
      <ConflictDialog
        sentence={trouble.sentence}
        theirs={trouble.theirs}
        mine={content}
        saving={editor.busy === 'saving'}
        now={now}
        onTakeTheirs={() => editor.takeTheirs(trouble.theirs)}
        onKeepMine={() => editor.keepMine(trouble.theirs)}
        onClose={editor.dismissTrouble}
      />
    );
  }
  switch (name) {
    case 'changes':
      return <ChangesDialog saved={state.saved} edited={content} onClose={onClose} />;
    case 'settings':
      return <SettingsDialog onClose={onClose} />;
    case 'delete':
      return (
        <DestroyDialog
          title={`Delete ${title}?`}
          confirmLabel="Delete"
          busy={remove.isPending && 'Deleting...'}
          error={remove.error && errorSentence(remove.error, 'Failed to delete workflow')}
          onConfirm={() => remove.mutate()}
          onCancel={onClose}
        >
          This action cannot be undone.
        </DestroyDialog>
      );
    case 'discard':
      return (
        <DestroyDialog
          title="Discard this draft?"
          confirmLabel="Discard draft"
          busy={discard.isPending && 'Discarding...'}
          error={discard.error && errorSentence(discard.error, 'Failed to discard the draft')}
          onConfirm={() => discard.mutate()}
          onCancel={onClose}
        >
          What it changes is lost; the live version stays as it is. This action cannot be undone.
        </DestroyDialog>
      );
    case null:
      return null;
  }
}
