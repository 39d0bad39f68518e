import type { EditorField } from '@stet/domain/workflows';
import type { ReactNode } from 'react';
import { classNames } from '../../../../ui/class-names.ts';
import { useCellFocus } from './use-cell-focus.ts';
import type { StepGrid } from './use-step-grid.ts';

type StepCellProps = {
  stepId: string;
  field: EditorField;
  className: string;
  /** 1-based, over all columns. */
  colIndex: number;
  changed: boolean;
  active: boolean;
  editing: boolean;
  readOnly: boolean;
  /** What is wrong with what it says, said under it while it is not edited. */
  problem: string | null;
  grid: StepGrid;
  children: ReactNode;
};

/** A cell that is read, reached by keyboard, and opened by click. Keys are the table's. */
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
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- its keys are the table's.
    <div
      ref={ref}
      className={classNames('cell', className, changed && 'green', editing && 'open', problem !== null && 'invalid')}
      role="gridcell"
      aria-colindex={colIndex}
      aria-invalid={problem !== null || undefined}
      tabIndex={active && !editing ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) grid.activate(stepId, field);
      }}
      onClick={() => {
        if (!readOnly && !editing) grid.openEditor(stepId, field);
      }}
    >
      {children}
      {problem !== null && !editing && <span className="err">{problem}</span>}
    </div>
  );
}
