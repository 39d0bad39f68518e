import type { InputField } from '@stet/domain/steps';
import { expect, test } from 'vitest';
import { aRunStep } from '../../../testing/records.ts';
import { leftBehind } from './left-behind.ts';
import { COMMENTS, TEXT, fieldName, stepOutput, stepProblems, typedLines } from './step-form.ts';
import { createTypedInput } from './typed-input.ts';

const field = (change: Partial<InputField>): InputField => ({
  id: 'amount',
  label: 'Amount',
  kind: 'number',
  required: true,
  ...change,
});
const FIELDS = [
  field({}),
  field({ id: 'known', label: 'Known vendor', kind: 'yes_no', required: false }),
  field({ id: 'tier', label: 'Tier', kind: 'choice', options: ['1', '2'], required: false }),
];
const typed = { [fieldName('amount')]: ' 42000,5 ', [fieldName('known')]: 'no', [TEXT]: ' Checked ' };

test('sends typed values without empty fields', () => {
  expect(stepOutput(FIELDS, typed)).toEqual({ text: 'Checked', fields: { amount: 42_000.5, known: false } });
  expect(stepOutput([], typed)).toEqual({ text: 'Checked' });
});

test('reports invalid input at its field', () => {
  expect([...stepProblems([], { [TEXT]: '  ' })]).toEqual([[TEXT, 'Please provide input for this manual step']]);
  expect([...stepProblems(FIELDS, {})]).toEqual([[fieldName('amount'), 'Amount is required']]);
  expect([...stepProblems(FIELDS, { [fieldName('amount')]: '12 EUR' })]).toEqual([
    [fieldName('amount'), 'Amount must be a number'],
  ]);
  expect(stepProblems(FIELDS, typed).size).toBe(0);
});

test('lists typed input line by line', () => {
  expect(typedLines(FIELDS, { ...typed, [COMMENTS]: 'Why?' })).toEqual([
    'Amount: 42000,5',
    'Known vendor: no',
    'Checked',
    'Why?',
  ]);
});

test('keeps typed input after a reload and removes it once it is sent', () => {
  sessionStorage.clear();
  const first = createTypedInput('me/run', () => sessionStorage);
  first.change('assess', TEXT, 'Tier 2');
  const reloaded = createTypedInput('me/run', () => sessionStorage);
  expect(reloaded.read()).toEqual({ assess: { [TEXT]: 'Tier 2' } });
  expect(createTypedInput('someone-else/run', () => sessionStorage).read()).toEqual({});
  reloaded.clear('assess');
  expect(createTypedInput('me/run', () => sessionStorage).read()).toEqual({});
  expect(sessionStorage).toHaveLength(0);
});

test('keeps typed input on the page if storage is unavailable', () => {
  const input = createTypedInput('me/run', () => {
    throw new Error('closed');
  });
  input.change('assess', TEXT, 'Tier 2');
  expect(input.read()).toEqual({ assess: { [TEXT]: 'Tier 2' } });
});

test('text is no longer needed once its step isn’t waiting, except during a pause', () => {
  const mine = aRunStep({ id: 'a', state: 'active', abilities: { ...aRunStep().abilities, complete: true } });
  const by = { id: 'u', name: 'Sam Okafor', email: null, kind: 'user' as const };
  const done = aRunStep({ id: 'b', title: 'Second', state: 'completed', completedBy: by });
  const text = { a: { [TEXT]: 'mine' }, b: { [TEXT]: 'too late' } };
  expect(leftBehind({ status: 'running', steps: [mine, done] }, text)).toEqual([
    {
      stepId: 'b',
      title: 'Second',
      what: 'was completed by Sam Okafor while you were writing.',
      lines: ['too late'],
    },
  ]);
  const paused = { ...mine, abilities: aRunStep().abilities };
  expect(leftBehind({ status: 'paused', steps: [paused] }, text)).toEqual([]);
  expect(leftBehind({ status: 'running', steps: [paused] }, text)).toHaveLength(1);
});
