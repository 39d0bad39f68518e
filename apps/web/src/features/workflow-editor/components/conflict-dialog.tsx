import type { WorkflowContent } from '@stet/domain/workflows';
import { useMemo, useState } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import type { ServerSide } from '../model/source.ts';
import { ChangesList } from './changes-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import type { EditorTrouble, WorkflowEditorModel } from './use-workflow-editor.ts';

type OpenConflictProps = {
  editor: WorkflowEditorModel;
  conflict: Extract<EditorTrouble, { kind: 'conflict' }>;
  now: number;
  /** Closes the dialog without a decision. */
  onClose: () => void;
};

/** Resolves a conflict with someone else's version: use theirs, keep mine, or merge both. */
export function OpenConflict({ editor, conflict, now, onClose }: OpenConflictProps) {
  const { theirs, sentence } = conflict;
  const [merging, setMerging] = useState(false);
  if (merging) {
    const sides = { base: editor.state.saved, theirs: theirs.content, mine: editor.content };
    return (
      <MergeDialog
        sides={sides}
        onMerged={(merged) => editor.takeTheirs(theirs, merged)}
        onClose={() => setMerging(false)}
      />
    );
  }
  const isGone =
    theirs.record.kind !== 'draft' || editor.record.kind !== 'draft' || theirs.record.draftId !== editor.record.draftId;
  return (
    <ConflictDialog
      sentence={sentence}
      theirs={theirs}
      title={
        editor.record.kind === 'live'
          ? 'Another version is live'
          : isGone
            ? 'This draft is no longer open'
            : 'This draft was saved elsewhere'
      }
      isGone={isGone}
      mine={editor.content}
      saving={editor.busy === 'saving'}
      now={now}
      onTakeTheirs={() => editor.takeTheirs(theirs)}
      onKeepMine={() => editor.keepMine(theirs)}
      onMerge={() => setMerging(true)}
      onClose={onClose}
    />
  );
}

type ConflictDialogProps = {
  /** The server's message, which says who saved the draft or what happened to it. */
  sentence: string;
  theirs: ServerSide;
  title: string;
  /** Whether there is no draft to overwrite: it was merged or discarded, or the live version was opened. */
  isGone: boolean;
  mine: WorkflowContent;
  saving: boolean;
  now: number;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  onMerge: () => void;
  onClose: () => void;
};

/**
 * Shown if someone saved, merged or discarded the draft, or another version went live, after it was opened here.
 * Nothing is overwritten without asking.
 */
function ConflictDialog({
  sentence,
  theirs,
  title,
  isGone,
  mine,
  saving,
  now,
  onTakeTheirs,
  onKeepMine,
  onMerge,
  onClose,
}: ConflictDialogProps) {
  const isThere = theirs.record.kind !== 'unsaved';
  const savedAt = !isGone && theirs.record.kind === 'draft' ? theirs.record.updatedAt : null;
  const changes = useMemo(() => documentChanges(theirs.content, mine), [theirs, mine]);
  return (
    <Modal
      open
      wide
      title={title}
      onClose={onClose}
      withCloseButton={false}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Back to editing
          </Button>
          {isThere && <Button onClick={onTakeTheirs}>Take theirs</Button>}
          <Button busy={saving && 'Saving...'} onClick={onKeepMine}>
            {isGone ? 'Save as a new draft' : 'Keep mine'}
          </Button>
          {isThere && (
            <Button tone="primary" onClick={onMerge}>
              Resolve the conflict
            </Button>
          )}
        </>
      }
    >
      <p className="md">
        {sentence}
        {savedAt !== null && `, at ${formatDateTime(savedAt, now)}`}. Your changes are still here, and nothing was
        overwritten.
      </p>
      <p className="md">{isGone ? 'The current workflow and your version:' : 'Their version and yours:'}</p>
      <ChangesList changes={changes} />
      <p className="muted">
        {isThere && isGone && '“Take theirs” replaces your version with the current workflow; Undo restores yours. '}
        {isGone
          ? '“Save as a new draft” saves your version. '
          : '“Take theirs” replaces your version with the saved draft; Undo restores yours. “Keep mine” overwrites the saved draft. '}
        {isThere && '“Resolve the conflict” combines both.'}
      </p>
    </Modal>
  );
}
