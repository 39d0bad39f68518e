import { newStep } from '@stet/domain/workflows';
import { expect, test } from 'vitest';
import { flowMarks } from './flow-marks.ts';

const chain = (...ids: string[]) => ids.map((id, n) => ({ ...newStep(id), next: ids.slice(n + 1, n + 2) }));

test('marks added, removed, modified and moved steps, and links that exist on only one side', () => {
  const after = chain('d', 'a', 'c', 'new').map((step) => (step.id === 'a' ? { ...step, sla: '3 days' } : step));
  const { before, after: now } = flowMarks(chain('a', 'b', 'c', 'd'), after);
  expect(Object.fromEntries(now.steps)).toEqual({ a: 'modified', b: 'removed', d: 'moved', new: 'added' });
  expect([...before.links]).toEqual(['a b', 'b c', 'c d']);
  expect([...now.links]).toEqual(['d a', 'a c', 'c new']);
});
