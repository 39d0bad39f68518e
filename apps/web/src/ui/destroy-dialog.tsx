import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type DestroyDialogProps = {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  busy: string | false;
  error: string | null;
  /** A review stands on what would be gone, so that a reason has to be given. */
  needsReason: boolean;
  onConfirm: (reason?: string) => void;
  onCancel: () => void;
};

/** Asks before something is gone for good, and why if a review stands on it. Mount it to open it. */
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
      requiredSentence="Say why, for a review stands on it"
      onConfirm={onConfirm}
      onClose={onCancel}
    >
      <p>{children}</p>
      <p>Someone has approved it or requested changes. They are notified, with your reason.</p>
    </ReasonDialog>
  );
}
