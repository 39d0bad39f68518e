import { DndContext } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { Step } from '@stet/domain/steps';
import { useImperativeHandle, useMemo } from 'react';
import type { RefObject } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import type { AssigneeSuggestion } from '../model/assignee-suggestions.ts';
import type { ReviewState } from '../model/review-state.ts';
import { ariaRowIndexes, changesOf } from '../model/row-changes.ts';
import type { RowChange } from '../model/row-changes.ts';
import { StepItem } from './step-item.tsx';
import { useGridKeys, useGridPaste } from './use-grid-keys.ts';
import type { StepGridState } from '../grid/use-step-grid.ts';
import { useStepDrag } from '../grid/use-step-drag.ts';
import { usePageRows } from '../grid/use-virtual-rows.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './step-table.module.css';

type StepTableProps = {
  steps: readonly Step[];
  /** The steps that the rows are compared with. */
  saved: readonly Step[];
  cleared: ReadonlyMap<string, Step>;
  /** Open comments of the review by step id. */
  comments?: ReviewState['comments'];
  suggestions: readonly AssigneeSuggestion[];
  readOnly?: boolean;
  grid: StepGridState;
  /** Receives a function that scrolls a row into view. */
  scrolling: RefObject<((row: number) => void) | null>;
  /** Called when Escape leaves the table. It must move the focus elsewhere. */
  onLeave: () => void;
};

const HEADS = ['#', 'Step', 'Assignee', 'SLA', 'Task'] as const;
const UNCHANGED: RowChange = { kind: 'unchanged' };
// No id contains this character, because the database can't store it.
const BETWEEN_IDS = '\0';

/** The steps as a grid of cells. Only rows in or near the window, the active row and a dragged row are mounted. */
export function StepTable({
  steps,
  saved,
  cleared,
  comments,
  suggestions,
  readOnly = false,
  grid: { active, open, request, keyOf, grid },
  scrolling,
  onLeave,
}: StepTableProps) {
  const { personOf } = usePeople();
  const changes = useMemo(() => changesOf(steps, saved, cleared), [steps, saved, cleared]);
  const rows = useMemo(() => ariaRowIndexes(changes), [changes]);
  // The array must stay the same while the order is unchanged. A new one would rerender every row after each edit.
  const order = steps.map((step) => step.id).join(BETWEEN_IDS);
  const ids = useMemo(() => (order === '' ? [] : order.split(BETWEEN_IDS)), [order]);
  const { dragged, context } = useStepDrag({ steps, grid });
  const draggedId = dragged.kind === 'row' ? dragged.id : null;
  const activeId = active?.stepId ?? null;
  const { body, height, rows: drawn, measure, scrollToRow } = usePageRows({ ids, keyOf, kept: [draggedId, activeId] });
  useImperativeHandle(scrolling, () => scrollToRow, [scrollToRow]);
  const onKeyDown = useGridKeys({ steps, grid, readOnly, dragging: draggedId !== null, onLeave });
  const onPaste = useGridPaste({ steps, grid, readOnly });
  // Until a cell has been active, Tab focuses the title of the first step.
  const tabStop = activeId ?? ids[0];

  return (
    <DndContext {...context}>
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <div
          className={classNames(styles.steps, readOnly && styles.readOnly)}
          role="grid"
          tabIndex={-1}
          aria-label="Steps"
          aria-rowcount={rows.count}
          aria-colcount={readOnly ? 6 : 7}
          aria-readonly={readOnly || undefined}
          aria-describedby="steps-keys"
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        >
          <div role="rowgroup" className={styles.stepsHead}>
            <div className={styles.stepRow} role="row" aria-rowindex={1}>
              <div className={styles.h} role="columnheader" aria-colindex={1}>
                <span className="vh">Reorder</span>
              </div>
              {HEADS.map((head, index) => (
                <div key={head} role="columnheader" aria-colindex={index + 2}>
                  {head}
                </div>
              ))}
              {!readOnly && (
                <div role="columnheader" aria-colindex={7}>
                  <span className="vh">Actions</span>
                </div>
              )}
            </div>
          </div>
          <div role="rowgroup" className={styles.stepsBody} ref={body} style={{ height }}>
            {drawn.map(({ index, top }) => {
              const step = steps[index];
              if (!step) return null;
              return (
                <StepItem
                  key={keyOf(step.id)}
                  index={index}
                  top={top}
                  measure={measure}
                  rowIndex={rows.indexes[index] ?? index + 2}
                  step={step}
                  number={index + 1}
                  count={steps.length}
                  change={changes[index] ?? UNCHANGED}
                  comments={comments?.get(step.id)?.length ?? 0}
                  activeColumn={step.id === tabStop ? (active?.column ?? 'step') : null}
                  request={step.id === tabStop ? request : 0}
                  open={open?.stepId === step.id && open.part !== 'step' ? open : null}
                  readOnly={readOnly}
                  suggestions={suggestions}
                  personOf={personOf}
                  grid={grid}
                />
              );
            })}
          </div>
        </div>
        <p className="vh" id="steps-keys">
          {readOnly
            ? 'Arrow keys move between cells. Escape leaves the table.'
            : 'Enter edits a cell, Tab goes to the next one, Alt with Up or Down moves the row, Escape leaves the table. Tab or Enter while editing the last cell adds a step.'}
        </p>
        <p className="vh" id="step-added">
          Added
        </p>
      </SortableContext>
    </DndContext>
  );
}
