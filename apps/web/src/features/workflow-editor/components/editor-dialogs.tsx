import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Modal } from '../../../ui/modal.tsx';

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
