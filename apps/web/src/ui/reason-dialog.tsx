import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Field, Textarea } from './field.tsx';
import { focusFirstBad } from './focus-first-bad.ts';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';

type ReasonDialogProps = {
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  /** What the button says while it is under way. */
  busy: string | false;
  danger?: boolean;
  /** The sentence for a reason that is missing; absent: the reason may be left out. */
  requiredSentence?: string;
  error: string | null;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks why before something is done. Mount it to open it. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, children, confirmLabel, cancelLabel, busy, danger, requiredSentence, error, onConfirm, onClose } =
    props;
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isMissing = requiredSentence !== undefined && reason.trim() === '';
  return (
    <Modal
      open
      title={title}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isMissing) focusFirstBad(event.currentTarget);
        else if (!busy) onConfirm(reason.trim());
      }}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button type="submit" tone={danger ? 'danger-solid' : 'primary'} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="md two">{children}</div>
      <Field
        label={
          requiredSentence ? (
            'Reason'
          ) : (
            <>
              Reason <span className="muted">(optional)</span>
            </>
          )
        }
        error={tried && isMissing ? requiredSentence : null}
      >
        {(control) => (
          <Textarea
            {...control}
            data-autofocus
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {error && <Note tone="bad">{error}</Note>}
    </Modal>
  );
}
