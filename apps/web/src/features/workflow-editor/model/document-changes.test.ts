import type { Step } from '@stet/domain/steps';
import { moveStep, newStep, type WorkflowContent } from '@stet/domain/workflows';
import { expect, test } from 'vitest';
import { documentChanges } from './document-changes.ts';
import { withSteps } from './document.ts';

const content: WorkflowContent = {
  metadata: { title: 'Vendor', description: 'Old' },
  steps: ['a', 'b', 'c'].map((id) => ({ ...newStep(id), title: id })),
};

test('reports an unchanged document as identical', () => {
  expect(documentChanges(content, structuredClone(content)).identical).toBe(true);
});

test('lists a changed description separately from the steps', () => {
  const after = { ...content, metadata: { title: 'Vendor', description: 'New' } };
  expect(documentChanges(content, after)).toMatchObject({
    identical: false,
    metadata: [{ label: 'Description', before: 'Old', after: 'New' }],
    steps: [],
  });
});

test('counts added, removed and modified steps, and lists the old and new value of each difference', () => {
  const [a, b] = content.steps;
  if (!a || !b) throw new Error('steps');
  const after = { ...content, steps: [{ ...a, sla: '2 days' }, b, { ...newStep('x'), title: 'x' }] };
  const changes = documentChanges(content, after);
  expect(changes).toMatchObject({ added: 1, removed: 1, modified: 1, moved: 0 });
  expect(changes.steps.find(({ id }) => id === 'a')).toEqual({
    id: 'a',
    kind: 'modified',
    title: 'a',
    fields: [{ field: 'sla', label: 'SLA', before: '1 day', after: '2 days', form: 'text' }],
  });
  expect(changes.steps.find(({ id }) => id === 'c')?.kind).toBe('removed');
});

test('reports reordered steps as moved, not as identical', () => {
  const changes = documentChanges(content, withSteps(content, moveStep(content.steps, 'a', 2)));
  expect(changes).toMatchObject({ identical: false, moved: 1, modified: 0 });
  expect(changes.steps).toEqual([{ id: 'a', kind: 'moved', title: 'a', fields: [] }]);
});

test('counts changes to type, settings and links separately from changes in the columns', () => {
  const script = (text: string): Step => ({ ...newStep('a'), type: 'automated', title: 'a', config: { script: text } });
  const [, b, c] = content.steps;
  if (!b || !c) throw new Error('steps');
  const before = { ...content, steps: [script('return 1'), { ...b, next: ['c'] }, c] };
  const after = { ...content, steps: [script('return 2'), { ...newStep('b', 'approval'), title: 'b', next: [] }, c] };
  const changes = documentChanges(before, after);
  expect(changes).toMatchObject({ added: 0, removed: 0, modified: 0, settings: 2, identical: false });
  expect(changes.steps).toMatchObject([
    { id: 'a', kind: 'settings', title: 'a', fields: [{ label: 'Script', before: 'return 1', after: 'return 2' }] },
    {
      id: 'b',
      kind: 'settings',
      title: 'b',
      fields: [
        { label: 'Type', before: 'manual', after: 'approval' },
        { label: 'Role', before: 'editor', after: '' },
        { label: 'Approvers', before: '', after: '1' },
        { label: 'Leads to', before: 'c', after: 'the end of the run' },
      ],
    },
  ]);
});

test('doesn’t list links that changed only because a step was inserted', () => {
  const line = (ids: string[]) => ({
    ...content,
    steps: ids.map((id, at) => ({ ...newStep(id), title: id, next: ids.slice(at + 1, at + 2) })),
  });
  const changes = documentChanges(line(['a', 'b', 'c']), line(['a', 'b', 'x', 'c']));
  expect(changes).toMatchObject({ added: 1, settings: 0 });
});
