import { changedCells } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import { toEditorRow, type EditorField, type EditorRow } from '@stet/domain/workflows';

/** How a row differs from the saved document. `shown`: its comparison row is visible, because it wasn't cleared. */
export type RowChange =
  | { kind: 'unchanged' }
  | { kind: 'added' }
  | { kind: 'modified'; fields: readonly EditorField[]; before: EditorRow; shown: boolean };

const UNCHANGED: RowChange = { kind: 'unchanged' };
const ADDED: RowChange = { kind: 'added' };

const differing = (before: Step, after: Step): EditorField[] =>
  Object.keys(changedCells(toEditorRow(before), toEditorRow(after))) as EditorField[];

/** Compares one step with the saved step of the same id in the table's four columns. */
export function changeOf(step: Step, before: Step | undefined, clearedAs: Step | undefined): RowChange {
  if (before === undefined) return ADDED;
  if (before === step) return UNCHANGED;
  const fields = differing(before, step);
  if (fields.length === 0) return UNCHANGED;
  const cleared = clearedAs !== undefined && differing(clearedAs, step).length === 0;
  return { kind: 'modified', fields, before: toEditorRow(before), shown: !cleared };
}

// The saved list stays the same object from one save to the next.
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

/** Row numbers from 1 for assistive technology: the header is row 1, and comparison rows count. */
export function ariaRowIndexes(changes: readonly RowChange[]): { indexes: readonly number[]; count: number } {
  let next = 2;
  const indexes = changes.map((change) => {
    const own = next;
    next += change.kind === 'modified' && change.shown ? 2 : 1;
    return own;
  });
  return { indexes, count: next - 1 };
}
