import { diffEditorRows } from '@stet/domain/drafts';
import type { RowDiff } from '@stet/domain/drafts';
import { EDITOR_FIELDS, toEditorRows } from '@stet/domain/workflows';
import type { EditorField, WorkflowContent } from '@stet/domain/workflows';

/** One line of before and after. */
export type FieldChange = { field: string; before: string; after: string };
export type StepChange = {
  id: string;
  kind: 'added' | 'removed' | 'modified' | 'moved';
  title: string;
  fields: readonly FieldChange[];
};
/** What the Workflow Changes dialog shows (specification, section 2). */
export type DocumentChanges = {
  added: number;
  removed: number;
  modified: number;
  moved: number;
  metadata: readonly FieldChange[];
  steps: readonly StepChange[];
  identical: boolean;
};

export const FIELD_NAMES = {
  step: 'Step',
  assignee: 'Assignee',
  sla: 'SLA',
  task: 'Task',
} as const satisfies Record<EditorField, string>;

/** Compares two documents as a person reads them: name, description, and the four columns of each step. */
export function documentChanges(before: WorkflowContent, after: WorkflowContent): DocumentChanges {
  const diff = diffEditorRows(toEditorRows(before.steps), toEditorRows(after.steps));
  const steps = diff.rows.flatMap(stepChange);
  const metadata = metadataChanges(before, after);
  return {
    added: diff.added,
    removed: diff.removed,
    modified: diff.modified,
    moved: diff.moved,
    metadata,
    steps,
    identical: steps.length === 0 && metadata.length === 0,
  };
}

function stepChange(row: RowDiff): StepChange[] {
  switch (row.type) {
    case 'added':
      return [{ id: row.id, kind: 'added', title: row.after.step, fields: whole('', row.after) }];
    case 'removed':
      return [{ id: row.id, kind: 'removed', title: row.before.step, fields: whole(row.before, '') }];
    case 'modified': {
      const fields = EDITOR_FIELDS.flatMap((field) => {
        const change = row.changes[field];
        return change ? [{ field: FIELD_NAMES[field], ...change }] : [];
      });
      return [{ id: row.id, kind: 'modified', title: row.after.step, fields }];
    }
    case 'unchanged':
      return row.moved ? [{ id: row.id, kind: 'moved', title: row.after.step, fields: [] }] : [];
  }
}

type Cells = Record<EditorField, string>;

const whole = (before: Cells | '', after: Cells | ''): FieldChange[] =>
  EDITOR_FIELDS.map((field) => ({
    field: FIELD_NAMES[field],
    before: before === '' ? '' : before[field],
    after: after === '' ? '' : after[field],
  }));

function metadataChanges(before: WorkflowContent, after: WorkflowContent): FieldChange[] {
  const names = { title: 'Workflow Name', description: 'Description' } as const;
  return (['title', 'description'] as const)
    .filter((field) => before.metadata[field] !== after.metadata[field])
    .map((field) => ({ field: names[field], before: before.metadata[field], after: after.metadata[field] }));
}
