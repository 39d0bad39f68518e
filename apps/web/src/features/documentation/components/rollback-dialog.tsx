import { isolated } from '@stet/domain/workflows';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-panel.module.css';

type RollbackDialogProps = {
  title: string;
  version: number;
  busy: boolean;
  error: string | null;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

/**
 * Asks for confirmation and a reason before an earlier version is made live again. The question is prescribed by the
 * specification (section 5). The dialog opens when it is mounted.
 */
export function RollbackDialog({ title, version, busy, ...rest }: RollbackDialogProps) {
  return (
    <ReasonDialog
      title="Rollback"
      confirmLabel="Rollback"
      cancelLabel="Cancel"
      danger
      requiredSentence="Give a reason for the rollback"
      hint="Stored in the audit trail. New runs use this version; open runs stay on theirs."
      busy={busy && 'Rolling back…'}
      {...rest}
    >
      {`Rollback ${isolated(title)} to version ${version}? This will replace the current live version.`}
    </ReasonDialog>
  );
}

type RollbackReviewDialogProps = {
  title: string;
  version: number;
  /** Why the version needs a review. Shown if `losses` is empty. */
  sentence: string;
  /** All reasons for the review. */
  losses: readonly string[];
  /** The action in progress. */
  busy: 'draft' | 'emergency' | null;
  error: string | null;
  /** Null if the person can't change workflows. */
  onOpenAsDraft: (() => void) | null;
  /** Null if the person isn't an owner, or if every review is strict. */
  onEmergency: (() => void) | null;
  onClose: () => void;
};

/**
 * Shown if a rollback needs a review. Lists the reasons, and offers up to two alternatives. The dialog opens when it is
 * mounted.
 */
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
              disabledReason={busy === 'draft' ? 'Wait until the draft opens' : undefined}
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
        <p className="md">{losses.length > 0 ? 'This version can only go live again through a review:' : sentence}</p>
        {losses.length > 0 && (
          <ul className={classNames('md', styles.rollbackLosses)}>
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
        <p className="md two">
          {onOpenAsDraft
            ? '“Open as draft” sends this version through the ordinary review.'
            : 'Ask an editor to open this version as a draft; it then goes through the ordinary review.'}
          {onEmergency &&
            ' An emergency rollback makes it live now. Everyone here is notified, and the version, its runs and the audit trail say “emergency, not ratified” until another owner or admin ratifies it.'}
        </p>
        {error && <Note tone="bad">{error}</Note>}
      </div>
    </Modal>
  );
}
