import type { Step } from '@stet/domain/steps';
import {
  EDITOR_FIELDS,
  LIMITS,
  newStep,
  provisionalStepId,
  stepTitle,
  type EditorField,
  type StepIds,
} from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import { randomKey } from '../../../lib/api/random-key.ts';
import type { EditorAction } from '../model/editor-state.ts';
import { pastedRows, pastedSentence, parseCells, roomFor } from '../model/pasted-rows.ts';
import { addedSentence, duplicatedSentence, movedSentence, removedSentence } from './announcements.ts';
import { tabInGrid } from './grid-position.ts';
import type { GridColumn, GridPosition } from './grid-position.ts';

/** The cell that is the Tab stop. `row` is the position of its step, for when the step is removed. */
type ActiveCell = { stepId: string; column: GridColumn; row: number };
/** The open editor, menu or step. `typed` is the character that opened the editor, or null if the text is kept. */
export type OpenPart =
  | { part: 'editor'; stepId: string; field: EditorField; typed: string | null }
  | { part: 'menu'; stepId: string }
  | { part: 'step'; stepId: string };
/** The cell that receives the focus after a cell is committed. `away` doesn't move it. */
export type AfterCommit = 'stay' | 'next' | 'previous' | 'down' | 'away';

/**
 * The actions that cells and rows call. The object is stable, so that rows only rerender when they change. If the focus
 * is on whole rows, as in the builder, columns are omitted.
 */
export type StepGrid = {
  activate: (stepId: string, column?: GridColumn) => void;
  /** Focuses the cell at the position or, if there is no such row, the cell in the nearest row. */
  focusCell: (position: { row: number; column?: GridColumn }) => void;
  focusStep: (stepId: string) => void;
  openEditor: (stepId: string, field: EditorField, typed?: string) => void;
  openMenu: (stepId: string) => void;
  openStep: (stepId: string) => void;
  commit: (stepId: string, field: EditorField, value: string, after: AfterCommit) => void;
  /** Closes the open part and returns the focus to its cell. */
  close: () => void;
  /** Closes the open part without moving the focus. */
  leave: () => void;
  /** Adds a step before row `at`, or at the end, and focuses it. */
  add: (step: Step, at?: number) => void;
  /** Adds a new step before row `at`, or at the end, and edits its title. */
  addTyped: (at?: number) => void;
  duplicate: (stepId: string) => void;
  remove: (stepId: string) => void;
  move: (stepId: string, to: number) => void;
  /** Moves a step that was dragged. The drag itself announces it and returns the focus. */
  drop: (stepId: string, to: number) => void;
  clearDiff: (stepId: string) => void;
  /** Pastes spreadsheet cells into the table, starting at a cell. Returns false if there is nothing to paste. */
  paste: (position: { row: number; column: GridColumn }, text: string) => boolean;
  /** Asked by the active cell: whether it should take the focus now. Returns true once for each request. */
  takeFocus: (stepId: string, column?: GridColumn) => boolean;
};

type StepGridOptions = {
  steps: readonly Step[];
  /** The final ids of new steps, by their provisional ids. */
  ids: StepIds;
  dispatch: (action: EditorAction) => void;
  announce: (sentence: string) => void;
  scrollToRow: (row: number) => void;
};

export type StepGridState = {
  active: ActiveCell | null;
  open: OpenPart | null;
  /** Changes with each request for the focus, so that the active row rerenders and takes it. */
  request: number;
  /**
   * A step's key among its siblings. It stays the same when the step receives its final id, so that the focus isn't
   * lost.
   */
  keyOf: (stepId: string) => string;
  grid: StepGrid;
};

