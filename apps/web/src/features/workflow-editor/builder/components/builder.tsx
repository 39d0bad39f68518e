import type { AssigneeSuggestion } from '../../model/assignee-suggestions.ts';
import { DndContext, DragOverlay } from '@dnd-kit/core';
import type { Step, StepType as StepTypeName } from '@stet/domain/steps';
import { newBuilderStep, provisionalStepId } from '@stet/domain/workflows';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { classNames } from '../../../../ui/class-names.ts';
import { StepType } from '../../../../step-types/step-type.tsx';
import { randomKey } from '../../../../lib/api/random-key.ts';
import { useStepDrag } from '../../grid/use-step-drag.ts';
import type { StepGridState } from '../../grid/use-step-grid.ts';
import { countProblems, stepNotes } from '../model/step-notes.ts';
import type { BuilderDocument } from './builder-document.ts';
import { BuilderFooter } from './builder-footer.tsx';
import { BuilderHeader } from './builder-header.tsx';
import { BuilderTable } from './builder-table.tsx';
import { Palette } from './palette.tsx';
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';
import { StepComments } from '../../components/step-comments.tsx';
import styles from './builder.module.css';

const StepDialog = lazyDialog(async () => (await import('./step-dialog.tsx')).StepDialog);

type PictureProps = { steps: readonly Step[]; selectedId?: string; onSelect: (stepId: string) => void };

type BuilderProps = {
  document: BuilderDocument;
  grid: StepGridState;
  /** Receives a function that scrolls a row into view. */
  scrolling: RefObject<((row: number) => void) | null>;
  readOnly: boolean;
  suggestions: readonly AssigneeSuggestion[];
  /** Notes above the table, for example errors and recovered changes. */
  banners?: ReactNode;
  /** Renders the diagram, or null if there is none. */
  renderPicture: ((props: PictureProps) => ReactNode) | null;
  /**
   * Receives the unsaved input of an open dialog, or null if there is none. This function must not change between
   * renders.
   */
  onStepEdit: (step: Step | null) => void;
  onClose: () => void;
};

/** The full-screen builder with palette, table, dialog and footer (specification, section 2). */
export function Builder(props: BuilderProps) {
  const { document, scrolling, readOnly, suggestions, banners, renderPicture, onStepEdit, onClose } = props;
  const { steps, baseSteps } = document;
  const [pictured, setPictured] = useState(false);
  const { active, open, request, keyOf, grid } = props.grid;
  const activeId = active?.stepId ?? null;
  const addType = useCallback(
    (type: StepTypeName, at?: number) => grid.add(newBuilderStep(provisionalStepId(randomKey()), type), at),
    [grid],
  );
  const { dragged, context } = useStepDrag({ steps, grid, onType: addType });
  // The notes and the diagram of hundreds of steps are slow, so they may lag behind editing.
  const deferredSteps = useDeferredValue(steps);
  const deferredActiveId = useDeferredValue(activeId);
  const notes = useMemo(() => stepNotes(deferredSteps), [deferredSteps]);
  const baseById = useMemo(() => new Map(baseSteps.map((step) => [step.id, step])), [baseSteps]);
  const openedRow = open?.part === 'step' ? steps.findIndex(({ id }) => id === open.stepId) : -1;
  const opened = steps[openedRow];
  const below = steps[openedRow + 1];
  const start = useRef<HTMLElement>(null);
  const title = useRef<HTMLInputElement>(null);
  const [isUnnamed] = useState(!readOnly && document.metadata.title === '');
  // The element that had the focus was removed with the previous screen. If the workflow has no name yet, the focus
  // starts in the name field.
  useEffect(() => (isUnnamed ? title : start).current?.focus({ preventScroll: true }), [isUnnamed]);
  const showProblem = () => {
    const row = steps.findIndex(({ id }) => notes.get(id)?.some(({ kind }) => kind === 'problem'));
    if (row !== -1) grid.focusCell({ row });
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
      <DndContext {...context}>
        <div data-pictured={pictured} className={classNames(styles.bldMiddle, pictured && styles.withPicture)}>
          {!readOnly && <Palette onAdd={addType} />}
          <BuilderTable
            steps={steps}
            baseById={baseById}
            comments={document.comments}
            notes={notes}
            activeId={activeId}
            request={request}
            keyOf={keyOf}
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
          stepKey={keyOf(opened.id)}
          step={opened}
          steps={steps}
          notes={notes.get(opened.id)}
          comments={<StepComments comments={document.comments.get(opened.id) ?? []} review={document.reviewPath} />}
          readOnly={readOnly}
          suggestions={suggestions}
          onSave={(step) => document.dispatch({ type: 'step_replaced', step })}
          onEdit={onStepEdit}
          onNext={below ? () => grid.openStep(below.id) : null}
          onClose={grid.close}
        />
      )}
    </section>
  );
}
