import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { expect, test } from 'vitest';
import { cellProblem, saveRefusal } from './cell-problem.ts';

const step = (change: Partial<Pick<Step, 'title' | 'sla' | 'description' | 'assignee'>>): Step => ({
  ...newStep('a'),
  ...change,
});

test.each([
  ['banana', 'Not a duration, so this step has no SLA'],
  ['1 fortnight', 'Not a duration, so this step has no SLA'],
  ['45 days', undefined],
  ['1m', undefined],
  ['', undefined],
])('the warning about the SLA %j is %j', (sla, sentence) => {
  expect(cellProblem(step({ sla }), 'sla')?.sentence).toBe(sentence);
});

test('warns about a step without a name, but allows saving', () => {
  const nameless = step({ title: ' ' });
  expect(cellProblem(nameless, 'step')?.sentence).toBe('This step has no name');
  expect(saveRefusal([nameless])).toBeNull();
});

test('reports text over the limit and prevents saving', () => {
  const long = step({ title: '😀'.repeat(151) });
  expect(cellProblem(long, 'step')?.sentence).toBe('At most 300 characters; this text has 302');
  expect(saveRefusal([step({}), long])).toBe('Step 2, step name: at most 300 characters; this text has 302');
});
