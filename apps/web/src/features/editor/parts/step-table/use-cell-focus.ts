import { useCallback, useEffect, useRef } from 'react';
import type { GridColumn } from '../../model/grid-position.ts';
import type { StepGrid } from './use-step-grid.ts';

/**
 * A `ref` for what has the focus of a cell: it is focused when the table sent focus to this cell, also when the row is
 * only now drawn after a jump.
 */
export function useCellFocus(
  isTarget: boolean,
  grid: StepGrid,
  { stepId, column }: { stepId: string; column: GridColumn },
): (element: HTMLElement | null) => void {
  const target = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isTarget && grid.takeFocus(stepId, column)) target.current?.focus();
  });
  return useCallback((element) => {
    target.current = element;
  }, []);
}
