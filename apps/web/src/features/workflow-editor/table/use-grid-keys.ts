import type { Step } from '@stet/domain/steps';
import { EDITOR_FIELDS } from '@stet/domain/workflows';
import { useCallback } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { CONTENT_COLUMNS, GRID_COLUMNS, moveInGrid, moveOfKey, tabInGrid } from '../grid/grid-position.ts';
import type { GridColumn } from '../grid/grid-position.ts';
import type { StepGrid } from '../grid/use-step-grid.ts';

type GridKeysOptions = {
  steps: readonly Step[];
  grid: StepGrid;
  readOnly: boolean;
  /** Whether a row is being dragged. Keys then control the drag. */
  dragging: boolean;
  onLeave: () => void;
};

/** Handles the table's keys while no cell is being edited. An open editor or menu handles its own keys. */
export function useGridKeys({ steps, grid, readOnly, dragging, onLeave }: GridKeysOptions) {
  return useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      if (dragging || event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
      if (event.target.closest(OPEN_PARTS)) return;
      const place = placeOf(event.target, steps);
      if (!place) return;
      const { step, row, column } = place;
      const field = EDITOR_FIELDS.find((each) => each === column);
      const done = () => event.preventDefault();
      const withModifier = event.ctrlKey || event.metaKey;

      if (event.altKey) {
        if (readOnly || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        done();
        return grid.move(step.id, row + (event.key === 'ArrowUp' ? -1 : 1));
      }
      if (event.key === 'Escape') {
        done();
        return onLeave();
      }
      if (event.key === 'Tab') {
        const next = tabInGrid({ row, column }, event.shiftKey ? -1 : 1, steps.length);
        if (next === null) return;
        done();
        return grid.focusCell(next);
      }
      const move = moveOfKey(event.key, withModifier);
      if (move !== null) {
        done();
        const columns = readOnly ? CONTENT_COLUMNS : GRID_COLUMNS;
        return grid.focusCell(moveInGrid({ row, column }, move, steps.length, columns));
      }
      if (event.key === 'Enter' && withModifier) {
        done();
        return grid.openStep(step.id);
      }
      if (readOnly || !field || withModifier) return;
      if (event.key === 'Enter' || event.key === 'F2') {
        done();
        return grid.openEditor(step.id, field);
      }
      // Typing in a cell replaces its text.
      if (event.key.length === 1 && event.key !== ' ') {
        done();
        return grid.openEditor(step.id, field, event.key);
      }
    },
    [steps, grid, readOnly, dragging, onLeave],
  );
}

/** Pastes rows from a spreadsheet at the focused cell. If an editor is open, the paste goes into its text. */
export function useGridPaste({ steps, grid, readOnly }: Pick<GridKeysOptions, 'steps' | 'grid' | 'readOnly'>) {
  return useCallback(
    (event: ClipboardEvent<HTMLElement>) => {
      if (readOnly || !(event.target instanceof HTMLElement) || event.target.closest(OPEN_PARTS)) return;
      const place = placeOf(event.target, steps);
      if (place && grid.paste(place, event.clipboardData.getData('text/plain'))) event.preventDefault();
    },
    [steps, grid, readOnly],
  );
}

/** Editors and menus inside a cell. */
const OPEN_PARTS = '[data-cell-part]';

/** The cell that received a key press or paste. Comparison rows can't be focused. */
function placeOf(target: HTMLElement, steps: readonly Step[]): { step: Step; row: number; column: GridColumn } | null {
  const stepId = target.closest<HTMLElement>('[data-step]')?.dataset['step'];
  const row = steps.findIndex((step) => step.id === stepId);
  const step = steps[row];
  const columnIndex = Number(target.closest('[aria-colindex]')?.getAttribute('aria-colindex'));
  // The number column (2) can't be focused.
  const column = GRID_COLUMNS[columnIndex <= 1 ? 0 : columnIndex - 2];
  return step && column ? { step, row, column } : null;
}
