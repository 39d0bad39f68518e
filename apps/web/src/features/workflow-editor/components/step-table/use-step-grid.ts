import type { Step } from '@stet/domain/steps';
import { EDITOR_FIELDS, newStep, type EditorField } from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import { randomKey } from '../../../../lib/api/random-key.ts';
import type { EditorAction } from '../../model/editor-state.ts';
import { tabInGrid } from '../../model/grid-position.ts';
import type { GridColumn, GridPosition } from '../../model/grid-position.ts';
import { pastedRows, pastedSentence, parseCells, roomFor } from '../../model/pasted-rows.ts';
import { movedSentence } from '../../model/announcements.ts';

/** The cell that is the Tab stop. `row` is the position of its step, which is needed if the step is removed. */
type ActiveCell = { stepId: string; column: GridColumn; row: number };
/** The open editor or menu. `typed` is the letter that opened a text editor, or null if the text is kept. */
export type OpenPart =
  | { part: 'editor'; stepId: string; field: EditorField; typed: string | null }
  | { part: 'menu'; stepId: string };
/** Where the focus goes after a cell is committed. `away` doesn't move it. */
export type AfterCommit = 'stay' | 'next' | 'previous' | 'away';

/** The actions that cells and rows call. The object is stable, so that rows only rerender when they change. */
export type StepGrid = {
  activate: (stepId: string, column: GridColumn) => void;
  focusCell: (position: GridPosition) => void;
  openEditor: (stepId: string, field: EditorField, typed?: string) => void;
  openMenu: (stepId: string) => void;
  commit: (stepId: string, field: EditorField, value: string, after: AfterCommit) => void;
  /** Closes the open editor or menu and returns the focus to its cell. */
  close: () => void;
  /** Closes the open editor or menu without moving the focus. */
  leave: () => void;
  insertBelow: (stepId: string) => void;
  duplicate: (stepId: string) => void;
  remove: (stepId: string) => void;
  move: (stepId: string, to: number) => void;
  clearDiff: (stepId: string) => void;
  /**
   * Pastes cells of a spreadsheet into the table, starting at a cell. Returns false if the text doesn't contain such
   * cells.
   */
  paste: (position: { row: number; column: GridColumn }, text: string) => boolean;
  /** Whether this cell should receive the focus. Returns true only once. */
  takeFocus: (stepId: string, column: GridColumn) => boolean;
};

type StepGridOptions = {
  steps: readonly Step[];
  dispatch: (action: EditorAction) => void;
  announce: (sentence: string) => void;
  scrollToRow: (row: number) => void;
};

export function useStepGrid(options: StepGridOptions): {
  active: ActiveCell | null;
  open: OpenPart | null;
  grid: StepGrid;
} {
  const { steps } = options;
  const [active, setActive] = useState<ActiveCell | null>(null);
  const [open, setOpen] = useState<OpenPart | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  /**
   * The cell that should receive the focus, or `active` for the cell that is active after rendering. Other cells may be
   * mounted before it.
   */
  const focusSentTo = useRef<{ stepId: string; column: GridColumn } | 'active' | null>(null);

  const grid = useMemo<StepGrid>(() => {
    const rowOf = (stepId: string) => latest.current.steps.findIndex((step) => step.id === stepId);
    const focusCell = ({ row, column }: GridPosition) => {
      const step = latest.current.steps[row];
      if (!step) return;
      focusSentTo.current = { stepId: step.id, column };
      latest.current.scrollToRow(row);
      setActive({ stepId: step.id, column, row });
    };
    const goTo = (stepId: string, column: GridColumn, row: number) => {
      focusSentTo.current = { stepId, column };
      setActive({ stepId, column, row });
    };
    const afterEdit = (stepId: string, column: EditorField, after: AfterCommit) => {
      setOpen(null);
      const row = rowOf(stepId);
      if (after === 'away' || row === -1) return;
      const here: GridPosition = { row, column };
      if (after === 'stay') return focusCell(here);
      focusCell(tabInGrid(here, after === 'next' ? 1 : -1, latest.current.steps.length) ?? here);
    };
    return {
      activate: (stepId, column) =>
        setActive((now) =>
          now?.stepId === stepId && now.column === column ? now : { stepId, column, row: rowOf(stepId) },
        ),
      focusCell,
      openEditor: (stepId, field, typed) => {
        setActive({ stepId, column: field, row: rowOf(stepId) });
        setOpen({ part: 'editor', stepId, field, typed: typed ?? null });
      },
      openMenu: (stepId) => {
        setActive({ stepId, column: 'actions', row: rowOf(stepId) });
        setOpen({ part: 'menu', stepId });
      },
      commit: (stepId, field, value, after) => {
        latest.current.dispatch({ type: 'cell_edited', stepId, field, value });
        afterEdit(stepId, field, after);
      },
      close: () => {
        focusSentTo.current = 'active';
        setOpen(null);
      },
      leave: () => setOpen(null),
      insertBelow: (stepId) => {
        const added = newStep(randomKey());
        latest.current.dispatch({ type: 'steps_added', steps: [added], afterId: stepId });
        setOpen(null);
        goTo(added.id, 'step', rowOf(stepId) + 1);
        latest.current.announce(`Step added at position ${rowOf(stepId) + 2}.`);
      },
      duplicate: (stepId) => {
        const newId = randomKey();
        latest.current.dispatch({ type: 'step_duplicated', stepId, newId });
        setOpen(null);
        goTo(newId, 'step', rowOf(stepId) + 1);
        latest.current.announce('Step duplicated.');
      },
      remove: (stepId) => {
        const row = rowOf(stepId);
        const title = latest.current.steps[row]?.title ?? '';
        latest.current.dispatch({ type: 'step_deleted', stepId });
        setOpen(null);
        focusSentTo.current = 'active';
        latest.current.announce(`${title} deleted. Undo brings it back.`);
      },
      move: (stepId, to) => {
        const { steps: now, dispatch, announce } = latest.current;
        const step = now.find((each) => each.id === stepId);
        setOpen(null);
        if (!step || to < 0 || to >= now.length) return;
        dispatch({ type: 'step_moved', stepId, to });
        focusSentTo.current = 'active';
        setActive((cell) => (cell?.stepId === stepId ? { ...cell, row: to } : cell));
        announce(movedSentence(step.title, to, now.length));
      },
      paste: ({ row, column }, text) => {
        const { steps: now, dispatch, announce } = latest.current;
        const start = EDITOR_FIELDS.find((field) => field === column) ?? 'step';
        const rows = pastedRows(parseCells(text), start);
        if (rows.length === 0) return false;
        const room = roomFor(rows.length, row, now.length);
        const fresh = Array.from({ length: room.added }, () => newStep(randomKey()));
        dispatch({ type: 'rows_pasted', at: row, rows, fresh });
        setOpen(null);
        announce(pastedSentence(room));
        return true;
      },
      clearDiff: (stepId) => latest.current.dispatch({ type: 'diff_cleared', stepId }),
      takeFocus: (stepId, column) => {
        const sent = focusSentTo.current;
        const isHere = sent === 'active' || (sent?.stepId === stepId && sent.column === column);
        if (isHere) focusSentTo.current = null;
        return isHere;
      },
    };
  }, []);

  // If the step of the active or open cell was removed, the row that replaces it becomes active.
  const isThere = (stepId: string) => steps.some((step) => step.id === stepId);
  const heir = active && !isThere(active.stepId) ? steps[Math.min(active.row, steps.length - 1)] : undefined;
  return {
    active: heir && active ? { ...active, stepId: heir.id } : active,
    open: open && isThere(open.stepId) ? open : null,
    grid,
  };
}
