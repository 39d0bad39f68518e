import { useCallback, useEffect, useRef } from 'react';
import type { GridColumn } from './grid-position.ts';
import type { StepGrid } from './use-step-grid.ts';

/**
 * Returns a `ref` for the focusable element of a cell. The element is focused when the table moves the focus to the
 * cell, even if the row is only mounted at that moment.
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
