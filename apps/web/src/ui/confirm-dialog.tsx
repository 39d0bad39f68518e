import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';

type ConfirmDialogProps = {
  open: boolean;
  /** Names the action, usually as a question. */
  title: ReactNode;
  children?: ReactNode;
  confirmLabel?: string;
  cancelLabel?: string;
  /** Makes the button red, for actions that can't be undone. */
  danger?: boolean;
  /** The button's label while the action is in progress. */
  busy?: string | false;
  /** The last attempt's error. The dialog stays open. */
  error?: string | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks for confirmation (specification, section 2, shared UI). The focus starts on the safe button. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel = 'Confirm',
  cancelLabel = 'Cancel',
  danger = false,
  busy = false,
  error,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  return (
    <Modal
      open={open}
      title={title}
      onClose={onCancel}
      withCloseButton={false}
      footer={
        <>
          <Button data-autofocus onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button tone={danger ? 'danger-solid' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {(children || error) && (
        <>
          {children && <div className="md two">{children}</div>}
          {error && <Note tone="bad">{error}</Note>}
        </>
      )}
    </Modal>
  );
}
