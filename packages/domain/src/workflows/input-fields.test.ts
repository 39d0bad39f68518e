import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFieldList,
  checkFieldValues,
  FIELD_ID,
  FIELD_KINDS,
  fieldIdFor,
  type InputField,
} from './input-fields.ts';

const field = (over: Partial<InputField> = {}): InputField => ({
  id: 'amount',
  label: 'Amount',
  kind: 'text',
  required: false,
  ...over,
});

describe('what people give for the fields of a manual step', () => {
  it.each<[InputField['kind'], unknown[], unknown[], string]>([
    ['text', ['a', '  long  '], [1, true, [], {}, 'x'.repeat(20_001)], 'Amount must'],
    ['number', [0, -1.5, 1e21], ['1', Number.NaN, Number.POSITIVE_INFINITY, true], 'Amount must be a number'],
    [
      'date',
      ['2026-11-18', '2024-02-29'],
      ['18.11.2026', '2026-02-30', '2026-13-01', '2026-1-1', '2026-11-18T00:00', 20261118],
      'Amount must be a date such as 2026-11-18',
    ],
    ['choice', ['low', 'high'], ['Low', 'medium', 3], 'Amount must be one of its options'],
    ['yes_no', [true, false], ['yes', 1, 'true'], 'Amount must be yes or no'],
    [
      'file_link',
      ['https://files.example/a.pdf', 'http://intranet/x'],
      ['files.example', 'javascript:alert(1)', 'https://', 'https://a b', `https://a/${'x'.repeat(2000)}`, 7],
      'Amount must',
    ],
  ])('%s takes what is one and says what is wrong with what is none', (kind, right, wrong, sentence) => {
    const only = field({ kind, ...(kind === 'choice' && { options: ['low', 'high'] }) });
    for (const value of right) expect(checkFieldValues([only], { amount: value })).toEqual([]);
    for (const value of wrong) {
      const [problem, ...others] = checkFieldValues([only], { amount: value });
      expect(problem?.problem, String(value)).toContain(sentence);
      expect(problem?.fieldId).toBe('amount');
      expect(others).toEqual([]);
    }
  });

  it.each(FIELD_KINDS)('%s that is not required may be left out, and one that is may not', (kind) => {
    for (const values of [{}, { amount: null }, { amount: '  ' }, { amount: undefined }]) {
      expect(checkFieldValues([field({ kind })], values)).toEqual([]);
      expect(checkFieldValues([field({ kind, required: true })], values)).toEqual([
        { fieldId: 'amount', problem: 'Amount is required' },
      ]);
    }
  });

  it('false and zero are answers', () => {
    const fields = [field({ kind: 'yes_no', required: true }), field({ id: 'n', kind: 'number', required: true })];
    expect(checkFieldValues(fields, { amount: false, n: 0 })).toEqual([]);
  });

  it('a value that belongs to no field is named, also one that every object knows', () => {
    expect(checkFieldValues([], { extra: 1 })).toEqual([
      { fieldId: 'extra', problem: 'extra is no field of this step' },
    ]);
    const required = field({ id: 'toString', required: true });
    expect(checkFieldValues([required], {})).toEqual([{ fieldId: 'toString', problem: 'Amount is required' }]);
  });
});

describe('the list of fields itself', () => {
  it.each<[string, Partial<InputField>, string]>([
    ['a blank label', { label: '  ' }, 'A field needs a label'],
    [
      'a name that expressions can not write',
      { id: 'total amount' },
      'A field name has letters, digits and underscores',
    ],
    ['a choice without options', { kind: 'choice' }, 'A choice needs at least one option'],
    ['an empty option', { kind: 'choice', options: ['a', ' '] }, 'An option is empty'],
    ['an option twice', { kind: 'choice', options: ['a', 'a'] }, 'Two options are the same'],
    ['options of what is no choice', { options: ['a'] }, 'Only a choice has options'],
  ])('%s is named with its place', (_name, over, sentence) => {
    const [problem, ...others] = checkFieldList([field({ id: 'first' }), field(over)]);
    expect(problem).toMatchObject({ index: 1, problem: expect.stringContaining(sentence) as string });
    expect(others).toEqual([]);
  });

  it('two fields of one name can not be told apart', () => {
    expect(checkFieldList([field(), field()])).toEqual([{ index: 1, problem: 'Two fields have the name amount' }]);
  });

  it('a name made of a label can always be used, and is no other field’s', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.constantFrom('field', 'field_2', 'a', 'b')),
        (label, taken) => {
          const id = fieldIdFor(label, taken);
          expect(id).toMatch(FIELD_ID);
          expect(taken).not.toContain(id);
        },
      ),
    );
    expect(fieldIdFor('Betrag in €, Prüfung', [])).toBe('betrag_in_prufung');
    expect(fieldIdFor('2nd quote', ['field_2nd_quote'])).toBe('field_2nd_quote_2');
  });
});