/** The focus, the open part and the edits of the steps, for the table and the builder. */
export function useStepGrid(options: StepGridOptions): StepGridState {
  const { steps, ids } = options;
  const [activated, setActive] = useState<ActiveCell | null>(null);
  const [opened, setOpen] = useState<OpenPart | null>(null);
  const active = withFinalId(activated, ids);
  const open = withFinalId(opened, ids);
  const keyOf = useMemo(() => {
    const keys = new Map([...ids].map(([provisional, final]) => [final, provisional]));
    return (stepId: string) => keys.get(stepId) ?? stepId;
  }, [ids]);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  /** The cell that should receive the focus, or `active` for the cell that is active after rendering. */
  const focusSentTo = useRef<{ stepId: string; column: GridColumn } | 'active' | null>(null);
  const [request, setRequest] = useState(0);

  const grid = useMemo<StepGrid>(() => {
    const now = () => latest.current.steps;
    const rowOf = (stepId: string) => now().findIndex((step) => step.id === stepId);
    const sendFocusTo = (target: typeof focusSentTo.current) => {
      focusSentTo.current = target;
      setRequest((before) => before + 1);
    };
    const sendFocus = (stepId: string, row: number, column: GridColumn = 'step') => {
      sendFocusTo({ stepId, column });
      setActive({ stepId, column, row });
    };
    const focusCell = ({ row, column }: { row: number; column?: GridColumn }) => {
      const at = Math.max(0, Math.min(row, now().length - 1));
      const step = now()[at];
      if (!step) return;
      latest.current.scrollToRow(at);
      sendFocus(step.id, at, column);
    };
    /** Focuses a new row. It must be mounted before it can be scrolled into view. */
    const focusNew = (stepId: string, row: number) => {
      sendFocus(stepId, row);
      requestAnimationFrame(() => latest.current.scrollToRow(row));
    };
    const isFull = () => {
      if (now().length < LIMITS.steps) return false;
      latest.current.announce(`A workflow has at most ${LIMITS.steps} steps.`);
      return true;
    };
    const afterEdit = (stepId: string, column: EditorField, after: AfterCommit) => {
      setOpen(null);
      const row = rowOf(stepId);
      if (after === 'away' || row === -1) return;
      const here: GridPosition = { row, column };
      const isLastCell = row === now().length - 1 && column === EDITOR_FIELDS.at(-1);
      if (isLastCell && (after === 'next' || after === 'down')) return addTyped();
      if (after === 'stay') return focusCell(here);
      if (after === 'down') return focusCell({ row: row + 1, column });
      focusCell(tabInGrid(here, after === 'next' ? 1 : -1, now().length) ?? here);
    };
    const insert = (step: Step, at: number) => {
      latest.current.dispatch({ type: 'steps_added', steps: [step], at });
      latest.current.announce(addedSentence(at, now().length + 1));
      setOpen(null);
      focusNew(step.id, at);
    };
    const addTyped = (at = now().length) => {
      if (isFull()) return;
      const step = newStep(provisionalStepId(randomKey()));
      insert(step, at);
      setOpen({ part: 'editor', stepId: step.id, field: 'step', typed: null });
    };
    const canMove = (stepId: string, to: number) => {
      const from = rowOf(stepId);
      return from !== -1 && from !== to && to >= 0 && to < now().length;
    };
    return {
      activate: (stepId, column) =>
        setActive((old) =>
          old?.stepId === stepId && (column === undefined || old.column === column)
            ? old
            : { stepId, column: column ?? 'step', row: rowOf(stepId) },
        ),
      focusCell,
      focusStep: (stepId) => focusCell({ row: rowOf(stepId) }),
      openEditor: (stepId, field, typed) => {
        setActive({ stepId, column: field, row: rowOf(stepId) });
        setOpen({ part: 'editor', stepId, field, typed: typed ?? null });
      },
      openMenu: (stepId) => {
        setActive({ stepId, column: 'actions', row: rowOf(stepId) });
        setOpen({ part: 'menu', stepId });
      },
      openStep: (stepId) => {
        setActive({ stepId, column: 'step', row: rowOf(stepId) });
        setOpen({ part: 'step', stepId });
      },
      commit: (stepId, field, value, after) => {
        latest.current.dispatch({ type: 'cell_edited', stepId, field, value });
        afterEdit(stepId, field, after);
      },
      close: () => {
        sendFocusTo('active');
        setOpen(null);
      },
      leave: () => setOpen(null),
      add: (step, at = now().length) => {
        if (!isFull()) insert(step, at);
      },
      addTyped,
      duplicate: (stepId) => {
        if (isFull()) return;
        const newId = provisionalStepId(randomKey());
        const at = rowOf(stepId) + 1;
        latest.current.dispatch({ type: 'step_duplicated', stepId, newId });
        setOpen(null);
        focusNew(newId, at);
        latest.current.announce(duplicatedSentence(at, now().length + 1));
      },
      remove: (stepId) => {
        const step = now()[rowOf(stepId)];
        if (!step) return;
        latest.current.dispatch({ type: 'step_deleted', stepId });
        setOpen(null);
        sendFocusTo('active');
        latest.current.announce(removedSentence(stepTitle(step)));
      },
      move: (stepId, to) => {
        const step = now()[rowOf(stepId)];
        setOpen(null);
        if (!step || !canMove(stepId, to)) return;
        latest.current.dispatch({ type: 'step_moved', stepId, to });
        sendFocusTo('active');
        setActive((cell) => (cell?.stepId === stepId ? { ...cell, row: to } : { stepId, column: 'step', row: to }));
        requestAnimationFrame(() => latest.current.scrollToRow(to));
        latest.current.announce(movedSentence(stepTitle(step), to, now().length));
      },
      drop: (stepId, to) => {
        if (canMove(stepId, to)) latest.current.dispatch({ type: 'step_moved', stepId, to });
      },
      paste: ({ row, column }, text) => {
        const { dispatch, announce } = latest.current;
        const start = EDITOR_FIELDS.find((field) => field === column) ?? 'step';
        const rows = pastedRows(parseCells(text), start);
        if (rows.length === 0) return false;
        const room = roomFor(rows.length, row, now().length);
        const fresh = Array.from({ length: room.added }, () => newStep(provisionalStepId(randomKey())));
        dispatch({ type: 'rows_pasted', at: row, rows, fresh });
        setOpen(null);
        announce(pastedSentence(room));
        return true;
      },
      clearDiff: (stepId) => latest.current.dispatch({ type: 'diff_cleared', stepId }),
      takeFocus: (stepId, column) => {
        const sent = focusSentTo.current;
        const isHere =
          sent === 'active' || (sent?.stepId === stepId && (column === undefined || sent.column === column));
        if (isHere) focusSentTo.current = null;
        return isHere;
      },
    };
  }, []);

  // If the active cell's step was removed, the row in its place (or the last one) becomes active. If the open part's
  // step was removed, the part closes.
  const isThere = (stepId: string) => steps.some((step) => step.id === stepId);
  const heir = active && !isThere(active.stepId) ? steps[Math.min(active.row, steps.length - 1)] : undefined;
  return {
    active: heir && active ? { ...active, stepId: heir.id } : active,
    open: open && isThere(open.stepId) ? open : null,
    request,
    keyOf,
    grid,
  };
}

function withFinalId<At extends { stepId: string }>(at: At | null, ids: StepIds): At | null {
  const final = at === null ? undefined : ids.get(at.stepId);
  return at === null || final === undefined ? at : { ...at, stepId: final };
}
