import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from './content.arbitrary.ts';
import { copyForChanges, duplicateContent } from './duplicate.ts';
import { newEditorRow, newStep, readStepType, toEditorRow, toEditorRows, toSteps } from './editor-rows.ts';
import { STEP_TYPES } from './step.ts';

describe('rows of the step table', () => {
  it('have defaults for what is missing', () => {
    expect(toEditorRow({}, 2)).toEqual({
      id: 'step-3',
      type: 'manual',
      step: 'Step 3',
      assignee: 'Unassigned',
      sla: '1 day',
      task: 'Task description...',
    });
  });

  it('read the second names that a step may have', () => {
    const row = toEditorRow({ id: 'x', name: 'Sign', instructions: 'Sign it.', type: 'review' }, 0);
    expect(row).toMatchObject({ id: 'x', step: 'Sign', task: 'Sign it.', type: 'approval' });
    expect(toEditorRow({ title: 'Title', name: 'Name', description: 'D', instructions: 'I' }, 0)).toMatchObject({
      step: 'Title',
      task: 'D',
    });
  });

  it('keep a text that is empty: no SLA is not the default SLA', () => {
    expect(toEditorRow({ sla: '', assignee: '', description: '' }, 0)).toMatchObject({
      sla: '',
      assignee: '',
      task: '',
    });
  });

  it('give back the steps that they came from, types, settings and links included', () => {
    fc.assert(
      fc.property(anyContent, ({ steps }) => {
        expect(toSteps(toEditorRows(steps), steps)).toEqual(steps);
      }),
    );
  });

  it('become steps in their own order, edits taken over and the removed gone', () => {
    const before = [newStep('a', 'approval'), newStep('b'), newStep('c', 'condition')];
    const rows = toEditorRows(before);
    const [a, , c] = rows;
    if (a === undefined || c === undefined) throw new Error('rows are missing');
    const after = toSteps([{ ...c, step: 'Decide', sla: '2h' }, a, newEditorRow('n')], before);
    expect(after.map(({ id, type, title, sla }) => ({ id, type, title, sla }))).toEqual([
      { id: 'c', type: 'condition', title: 'Decide', sla: '2h' },
      { id: 'a', type: 'approval', title: 'New Step', sla: '1 day' },
      { id: 'n', type: 'manual', title: 'New Step', sla: '1 day' },
    ]);
  });

  it('start as the specification says', () => {
    expect(newEditorRow('n')).toEqual({
      id: 'n',
      type: 'manual',
      step: 'New Step',
      assignee: 'Unassigned',
      sla: '1 day',
      task: 'Describe what needs to be done in this step...',
    });
  });

  it.each(STEP_TYPES)('can be new steps of type %s', (type) => {
    expect(newStep('n', type)).toMatchObject({ id: 'n', type, title: 'New Step', next: [] });
    expect(readStepType(type)).toBe(type);
  });

  it('are manual where the type is unknown', () => {
    expect(readStepType('robot')).toBe('manual');
    expect(readStepType(undefined)).toBe('manual');
  });
});

describe('a copy', () => {
  const content = { metadata: { title: 'Vendors', description: 'How we buy.' }, steps: [newStep('a', 'approval')] };

  it('made as a duplicate has another title and the same steps', () => {
    expect(duplicateContent(content)).toEqual({
      ...content,
      metadata: { title: 'Vendors (Copy)', description: 'How we buy.' },
    });
  });

  it('of a workflow without steps has one', () => {
    expect(duplicateContent({ ...content, steps: [] }).steps).toEqual([newStep('step-1')]);
  });

  it('made for changes says so in the description', () => {
    const metadata = { title: 'Vendors', description: 'How we buy. (copy for changes)' };
    expect(copyForChanges(content)).toEqual({ ...content, metadata });
  });
});
