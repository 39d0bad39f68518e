import { EDITOR_FIELDS, type EditorField, type EditorRow } from '../workflows/editor-rows.ts';
import type { Change } from './diff.ts';
import { inDocumentOrder, movedIds } from './steps-order.ts';

type RowChanges = Partial<Record<EditorField, Change<string>>>;

/** A compared row; `moved` means that a row that exists on both sides changed its place (specification, section 4). */
export type RowDiff =
  | { id: string; type: 'added'; after: EditorRow }
  | { id: string; type: 'removed'; before: EditorRow }
  | { id: string; type: 'modified'; before: EditorRow; after: EditorRow; changes: RowChanges; moved: boolean }
  | { id: string; type: 'unchanged'; before: EditorRow; after: EditorRow; moved: boolean };

/** Counts by kind, the number of moved rows, and every row in document order. */
type RowsDiff = {
  added: number;
  removed: number;
  modified: number;
  unchanged: number;
  moved: number;
  rows: RowDiff[];
};

/**
 * Compares rows with the same id for the editor's changes dialog: step, assignee, SLA and task (specification, section
 * 4). A row that only moved is unchanged with `moved` set, so that a new order isn't shown as identical.
 */
export function diffEditorRows(before: readonly EditorRow[], after: readonly EditorRow[]): RowsDiff {
  const old = new Map(before.map((row) => [row.id, row]));
  const now = new Map(after.map((row) => [row.id, row]));
  const moved = movedIds(before, after);
  const rows = inDocumentOrder(before, after).map(({ id }) => compare(old.get(id), now.get(id), moved));
  const count = (type: RowDiff['type']) => rows.filter((row) => row.type === type).length;
  const counts = {
    added: count('added'),
    removed: count('removed'),
    modified: count('modified'),
    unchanged: count('unchanged'),
  };
  return { ...counts, moved: moved.size, rows };
}

/** Returns the cells that differ between two rows, for the table's 'Prev' row. */
export function changedCells(before: EditorRow, after: EditorRow): RowChanges {
  const changes: RowChanges = {};
  for (const field of EDITOR_FIELDS) {
    if (before[field] !== after[field]) changes[field] = { before: before[field], after: after[field] };
  }
  return changes;
}

function compare(before: EditorRow | undefined, after: EditorRow | undefined, moved: ReadonlySet<string>): RowDiff {
  if (after === undefined) {
    if (before === undefined) throw new RangeError('the row is in neither list');
    return { id: before.id, type: 'removed', before };
  }
  if (before === undefined) return { id: after.id, type: 'added', after };
  const changes = changedCells(before, after);
  const both = { id: after.id, before, after, moved: moved.has(after.id) };
  return Object.keys(changes).length === 0 ? { ...both, type: 'unchanged' } : { ...both, type: 'modified', changes };
}
