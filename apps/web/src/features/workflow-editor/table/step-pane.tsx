import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { StepType } from '../../../step-types/step-type.tsx';
import { linkNotes } from '../builder/model/step-notes.ts';
import type { OpenDocument } from '../components/open-document.ts';
import { StepComments, reviewPath } from '../components/step-comments.tsx';
import { LazyFlowPicture } from '../flow-picture/components/lazy-flow-picture.tsx';
import { StepForm } from '../step-form/step-form.tsx';
import styles from './step-pane.module.css';

type StepPaneProps = {
  document: OpenDocument;
  /** The step's row. */
  row: number;
  onClose: () => void;
};

/** All fields of the active step, next to the table. Changes apply to the document while the person types. */
export function StepPane({ document, row, onClose }: StepPaneProps) {
  const { editor, review, readOnly, suggestions, grid } = document;
  const { steps } = editor.content;
  const step = steps[row];
  // The notes and the diagram of hundreds of steps are slow, so they may lag behind editing.
  const deferredSteps = useDeferredValue(steps);
  const notes = useMemo(() => linkNotes(deferredSteps), [deferredSteps]);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.focus({ preventScroll: true }), []);
  const onStepShown = useEffectEvent(() => void editor.nameTitledSteps());
  const shownId = step?.id;
  useEffect(() => onStepShown(), [shownId]);
  if (!step) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <SidePanel
      label={`Step ${row + 1}`}
      sheet="full"
      closeLabel="Close step details (Esc)"
      head={
        <>
          <StepType type={step.type} small />
          <span className="xs muted">step {row + 1}</span>
        </>
      }
      onClose={onClose}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the pane. */}
      <div
        ref={body}
        className={styles.pane}
        role="group"
        aria-label="Step details"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onBlur={() => editor.dispatch({ type: 'typing_ended' })}
      >
        <details className={styles.picture} data-picture="">
          <summary>Diagram</summary>
          <LazyFlowPicture steps={deferredSteps} selectedId={step.id} onSelect={grid.grid.activate} name={editor.key} />
        </details>
        <div className={styles.form}>
          <StepComments comments={review.comments.get(step.id) ?? []} review={reviewPath(editor)} />
          <StepForm
            key={grid.keyOf(step.id)}
            step={step}
            steps={steps}
            // Errors in the settings are shown next to their fields.
            notes={notes.get(step.id)}
            readOnly={readOnly}
            suggestions={suggestions}
            tried={false}
            onChange={(changed) => editor.dispatch({ type: 'step_replaced', step: changed, typed: true })}
          />
        </div>
      </div>
    </SidePanel>
  );
}
