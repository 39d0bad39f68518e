import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { memo, useCallback } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { PrevRow } from './prev-row.tsx';
import { StepRow } from './step-row.tsx';
import type { StepRowProps } from './step-row.tsx';
import { useCellFocus } from '../grid/use-cell-focus.ts';
import { DragHandle } from '../../../ui/drag-handle.tsx';
import styles from './step-table.module.css';

type StepItemProps = StepRowProps & {
  /** The index in the list. The virtual list needs it to measure the row. */
  index: number;
  rowIndex: number;
  /** The distance from the top of the list in pixels. */
  top: number;
  measure: (element: HTMLElement | null) => void;
};

/**
 * A step and its comparison row, which move together. It is memoized, so that scrolling only renders newly visible
 * rows.
 */
export const StepItem = memo(function StepItem({ index, rowIndex, top, measure, ...row }: StepItemProps) {
  const { step, number, change, readOnly, grid } = row;
  const sortable = useSortable({ id: step.id, disabled: readOnly });
  const { setNodeRef } = sortable;
  const setRefs = useCallback(
    (element: HTMLElement | null) => {
      setNodeRef(element);
      measure(element);
    },
    [setNodeRef, measure],
  );
  const edited = change.kind === 'modified' || change.kind === 'added';
  return (
    <div
      ref={setRefs}
      role="presentation"
      data-index={index}
      data-dragging={sortable.isDragging || undefined}
      className={classNames(styles.stepItem, sortable.isDragging && styles.dragging, row.open && styles.onTop)}
      style={{ top, transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
    >
      <div
        className={classNames(styles.stepRow, edited && styles.chg)}
        role="row"
        aria-rowindex={rowIndex}
        data-step={step.id}
        aria-describedby={change.kind === 'added' ? 'step-added' : undefined}
      >
        <HandleCell row={row} sortable={sortable} />
        <StepRow {...row} />
      </div>
      {change.kind === 'modified' && change.shown && (
        <PrevRow
          rowIndex={rowIndex + 1}
          number={number}
          before={change.before}
          fields={change.fields}
          personOf={row.personOf}
          onClear={() => grid.clearDiff(step.id)}
        />
      )}
    </div>
  );
});

function HandleCell({ row, sortable }: { row: StepRowProps; sortable: ReturnType<typeof useSortable> }) {
  const { step, number, activeColumn, readOnly, grid } = row;
  const isActive = activeColumn === 'handle';
  const attach = useCellFocus(isActive && !sortable.isDragging, grid, { stepId: step.id, column: 'handle' });
  const { setActivatorNodeRef, attributes, listeners } = sortable;
  const setRefs = useCallback(
    (element: HTMLButtonElement | null) => {
      attach(element);
      setActivatorNodeRef(element);
    },
    [attach, setActivatorNodeRef],
  );
  return (
    <div className={styles.h} role="gridcell" aria-colindex={1}>
      {!readOnly && (
        <DragHandle
          {...attributes}
          {...listeners}
          ref={setRefs}
          className={styles.handle}
          aria-label={`Move step ${number}`}
          tabIndex={isActive ? 0 : -1}
          onFocus={() => grid.activate(step.id, 'handle')}
        />
      )}
    </div>
  );
}
