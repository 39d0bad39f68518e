import { diffEditorRows } from '@stet/domain/drafts';
import type { RowDiff } from '@stet/domain/drafts';
import {
  EDITOR_FIELDS,
  METADATA,
  METADATA_FIELDS,
  metadataValue,
  toEditorRows,
  visibleText,
} from '@stet/domain/workflows';
import type { EditorField, WorkflowContent } from '@stet/domain/workflows';
import type { FieldChange } from '@stet/presentation/change-words';
import { hiddenChanges } from './hidden-changes.ts';
import { sameContent } from './same-content.ts';

export type StepChange = {
  id: string;
  /** `settings`: only properties without a column differ. */
  kind: 'added' | 'removed' | 'modified' | 'moved' | 'settings';
  title: string;
  fields: readonly FieldChange[];
};
/** The differences between two documents, as the dialog 'Workflow Changes' shows them (specification, section 2). */
export type DocumentChanges = {
  added: number;
  removed: number;
  modified: number;
  moved: number;
  /** The number of steps that differ in properties without a column. They may also count as modified or moved. */
  settings: number;
  metadata: readonly FieldChange[];
  steps: readonly StepChange[];
  identical: boolean;
};

const FIELD_NAMES = {
  step: 'Step',
  assignee: 'Assignee',
  sla: 'SLA',
  task: 'Task',
} as const satisfies Record<EditorField, string>;

/**
 * Compares the name, description and steps of two documents. `added`, `removed`, `modified` and `moved` only cover the
 * four columns and the order (specification, section 2).
 */
export function documentChanges(before: WorkflowContent, after: WorkflowContent): DocumentChanges {
  const diff = diffEditorRows(toEditorRows(before.steps), toEditorRows(after.steps));
  const hidden = hiddenChanges(before, after);
  const steps = diff.rows.flatMap((row) => stepChange(row, hidden.get(row.id) ?? []));
  const metadata = metadataChanges(before, after);
  return {
    added: diff.added,
    removed: diff.removed,
    modified: diff.modified,
    moved: diff.moved,
    settings: hidden.size,
    metadata,
    steps,
    identical: sameContent(before, after),
  };
}

function stepChange(row: RowDiff, hidden: readonly FieldChange[]): StepChange[] {
  switch (row.type) {
    case 'added':
      return [{ id: row.id, kind: 'added', title: row.after.step, fields: whole('', row.after) }];
    case 'removed':
      return [{ id: row.id, kind: 'removed', title: row.before.step, fields: whole(row.before, '') }];
    case 'modified': {
      const fields = EDITOR_FIELDS.flatMap((field) => {
        const change = row.changes[field];
        return change ? [lineOf(field, FIELD_NAMES[field], change)] : [];
      });
      return [{ id: row.id, kind: 'modified', title: row.after.step, fields: [...fields, ...hidden] }];
    }
    case 'unchanged':
      if (!row.moved && hidden.length === 0) return [];
      return [{ id: row.id, kind: row.moved ? 'moved' : 'settings', title: row.after.step, fields: hidden }];
  }
}

type Cells = Record<EditorField, string>;

const whole = (before: Cells | '', after: Cells | ''): FieldChange[] =>
  EDITOR_FIELDS.map((field) =>
    lineOf(field, FIELD_NAMES[field], {
      before: before === '' ? '' : before[field],
      after: after === '' ? '' : after[field],
    }),
  );

const lineOf = (field: string, label: string, { before, after }: { before: string; after: string }): FieldChange => ({
  field,
  label,
  before: visibleText(before),
  after: visibleText(after),
  form: 'text',
});

function metadataChanges(before: WorkflowContent, after: WorkflowContent): FieldChange[] {
  return METADATA_FIELDS.flatMap((field) => {
    const change = { before: metadataValue(before.metadata, field), after: metadataValue(after.metadata, field) };
    const label = field === 'title' ? 'Workflow Name' : METADATA[field].label;
    return change.before === change.after ? [] : [lineOf(field, label, change)];
  });
}
