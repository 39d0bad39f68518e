import type { Step } from '@stet/domain/steps';
import { checkGraph, newStep, type WorkflowContent } from '@stet/domain/workflows';
import { describe, expect, test } from 'vitest';
import { deleteStep, duplicateStep, editCell, insertSteps, moveStep } from './document.ts';

const chain = (...ids: string[]): WorkflowContent => ({
  metadata: { title: 'T', description: '' },
  steps: ids.map((id, at): Step => ({ ...newStep(id), title: id.toUpperCase(), next: ids.slice(at + 1, at + 2) })),
});
const order = ({ steps }: WorkflowContent): string => steps.map(({ id }) => id).join('');
const links = ({ steps }: WorkflowContent): string => steps.map(({ id, next }) => `${id}>${next.join('')}`).join(' ');

test.each([
  ['step', 'title'],
  ['assignee', 'assignee'],
  ['sla', 'sla'],
  ['task', 'description'],
] as const)('editing the cell %s only changes the step’s %s', (field, kept) => {
  const before = chain('a', 'b');
  const after = editCell(before, 'b', field, 'new');
  expect(after.steps[1]).toEqual({ ...before.steps[1], [kept]: 'new' });
  expect(after.steps[0]).toBe(before.steps[0]);
});

test('an edit that changes nothing returns the same object', () => {
  const content = chain('a');
  expect(editCell(content, 'a', 'step', 'A')).toBe(content);
  expect(editCell(content, 'gone', 'step', 'x')).toBe(content);
});

test.each([
  ['at the end', null, 'abcx'],
  ['after the first', 'a', 'axbc'],
  ['at the end if the given step is gone', 'gone', 'abcx'],
])('adding a step %s keeps the steps in one chain', (_, afterId, expected) => {
  const after = insertSteps(chain('a', 'b', 'c'), [newStep('x')], afterId);
  expect(order(after)).toBe(expected);
  expect(links(after)).toBe(links(chain(...expected.split(''))));
});

test('a duplicate comes right after its step, has the same content and shares no objects with it', () => {
  const [, b] = chain('a', 'b').steps;
  if (!b) throw new Error('a chain of two');
  const config = { recipients: ['sam@halden.example'] };
  const a: Step = { ...newStep('a'), type: 'notification', config, next: ['b'] };
  const after = duplicateStep({ metadata: { title: 'T', description: '' }, steps: [a, b] }, 'a', 'x');
  expect(links(after)).toBe('a>x x>b b>');
  expect(after.steps[1]).toEqual({ ...a, id: 'x', next: ['b'] });
  expect(after.steps[1]?.config).not.toBe(config);
});

describe('deleting a step', () => {
  test('closes the gap', () => {
    expect(links(deleteStep(chain('a', 'b', 'c'), 'b'))).toBe('a>c c>');
  });
  test('is refused for the last one', () => {
    const content = chain('a');
    expect(deleteStep(content, 'a')).toBe(content);
  });
  test('keeps untouched steps as the same objects', () => {
    const before = chain('a', 'b', 'c', 'd');
    const after = deleteStep(before, 'b');
    expect(after.steps[1]).toBe(before.steps[2]);
    expect(after.steps[2]).toBe(before.steps[3]);
  });
  test('removes references to it and leaves a graph that can run', () => {
    const before = chain('a', 'b', 'c');
    before.steps[2] = { ...newStep('c'), type: 'approval', config: { onReject: 'b' } };
    const after = deleteStep(before, 'b');
    expect(checkGraph(after.steps)).toEqual([]);
    expect(after.steps[1]?.config).not.toHaveProperty('onReject');
  });
});

test.each([
  ['a', 2, 'bca'],
  ['c', 0, 'cab'],
  ['b', 99, 'acb'],
  ['b', -5, 'bac'],
])('moving step %s to %i results in %s', (id, to, expected) => {
  const after = moveStep(chain('a', 'b', 'c'), id, to);
  expect(order(after)).toBe(expected);
  expect(links(after)).toBe(links(chain(...expected.split(''))));
});

test('moving a step to its own position changes nothing', () => {
  const content = chain('a', 'b');
  expect(moveStep(content, 'b', 1)).toBe(content);
  expect(moveStep(content, 'gone', 0)).toBe(content);
});

test('moving a step away and back leaves the links unchanged', () => {
  const before = chain('a', 'b', 'c', 'd');
  expect(links(moveStep(moveStep(before, 'a', 3), 'a', 0))).toBe(links(before));
});
