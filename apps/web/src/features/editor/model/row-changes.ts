import { changedCells } from '@stet/domain/drafts';
import { toEditorRow } from '@stet/domain/workflows';
import type { EditorField, EditorRow, Step } from '@stet/domain/workflows';

/** How a row differs from the saved document. `shown`: its comparison stands under it, as it wasn't cleared. */
export type RowChange =
  | { kind: 'unchanged' }
  | { kind: 'added' }
  | { kind: 'modified'; fields: readonly EditorField[]; before: EditorRow; shown: boolean };

const UNCHANGED: RowChange = { kind: 'unchanged' };
const ADDED: RowChange = { kind: 'added' };

const rowOf = (step: Step): EditorRow => toEditorRow(step, 0);
const differing = (before: Step, after: Step): EditorField[] =>
  Object.keys(changedCells(rowOf(before), rowOf(after))) as EditorField[];

/** Compares one step with the saved one of the same id in the four columns of the table. */
export function changeOf(step: Step, before: Step | undefined, clearedAs: Step | undefined): RowChange {
  if (before === undefined) return ADDED;
  if (before === step) return UNCHANGED;
  const fields = differing(before, step);
  if (fields.length === 0) return UNCHANGED;
  const cleared = clearedAs !== undefined && differing(clearedAs, step).length === 0;
  return { kind: 'modified', fields, before: rowOf(before), shown: !cleared };
}

// What is compared with stays the same list from one save to the next.
const byId = new WeakMap<readonly Step[], ReadonlyMap<string, Step>>();
function stepsById(steps: readonly Step[]): ReadonlyMap<string, Step> {
  const known = byId.get(steps) ?? new Map(steps.map((step) => [step.id, step]));
  byId.set(steps, known);
  return known;
}

export function changesOf(
  steps: readonly Step[],
  saved: readonly Step[],
  cleared: ReadonlyMap<string, Step>,
): readonly RowChange[] {
  if (steps === saved) return steps.map(() => UNCHANGED);
  const before = stepsById(saved);
  return steps.map((step) => changeOf(step, before.get(step.id), cleared.get(step.id)));
}

/** 1-based row numbers for assistive technology: the head is row 1, comparison rows count. */
export function ariaRowIndexes(changes: readonly RowChange[]): { indexes: readonly number[]; count: number } {
  let next = 2;
  const indexes = changes.map((change) => {
    const own = next;
    next += change.kind === 'modified' && change.shown ? 2 : 1;
    return own;
  });
  return { indexes, count: next - 1 };
}
