import { DndContext, DragOverlay } from '@dnd-kit/core';
import type { Step } from '@stet/domain/workflows';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { StepType } from '../../../ui/step-type.tsx';
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
import './builder.css';

type PictureProps = { steps: readonly Step[]; selectedId?: string; onSelect: (stepId: string) => void };

type BuilderProps = {
  document: BuilderDocument;
  readOnly: boolean;
  people: readonly string[];
  /** Notes above the table: what went wrong, what could be restored. */
  notices?: ReactNode;
  renderFields: (props: StepFieldsProps) => ReactNode;
  /** The picture of the flow; null where there is none. */
  renderPicture: ((props: PictureProps) => ReactNode) | null;
  /** What is typed in an open dialog and not saved there; null where there is nothing. The same function each time. */
  onStepEdit: (step: Step | null) => void;
  onClose: () => void;
};

/** The full-screen builder (specification, section 2): palette, table, dialog, footer. */
export function Builder(props: BuilderProps) {
  const { document, readOnly, people, notices, renderFields, renderPicture, onStepEdit, onClose } = props;
  const { steps, savedSteps } = document;
  const [heard, setHeard] = useState('');
  const [pictured, setPictured] = useState(false);
  const scrolling = useRef<(row: number) => void>(null);
  const { activeId, openId, close, grid } = useBuilderGrid({
    steps,
    onSteps: document.onSteps,
    announce: setHeard,
    scrollToRow: (row) => scrolling.current?.(row),
  });
  const { dragged, handlers } = useBuilderDrag({ steps, grid });
  // Three hundred steps are looked at for these: they may follow what was just done.
  const settled = useDeferredValue(steps);
  const settledActive = useDeferredValue(activeId);
  const notes = useMemo(() => stepNotes(settled), [settled]);
  const savedIds = useMemo(() => new Map(savedSteps.map((step) => [step.id, step])), [savedSteps]);
  const opened = openId === null ? undefined : steps.find(({ id }) => id === openId);
  const accessibility = useMemo(
    () => ({ announcements: dragAnnouncements(steps), screenReaderInstructions: DRAG_INSTRUCTIONS }),
    [steps],
  );
  const start = useRef<HTMLElement>(null);
  const title = useRef<HTMLInputElement>(null);
  const [isUnnamed] = useState(!readOnly && document.metadata.title === '');
  // The frame is gone, and the focus with it: a new workflow begins with its name.
  useEffect(() => (isUnnamed ? title : start).current?.focus({ preventScroll: true }), [isUnnamed]);
  const showProblem = () => {
    const row = steps.findIndex(({ id }) => notes.get(id)?.some(({ kind }) => kind === 'problem'));
    if (row !== -1) grid.focusRow(row);
  };

  return (
    <section
      className={classNames('bld', readOnly && 'read-only')}
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
      {notices && <div className="bld-notices">{notices}</div>}
      <DndContext {...handlers} accessibility={accessibility}>
        <div className={classNames('bld-middle', pictured && 'with-picture')}>
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
            <div className="bld-picture">
              {renderPicture({
                steps: settled,
                ...(settledActive !== null && { selectedId: settledActive }),
                onSelect: grid.focusStep,
              })}
            </div>
          )}
        </div>
        <DragOverlay dropAnimation={null}>
          {dragged.kind === 'type' && (
            <span className="bld-ghost">
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
        {heard}
      </p>
    </section>
  );
}
