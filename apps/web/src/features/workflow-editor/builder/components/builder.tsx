import { DndContext, DragOverlay } from '@dnd-kit/core';
import type { Step } from '@stet/domain/steps';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../../../../ui/class-names.ts';
import { StepType } from '../../../../ui/step-type.tsx';
import { countProblems, stepNotes } from '../model/step-notes.ts';
import type { BuilderDocument } from './builder-document.ts';
import { BuilderFooter } from './builder-footer.tsx';
import { BuilderHeader } from './builder-header.tsx';
import { BuilderTable } from './builder-table.tsx';
import { dragAnnouncements, DRAG_INSTRUCTIONS } from './drag-announcements.ts';
import { Palette } from './palette.tsx';
import { StepDialog } from './step-dialog.tsx';
import type { StepFieldsProps } from './step-dialog.tsx';
import { useBuilderDrag } from './use-builder-drag.ts';
import { useBuilderGrid } from './use-builder-grid.ts';
import styles from './builder.module.css';

type PictureProps = { steps: readonly Step[]; selectedId?: string; onSelect: (stepId: string) => void };

type BuilderProps = {
  document: BuilderDocument;
  readOnly: boolean;
  people: readonly string[];
  /** Notes above the table: errors, and recovered edits. */
  banners?: ReactNode;
  renderFields: (props: StepFieldsProps) => ReactNode;
  /** The diagram of the flow; null if there is none. */
  renderPicture: ((props: PictureProps) => ReactNode) | null;
  /** Unsaved input of an open dialog; null if there is none. Always the same function. */
  onStepEdit: (step: Step | null) => void;
  onClose: () => void;
};

/** The full-screen builder (specification, section 2): palette, table, dialog, footer. */
export function Builder(props: BuilderProps) {
  const { document, readOnly, people, banners, renderFields, renderPicture, onStepEdit, onClose } = props;
  const { steps, savedSteps } = document;
  const [announcement, setAnnouncement] = useState('');
  const [pictured, setPictured] = useState(false);
  const scrolling = useRef<(row: number) => void>(null);
  const { activeId, openId, close, grid } = useBuilderGrid({
    steps,
    onSteps: document.onSteps,
    announce: setAnnouncement,
    scrollToRow: (row) => scrolling.current?.(row),
  });
  const { dragged, handlers } = useBuilderDrag({ steps, grid });
  // Computed from hundreds of steps, so it may lag behind the edit.
  const deferredSteps = useDeferredValue(steps);
  const deferredActiveId = useDeferredValue(activeId);
  const notes = useMemo(() => stepNotes(deferredSteps), [deferredSteps]);
  const savedIds = useMemo(() => new Map(savedSteps.map((step) => [step.id, step])), [savedSteps]);
  const opened = openId === null ? undefined : steps.find(({ id }) => id === openId);
  const accessibility = useMemo(
    () => ({ announcements: dragAnnouncements(steps), screenReaderInstructions: DRAG_INSTRUCTIONS }),
    [steps],
  );
  const start = useRef<HTMLElement>(null);
  const title = useRef<HTMLInputElement>(null);
  const [isUnnamed] = useState(!readOnly && document.metadata.title === '');
  // The previous frame is gone, and its focus too: a new workflow starts in its name field.
  useEffect(() => (isUnnamed ? title : start).current?.focus({ preventScroll: true }), [isUnnamed]);
  const showProblem = () => {
    const row = steps.findIndex(({ id }) => notes.get(id)?.some(({ kind }) => kind === 'problem'));
    if (row !== -1) grid.focusRow(row);
  };

  return (
    <section
      className={classNames(styles.bld, readOnly && styles.readOnly)}
      aria-label="Workflow builder"
      tabIndex={-1}
      ref={start}
    >
      <BuilderHeader
        document={document}
        readOnly={readOnly}
        picture={renderPicture && { shown: pictured, onToggle: () => setPictured(!pictured) }}
        titleRef={title}
        onClose={onClose}
      />
      {banners && <div className={styles.bldBanners}>{banners}</div>}
      <DndContext {...handlers} accessibility={accessibility}>
        <div data-pictured={pictured} className={classNames(styles.bldMiddle, pictured && styles.withPicture)}>
          {!readOnly && <Palette onAdd={grid.add} />}
          <BuilderTable
            steps={steps}
            savedIds={savedIds}
            notes={notes}
            activeId={activeId}
            readOnly={readOnly}
            dragging={dragged.kind !== 'none'}
            draggedId={dragged.kind === 'row' ? dragged.id : null}
            dropAt={dragged.kind === 'type' ? dragged.at : null}
            grid={grid}
            scrolling={scrolling}
          />
          {pictured && renderPicture && (
            <div className={styles.bldPicture}>
              {renderPicture({
                steps: deferredSteps,
                ...(deferredActiveId !== null && { selectedId: deferredActiveId }),
                onSelect: grid.focusStep,
              })}
            </div>
          )}
        </div>
        <DragOverlay dropAnimation={null}>
          {dragged.kind === 'type' && (
            <span className={styles.bldGhost}>
              <StepType type={dragged.type} />
            </span>
          )}
        </DragOverlay>
      </DndContext>
      <BuilderFooter
        document={document}
        problems={countProblems(notes)}
        readOnly={readOnly}
        onShowProblem={showProblem}
        onClose={onClose}
      />
      {opened && (
        <StepDialog
          key={opened.id}
          step={opened}
          steps={steps}
          notes={notes.get(opened.id)}
          readOnly={readOnly}
          people={people}
          renderFields={renderFields}
          onSave={grid.replace}
          onEdit={onStepEdit}
          onClose={close}
        />
      )}
      <p className="vh" role="status">
        {announcement}
      </p>
    </section>
  );
}
