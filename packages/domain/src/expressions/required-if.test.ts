import { describe, expect, it } from 'vitest';
import type { InputField } from '../steps/index.ts';
import { isFieldRequired, requiredIfProblem } from './required-if.ts';

const field = (id: string, more: Partial<InputField> = {}): InputField => ({
  id,
  label: id,
  kind: 'text',
  required: false,
  ...more,
});
const FIELDS = [
  field('amount', { kind: 'number' }),
  field('reasons', { kind: 'many_of', options: ['price', 'other'] }),
  field('known', { kind: 'yes_no' }),
  field('kind'),
];
const asking = (requiredIf: string, more: Partial<InputField> = {}) => field('why', { requiredIf, ...more });
const formOf = (last: InputField) => [...FIELDS, last];

describe('a field that is required if a condition is true', () => {
  it.each<[string, Record<string, unknown>, boolean]>([
    ['amount > 1000', { amount: 1001 }, true],
    ['amount > 1000', { amount: 1000 }, false],
    ['amount > 1000', {}, false],
    ['amount > 1000', { amount: 'many' }, false],
    ['list contains(reasons, "other")', { reasons: ['price', 'other'] }, true],
    ['list contains(reasons, "other")', {}, false],
    ['not(known)', { known: false }, true],
    ['not(known)', {}, false],
    ['known and (kind = "new" or amount >= 5 * 2)', { known: true, amount: 10 }, true],
    ['kind in ("a", "b")', { kind: 'b' }, true],
    ['kind = null', { kind: '' }, true],
    ['count(reasons) > 1', { reasons: ['price'] }, false],
    ['known', { known: true }, true],
    ['amount', { amount: 1 }, false],
  ])('%s, given %j: %s', (requiredIf, values, isRequired) => {
    const last = asking(requiredIf);
    expect(requiredIfProblem(last, formOf(last))).toBeNull();
    expect(isFieldRequired(last, formOf(last), values)).toBe(isRequired);
  });

  it.each([
    ['amoun > 1000', 'This form has no field named amoun'],
    ['why = "x"', 'The condition can’t depend on the field itself'],
    ['amount >', 'The expression is incomplete'],
    ['', 'Write a condition'],
    ['some x in reasons satisfies x = "a"', '‘some x in reasons satisfies x = "a"’ can’t be used here'],
    ['count(for x in 1..1000000000 return x) > 1', '‘for x in 1..1000000000 return x’ can’t be used here'],
    ['matches(kind, "(a+)+$")', 'The function matches can’t be used here'],
    ['kind[1] = "a"', '‘kind[1]’ can’t be used here'],
    ['(function(a) a)(1) = 1', 'can’t be used here'],
    [`kind = "${'x'.repeat(500)}"`, 'A condition can have at most 500 characters'],
  ])('refuses %s', (requiredIf, problem) => {
    const last = asking(requiredIf);
    expect(requiredIfProblem(last, formOf(last))).toContain(problem);
    expect(isFieldRequired(last, formOf(last), { amount: 5, kind: 'a' })).toBe(false);
  });

  it('can’t also be always required', () => {
    const last = asking('known', { required: true });
    expect(requiredIfProblem(last, formOf(last))).toContain('always required');
    expect(isFieldRequired(last, formOf(last), {})).toBe(true);
  });
});
