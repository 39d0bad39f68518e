import { describe, expect, it } from 'vitest';
import { copyForChanges, duplicateContent } from './duplicate.ts';
import { newStep, toEditorRow } from './editor-rows.ts';
import { STEP_TYPES } from '../steps/index.ts';

describe('editor rows', () => {
  it('have the initial values from the specification', () => {
    expect(toEditorRow(newStep('n'))).toEqual({
      id: 'n',
      type: 'manual',
      step: 'New Step',
      assignee: 'Unassigned',
      sla: '1 day',
      task: 'Describe what needs to be done in this step...',
    });
  });
});

describe('a new step', () => {
  it.each(STEP_TYPES)('can have the type %s', (type) => {
    expect(newStep('n', type)).toMatchObject({ id: 'n', type, title: 'New Step', next: [] });
  });
});

describe('a copy', () => {
  const content = { metadata: { title: 'Vendors', description: 'How we buy.' }, steps: [newStep('a', 'approval')] };

  it('is titled as a copy and has the same steps', () => {
    expect(duplicateContent(content)).toEqual({
      ...content,
      metadata: { title: 'Vendors (Copy)', description: 'How we buy.' },
    });
  });

  it('has one step if the source has none', () => {
    expect(duplicateContent({ ...content, steps: [] }).steps).toEqual([newStep('step-1')]);
  });

  it('is marked in its description if it was made for changes', () => {
    const metadata = { title: 'Vendors', description: 'How we buy. (copy for changes)' };
    expect(copyForChanges(content)).toEqual({ ...content, metadata });
  });
});
