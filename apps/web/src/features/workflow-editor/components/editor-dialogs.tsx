import type { WorkflowContent } from '@stet/domain/workflows';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import type { ServerSide } from '../model/source.ts';
import { ChangesList } from './changes-dialog.tsx';

type SettingsDialogProps = {
  /** Null if the workflow isn't saved yet. */
  workflowKey: string | null;
  onClose: () => void;
};

export function SettingsDialog({ workflowKey, onClose }: SettingsDialogProps) {
  return (
    <Modal
      open
      title="Coming Soon"
      onClose={onClose}
      withCloseButton={false}
      footer={
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <p className="md">Workflow settings will be available in a future update.</p>
      {workflowKey !== null && (
        <p>
          You can already <Link to={paths.workflowSettings(workflowKey)}>choose who is notified of overdue steps</Link>.
        </p>
      )}
    </Modal>
  );
}

/** Asks for confirmation before the person leaves a document with unsaved changes. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog open title="Unsaved Changes" onCancel={onStay} onConfirm={onLeave}>
      You have unsaved changes. Are you sure you want to go back?
    </ConfirmDialog>
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
export function ConflictDialog({
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
