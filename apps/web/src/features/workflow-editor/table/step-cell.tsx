import type { EditorField } from '@stet/domain/workflows';
import { startTransition } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import type { CellProblem } from '../model/cell-problem.ts';
import { useCellFocus } from '../grid/use-cell-focus.ts';
import type { StepGrid } from '../grid/use-step-grid.ts';
import { FieldError } from '../../../ui/field.tsx';
import styles from './step-table.module.css';

type StepCellProps = {
  stepId: string;
  field: EditorField;
  className: string | undefined;
  /** The column's index, starting at 1 and counting all columns. */
  colIndex: number;
  changed: boolean;
  active: boolean;
  editing: boolean;
  readOnly: boolean;
  /** The problem with the cell's text. It is shown below the text unless the cell is being edited. */
  problem: CellProblem | null;
  grid: StepGrid;
  children: ReactNode;
};

/** A cell that can be focused. A click opens it for editing, and the table handles its keys. */
export function StepCell({
  stepId,
  field,
  className,
  colIndex,
  changed,
  active,
  editing,
  readOnly,
  problem,
  grid,
  children,
}: StepCellProps) {
  const ref = useCellFocus(active && !editing, grid, { stepId, column: field });
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the table handles its keys.
    <div
      ref={ref}
      className={classNames(
        styles.cell,
        className,
        changed && styles.green,
        editing && styles.open,
        problem !== null && styles.invalid,
      )}
      role="gridcell"
      aria-colindex={colIndex}
      aria-invalid={problem !== null || undefined}
      tabIndex={active && !editing ? 0 : -1}
      onFocus={(event) => {
        // A press also opens the cell. Without the transition, the table would render twice before the next paint.
        if (event.target === event.currentTarget) startTransition(() => grid.activate(stepId, field));
      }}
      onClick={() => {
        if (!readOnly && !editing) grid.openEditor(stepId, field);
      }}
    >
      {children}
      {problem !== null && !editing && (
        <>
          <FieldError hasIcon={false} className={styles.problem}>
            {problem.sentence}
          </FieldError>
          {problem.hint && <span className="xs muted">{problem.hint}</span>}
        </>
      )}
    </div>
  );
}
