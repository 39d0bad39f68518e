import type { InputField } from '@stet/domain/steps';
import { expect, test } from 'vitest';
import { COMMENTS, TEXT, fieldName, typedChoices, typedLines } from '../run/typed.ts';
import { stepOutput, stepProblems } from './step-form.ts';

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
const MANY = field({ id: 'why', label: 'Reasons', kind: 'many_of', options: ['Price', 'Other, new'], required: true });
const typed = { [fieldName('amount')]: ' 42000,5 ', [fieldName('known')]: 'no', [TEXT]: ' Checked ' };

test('sends typed values without empty fields', () => {
  expect(stepOutput(FIELDS, typed)).toEqual({ text: 'Checked', fields: { amount: 42_000.5, known: false } });
  expect(stepOutput([], typed)).toEqual({ text: 'Checked' });
});

test('reports each problem with its field', () => {
  expect([...stepProblems([], { [TEXT]: '  ' })]).toEqual([[TEXT, 'Please provide input for this manual step']]);
  expect([...stepProblems(FIELDS, {})]).toEqual([[fieldName('amount'), 'Amount is required']]);
  expect([...stepProblems(FIELDS, { [fieldName('amount')]: '12 EUR' })]).toEqual([
    [fieldName('amount'), 'Amount must be a number'],
  ]);
  expect(stepProblems(FIELDS, typed).size).toBe(0);
});

test('sends several choices as a list, and shows them as words', () => {
  const values = { [fieldName('why')]: typedChoices(['Price', 'Other, new']) };
  expect(stepOutput([MANY], values)).toEqual({ text: '', fields: { why: ['Price', 'Other, new'] } });
  expect(stepProblems([MANY], values).size).toBe(0);
  expect([...stepProblems([MANY], {})]).toEqual([[fieldName('why'), 'Reasons is required']]);
  expect(typedLines([MANY], values)).toEqual(['Reasons: Price, Other, new']);
});

test('lists typed input line by line', () => {
  expect(typedLines(FIELDS, { ...typed, [COMMENTS]: 'Why?' })).toEqual([
    'Amount: 42000,5',
    'Known vendor: no',
    'Checked',
    'Why?',
  ]);
});
