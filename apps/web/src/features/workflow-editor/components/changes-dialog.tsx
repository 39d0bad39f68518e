import { visibleText } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { withPeopleNamed } from '@stet/presentation/change-words';
import { useMemo } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Button } from '../../../ui/button.tsx';
import { FieldTable, ValueList } from '../../../ui/field-table.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import type { DocumentChanges, StepChange } from '../model/document-changes.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Tag } from '../../../ui/badge.tsx';
import styles from './changes-dialog.module.css';

type ChangesDialogProps = { saved: WorkflowContent; edited: WorkflowContent; onClose: () => void };

const MAX_SHOWN = 200;

/** The dialog 'Workflow Changes'. It lists the changes that saving would make (specification, section 2). */
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
  const { nameOf } = usePeople();
  return (
    <>
      <ul className={styles.changeCounts} aria-label="Counts">
        <li className={styles.added}>{changes.added} added</li>
        <li className={styles.removed}>{changes.removed} removed</li>
        <li className={styles.modified}>{changes.modified} modified</li>
        {changes.moved > 0 && <li>{changes.moved} moved</li>}
        {changes.settings > 0 && <li>{changes.settings} with changed settings</li>}
      </ul>
      {changes.metadata.length > 0 && (
        <section className={styles.change}>
          <h3>Workflow</h3>
          <FieldTable fields={changes.metadata} of="the workflow" />
        </section>
      )}
      {changes.steps.slice(0, MAX_SHOWN).map((step) => (
        <StepSection key={step.id} step={{ ...step, fields: withPeopleNamed(step.fields, nameOf) }} />
      ))}
      {changes.steps.length > MAX_SHOWN && <p className="muted">and {changes.steps.length - MAX_SHOWN} more</p>}
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
        {visibleText(step.title)} <Tag className={styles.tag}>{KIND_WORDS[step.kind]}</Tag>
      </h3>
      {step.kind === 'added' || step.kind === 'removed' ? (
        <ValueList values={valuesOf(step)} kind={step.kind} of={visibleText(step.title)} />
      ) : (
        step.fields.length > 0 && <FieldTable fields={step.fields} of={visibleText(step.title)} />
      )}
    </section>
  );
}

/** The filled cells of an added or removed step. */
const valuesOf = ({ fields }: StepChange) =>
  fields.flatMap(({ before, after, ...line }) => {
    const text = before || after;
    return text === '' ? [] : [{ ...line, text }];
  });
