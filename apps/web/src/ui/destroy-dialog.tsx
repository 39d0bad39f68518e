import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type DestroyDialogProps = {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  busy: string | false;
  error: string | null;
  /** Whether someone has approved the content or requested changes. If so, a reason is required. */
  needsReason: boolean;
  onConfirm: (reason?: string) => void;
  onCancel: () => void;
};

/**
 * Asks for confirmation before something is deleted, archived or discarded, and for a reason if it was already
 * reviewed. The dialog opens when it is mounted.
 */
export function DestroyDialog({ children, needsReason, onConfirm, onCancel, ...rest }: DestroyDialogProps) {
  if (!needsReason) {
    return (
      <ConfirmDialog open danger {...rest} onConfirm={() => onConfirm()} onCancel={onCancel}>
        {children}
      </ConfirmDialog>
    );
  }
  return (
    <ReasonDialog
      {...rest}
      danger
      cancelLabel="Cancel"
      requiredSentence="Enter a reason, because someone has already reviewed this"
      onConfirm={onConfirm}
      onClose={onCancel}
    >
      <p>{children}</p>
      <p>Someone has approved this or requested changes. They will see your reason in a notification.</p>
    </ReasonDialog>
  );
}
