import { isolated } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useMemo } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { documentChanges } from '../model/document-changes.ts';
import type { LeftOut } from '../model/workflow-file.ts';
import { ChangesList } from './changes-dialog.tsx';
import styles from './workflow-editor.module.css';

type ImportDialogProps = {
  name: string;
  current: WorkflowContent;
  imported: WorkflowContent;
  leftOut: LeftOut;
  onApply: () => void;
  onClose: () => void;
};

/** A preview of the changes that an import would make. */
export function ImportDialog({ name, current, imported, leftOut, onApply, onClose }: ImportDialogProps) {
  const changes = useMemo(() => documentChanges(current, imported), [current, imported]);
  const changesNothing = changes.identical;
  return (
    <Modal
      open
      wide
      title={`Import ${isolated(name)}`}
      onClose={onClose}
      withCloseButton={false}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {changesNothing ? 'Close' : 'Cancel'}
          </Button>
          {!changesNothing && (
            <Button tone="primary" onClick={onApply}>
              Import
            </Button>
          )}
        </>
      }
    >
      {changesNothing ? (
        <p className="md">The file contains no changes.</p>
      ) : (
        <p className="md">The import makes these changes. You can undo it, and nothing is saved until you save.</p>
      )}
      {!changes.identical && <ChangesList changes={changes} />}
      {leftOut.length > 0 && <LeftOutList leftOut={leftOut} />}
    </Modal>
  );
}

/** The parts of a file that can't be imported, or only incompletely, with the reasons. */
function LeftOutList({ leftOut }: { leftOut: LeftOut }) {
  const count = leftOut.length === 1 ? '1 part was' : `${leftOut.length} parts were`;
  return (
    <section className={styles.leftOut} aria-label="Omitted parts">
      <h3 className="h3">{count} left out or incomplete</h3>
      <ul className="lines">
        {leftOut.map(({ what, name, reason }, index) => (
          <li key={index}>
            <span className="med">{name || what}</span>
            {name && <span className="muted"> {what}</span>}
            <div className="two">{reason}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
