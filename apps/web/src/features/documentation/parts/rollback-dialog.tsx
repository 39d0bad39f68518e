import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
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
  const [tried, setTried] = useState(false);
  const isMissing = reason.trim() === '';
  return (
    <Modal
      open
      title={`Rollback ${isolated(title)} to version ${version}?`}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isMissing) focusFirstBad(event.currentTarget);
        else if (!busy) onConfirm(reason.trim());
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
      <Field
        label="Reason"
        hint="Kept in the audit trail. New runs start on this version; open runs stay on theirs."
        error={tried && isMissing ? 'Say why the workflow is rolled back' : null}
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

type RollbackReviewDialogProps = {
  title: string;
  version: number;
  /** Why it can't simply be rolled back, and what would be lost, a sentence each. */
  sentence: string;
  losses: readonly string[];
  /** What is under way. */
  busy: 'draft' | 'emergency' | null;
  error: string | null;
  /** Null if this person can't change workflows. */
  onOpenAsDraft: (() => void) | null;
  /** Null if this person is no owner. */
  onEmergency: (() => void) | null;
  onClose: () => void;
};

/** A rollback that takes controls away: what is lost, and the two ways on. Mount it to open it. */
export function RollbackReviewDialog(props: RollbackReviewDialogProps) {
  const { title, version, sentence, losses, busy, error, onOpenAsDraft, onEmergency, onClose } = props;
  return (
    <Modal
      open
      title={`Version ${version} of ${isolated(title)} needs a review`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {onEmergency && (
            <Button
              tone="danger"
              busy={busy === 'emergency' && 'Rolling back…'}
              disabledReason={busy === 'draft' ? 'Wait until the draft is open' : undefined}
              onClick={onEmergency}
            >
              Roll back in an emergency
            </Button>
          )}
          {onOpenAsDraft && (
            <Button
              tone="primary"
              data-autofocus
              busy={busy === 'draft' && 'Opening…'}
              disabledReason={busy === 'emergency' ? 'Wait until the rollback is done' : undefined}
              onClick={onOpenAsDraft}
            >
              Open as draft
            </Button>
          )}
        </>
      }
    >
      <div className="stack">
        <p className="md">{sentence}</p>
        {losses.length > 0 && (
          <ul className="rollback-losses md">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
        <p className="md two">
          {onOpenAsDraft
            ? 'Open as draft brings this version through the ordinary review.'
            : 'Ask an editor to open this version as a draft; it then goes through the ordinary review.'}
          {onEmergency &&
            ' An emergency makes it live now: everyone here is notified, and the version, its runs and the audit trail say “emergency, not ratified” until another owner or admin ratifies it.'}
        </p>
        {error && <Note tone="bad">{error}</Note>}
      </div>
    </Modal>
  );
}
