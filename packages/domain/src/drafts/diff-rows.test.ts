import { describe, expect, it } from 'vitest';
import { newStep, toEditorRow } from '../workflows/editor-rows.ts';
import { changedCells, diffEditorRows } from './diff-rows.ts';

const row = (id: string) => toEditorRow(newStep(id));

describe('the diff of editor rows', () => {
  it('counts added, removed, modified and unchanged rows', () => {
    const before = [row('a'), row('b'), row('c')];
    const after = [row('a'), { ...row('b'), assignee: 'editor', task: 'Read it.' }, row('d')];
    const diff = diffEditorRows(before, after);
    expect(diff).toMatchObject({ added: 1, removed: 1, modified: 1, unchanged: 1, moved: 0 });
    expect(diff.rows.map(({ id, type }) => `${type} ${id}`)).toEqual([
      'unchanged a',
      'modified b',
      'removed c',
      'added d',
    ]);
    expect(diff.rows[1]).toMatchObject({
      changes: {
        assignee: { before: 'Unassigned', after: 'editor' },
        task: { before: 'Describe what needs to be done in this step...', after: 'Read it.' },
      },
    });
  });

  it.each(['step', 'assignee', 'sla', 'task'] as const)('finds a change in %s', (field) => {
    const after = { ...row('a'), [field]: 'other' };
    expect(Object.keys(changedCells(row('a'), after))).toEqual([field]);
    expect(diffEditorRows([row('a')], [after]).modified).toBe(1);
  });

  it('reports a new order of the same rows as a change', () => {
    const diff = diffEditorRows([row('a'), row('b'), row('c')], [row('c'), row('a'), row('b')]);
    expect(diff).toMatchObject({ unchanged: 3, moved: 1 });
    expect(diff.rows.find(({ id }) => id === 'c')).toMatchObject({ type: 'unchanged', moved: true });
  });
});
