import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { StepGrid } from './use-step-grid.ts';

/** Focuses its element when the table sent focus to this cell, also when the row is only now drawn after a jump. */
export function useCellFocus<E extends HTMLElement>(isTarget: boolean, grid: StepGrid): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (isTarget && grid.takeFocus()) ref.current?.focus();
  });
  return ref;
}
