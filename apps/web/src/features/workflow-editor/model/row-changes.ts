import { changedCells } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import { toEditorRow, type EditorField, type EditorRow } from '@stet/domain/workflows';

/** How a row differs from the base. `shown`: whether the comparison row is visible. The person can close it. */
export type RowChange =
  | { kind: 'unchanged' }
  | { kind: 'added' }
  | { kind: 'modified'; fields: readonly EditorField[]; before: EditorRow; shown: boolean };

const UNCHANGED: RowChange = { kind: 'unchanged' };
const ADDED: RowChange = { kind: 'added' };

const differing = (before: Step, after: Step): EditorField[] =>
  Object.keys(changedCells(toEditorRow(before), toEditorRow(after))) as EditorField[];

/**
 * Compares the table's four columns of a step with the step of the base that has the same id. `clearedAs`: the step
 * when the person closed the comparison row.
 */
export function changeOf(step: Step, before: Step | undefined, clearedAs: Step | undefined): RowChange {
  if (before === undefined) return ADDED;
  if (before === step) return UNCHANGED;
  const fields = differing(before, step);
  if (fields.length === 0) return UNCHANGED;
  const cleared = clearedAs !== undefined && differing(clearedAs, step).length === 0;
  return { kind: 'modified', fields, before: toEditorRow(before), shown: !cleared };
}

// Cached by list, because the base is the same object after most edits.
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

/** The row numbers for assistive technology, starting at 1 with the header and including comparison rows. */
export function ariaRowIndexes(changes: readonly RowChange[]): { indexes: readonly number[]; count: number } {
  let next = 2;
  const indexes = changes.map((change) => {
    const own = next;
    next += change.kind === 'modified' && change.shown ? 2 : 1;
    return own;
  });
  return { indexes, count: next - 1 };
}
