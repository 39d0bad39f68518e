import { diffWords } from '@stet/presentation/diff-words';
import { visibleText } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import type { DocumentChanges, StepChange } from '../model/document-changes.ts';
import type { FieldChange } from '../model/hidden-changes.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './changes-dialog.module.css';

type ChangesDialogProps = { saved: WorkflowContent; edited: WorkflowContent; onClose: () => void };

const MOST_SHOWN = 200;

/** The dialog 'Workflow Changes', which lists the changes that saving would make (specification, section 2). */
export function ChangesDialog({ saved, edited, onClose }: ChangesDialogProps) {
  const changes = useMemo(() => documentChanges(saved, edited), [saved, edited]);
  return (
    <Modal
      open
      wide
      title="Workflow Changes"
      onClose={onClose}
      withCloseButton={false}
      footer={
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      }
    >
      {changes.identical ? (
        <p className="md">No Changes - The workflow is identical to the original version.</p>
      ) : (
        <ChangesList changes={changes} />
      )}
    </Modal>
  );
}

/** The number of changes, then the changed texts of the workflow and each changed step. */
export function ChangesList({ changes }: { changes: DocumentChanges }) {
  return (
    <>
      <ul className={styles.changeCounts} aria-label="Counts">
        <li className={styles.added}>{changes.added} added</li>
        <li className={styles.removed}>{changes.removed} removed</li>
        <li className={styles.modified}>{changes.modified} modified</li>
        {changes.moved > 0 && <li>{changes.moved} moved</li>}
        {changes.settings > 0 && <li>{changes.settings} with other settings</li>}
      </ul>
      {changes.metadata.length > 0 && (
        <section className={styles.change}>
          <h3>Workflow</h3>
          <Fields fields={changes.metadata} />
        </section>
      )}
      {changes.steps.slice(0, MOST_SHOWN).map((step) => (
        <StepSection key={step.id} step={step} />
      ))}
      {changes.steps.length > MOST_SHOWN && <p className="muted">and {changes.steps.length - MOST_SHOWN} more</p>}
    </>
  );
}

const KIND_WORDS = {
  added: 'Added',
  removed: 'Removed',
  modified: 'Modified',
  moved: 'Moved',
  settings: 'Settings',
} satisfies Record<StepChange['kind'], string>;

function StepSection({ step }: { step: StepChange }) {
  return (
    <section className={classNames(styles.change, styles[step.kind])}>
      <h3>
        {visibleText(step.title)} <span className="tag">{KIND_WORDS[step.kind]}</span>
      </h3>
      <Fields fields={step.fields} />
    </section>
  );
}

function Fields({ fields }: { fields: readonly FieldChange[] }) {
  return (
    <dl>
      {fields.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <Words before={visibleText(before)} after={visibleText(after)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Text before and after the change, one below the other. The changed words are marked in both. */
function Words({ before, after }: { before: string; after: string }) {
  const segments = useMemo(() => diffWords(before, after), [before, after]);
  const side = (own: 'removed' | 'added') =>
    segments
      .filter(({ kind }) => kind === 'same' || kind === own)
      .map(({ kind, text }, index) =>
        kind === 'same' ? text : kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>,
      );
  return (
    <>
      {before !== '' && (
        <p className={styles.before}>
          <span className="vh">Before: </span>
          {side('removed')}
        </p>
      )}
      {after !== '' && (
        <p className={styles.after}>
          <span className="vh">After: </span>
          {side('added')}
        </p>
      )}
    </>
  );
}
