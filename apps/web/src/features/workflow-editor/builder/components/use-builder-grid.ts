import type { Step, StepType } from '@stet/domain/steps';
import {
  copyStep,
  insertStep,
  LIMITS,
  moveStep,
  newBuilderStep,
  removeStep,
  replaceStep,
} from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import { randomKey } from '../../../../lib/api/random-key.ts';
import { titleOf } from '../model/step-words.ts';

/** Actions that rows call; a stable object, so that rows rerender only when they change. */
export type BuilderGrid = {
  /** Makes this row the Tab stop and the step marked in the diagram. */
  select: (stepId: string) => void;
  /** As above, and moves the focus there. */
  focusRow: (row: number) => void;
  focusStep: (stepId: string) => void;
  open: (stepId: string) => void;
  /** Inserts before row `at`, or at the end, and focuses the new row. */
  add: (type: StepType, at?: number) => void;
  replace: (step: Step) => void;
  duplicate: (stepId: string) => void;
  remove: (stepId: string) => void;
  move: (stepId: string, to: number) => void;
  /** True once, and only for the row that should receive the focus; another one may be mounted before it. */
  takeFocus: (stepId: string) => boolean;
};

type Options = {
  steps: readonly Step[];
  onSteps: (steps: Step[]) => void;
  announce: (sentence: string) => void;
  scrollToRow: (row: number) => void;
};

export function useBuilderGrid(options: Options): {
  /** The row that is the Tab stop; null if there is none yet. */
  activeId: string | null;
  /** The step whose dialog is open. */
  openId: string | null;
  close: () => void;
  grid: BuilderGrid;
} {
  const { steps } = options;
  const [active, setActive] = useState<{ id: string; row: number } | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const focusSentTo = useRef<string | null>(null);

  const grid = useMemo<BuilderGrid>(() => {
    const now = () => latest.current.steps;
    const rowOf = (stepId: string) => now().findIndex(({ id }) => id === stepId);
    const sendFocus = (id: string, row: number) => {
      focusSentTo.current = id;
      setActive({ id, row });
      // A new row can only be scrolled to once it is mounted.
      requestAnimationFrame(() => latest.current.scrollToRow(row));
    };
    const place = (row: number, count: number) => `position ${row + 1} of ${count}`;
    return {
      select: (id) => setActive((old) => (old?.id === id ? old : { id, row: rowOf(id) })),
      focusRow: (row) => {
        const step = now()[Math.max(0, Math.min(row, now().length - 1))];
        if (step) sendFocus(step.id, rowOf(step.id));
      },
      focusStep: (id) => {
        const row = rowOf(id);
        if (row !== -1) sendFocus(id, row);
      },
      open: (id) => {
        setActive({ id, row: rowOf(id) });
        setOpenId(id);
      },
      add: (type, at = now().length) => {
        const { onSteps, announce } = latest.current;
        if (now().length >= LIMITS.steps) return announce(`A workflow has at most ${LIMITS.steps} steps.`);
        const step = newBuilderStep(randomKey(), type);
        onSteps(insertStep(now(), step, at));
        sendFocus(step.id, at);
        announce(`New ${type} step at ${place(at, now().length + 1)}. Enter opens it.`);
      },
      replace: (step) => latest.current.onSteps(replaceStep(now(), step)),
      duplicate: (id) => {
        const { onSteps, announce } = latest.current;
        if (now().length >= LIMITS.steps) return announce(`A workflow has at most ${LIMITS.steps} steps.`);
        const newId = randomKey();
        const at = rowOf(id) + 1;
        onSteps(copyStep(now(), id, newId));
        sendFocus(newId, at);
        announce(`Step duplicated at ${place(at, now().length + 1)}.`);
      },
      remove: (id) => {
        const row = rowOf(id);
        const step = now()[row];
        if (!step) return;
        const { onSteps, announce } = latest.current;
        onSteps(removeStep(now(), id));
        const heir = now()[row + 1] ?? now()[row - 1];
        if (heir) sendFocus(heir.id, Math.min(row, now().length - 2));
        announce(`${titleOf(step)} removed. Undo brings it back.`);
      },
      move: (id, to) => {
        const step = now()[rowOf(id)];
        if (!step || to < 0 || to >= now().length || to === rowOf(id)) return;
        const { onSteps, announce } = latest.current;
        onSteps(moveStep(now(), id, to));
        sendFocus(id, to);
        announce(`${titleOf(step)} moved to ${place(to, now().length)}.`);
      },
      takeFocus: (id) => {
        if (focusSentTo.current !== id) return false;
        focusSentTo.current = null;
        return true;
      },
    };
  }, []);

  const isThere = (id: string) => steps.some((step) => step.id === id);
  // The active step was removed: the row in its place becomes active.
  const heir = active && !isThere(active.id) ? steps[Math.min(active.row, steps.length - 1)] : undefined;
  return {
    activeId: active && (isThere(active.id) ? active.id : (heir?.id ?? null)),
    openId: openId !== null && isThere(openId) ? openId : null,
    close: () => {
      focusSentTo.current = openId;
      setOpenId(null);
    },
    grid,
  };
}
