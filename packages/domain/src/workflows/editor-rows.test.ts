import { describe, expect, it } from 'vitest';
import { copyForChanges, duplicateContent } from './duplicate.ts';
import { newStep, readStepType, toEditorRow } from './editor-rows.ts';
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

  it('start as the specification says', () => {
    expect(toEditorRow(newStep('n'), 0)).toEqual({
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
