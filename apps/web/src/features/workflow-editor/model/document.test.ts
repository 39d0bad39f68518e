import type { Step } from '@stet/domain/steps';
import { newStep, type WorkflowContent } from '@stet/domain/workflows';
import { expect, test } from 'vitest';
import { editCell, withSteps } from './document.ts';

const chain = (...ids: string[]): WorkflowContent => ({
  metadata: { title: 'T', description: '' },
  steps: ids.map((id, at): Step => ({ ...newStep(id), title: id.toUpperCase(), next: ids.slice(at + 1, at + 2) })),
});
test.each([
  ['step', 'title'],
  ['assignee', 'assignee'],
  ['sla', 'sla'],
  ['task', 'description'],
] as const)('editing the cell %s only changes the step’s %s', (field, property) => {
  const before = chain('a', 'b');
  const after = editCell(before, 'b', field, 'new');
  expect(after.steps[1]).toEqual({ ...before.steps[1], [property]: 'new' });
  expect(after.steps[0]).toBe(before.steps[0]);
});

test('an edit that changes nothing returns the same object', () => {
  const content = chain('a');
  expect(editCell(content, 'a', 'step', 'A')).toBe(content);
  expect(editCell(content, 'gone', 'step', 'x')).toBe(content);
});

test('replacing the steps with the same ones returns the same document', () => {
  const content = chain('a', 'b');
  expect(withSteps(content, [...content.steps])).toBe(content);
  expect(withSteps(content, content.steps.slice(1)).steps).toEqual(content.steps.slice(1));
});
