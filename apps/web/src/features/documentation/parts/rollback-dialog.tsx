import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';

type RollbackDialogProps = {
  title: string;
  version: number;
  busy: boolean;
  error: string | null;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/** Asks before an earlier version is made live again, in the words of the specification (section 5), and why. Mount it to open it. */
export function RollbackDialog({ title, version, busy, error, onConfirm, onClose }: RollbackDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <Modal
      open
      title={`Rollback ${isolated(title)} to version ${version}?`}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onConfirm(reason.trim());
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="danger-solid" busy={busy && 'Rolling back…'}>
            Rollback
          </Button>
        </>
      }
    >
      <p className="md two">{`Rollback ${isolated(title)} to version ${version}? This will replace the current live version.`}</p>
      <Field label="Reason" hint="Kept in the audit trail. New runs start on this version; open runs stay on theirs.">
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
