import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFieldList,
  checkFieldValues,
  FIELD_ID,
  FIELD_KINDS,
  fieldIdFor,
  hasOptions,
  type InputField,
} from './input-fields.ts';

const field = (over: Partial<InputField> = {}): InputField => ({
  id: 'amount',
  label: 'Amount',
  kind: 'text',
  required: false,
  ...over,
});

describe('a manual step’s field values', () => {
  it.each<[InputField['kind'], unknown[], unknown[], string]>([
    ['text', ['a', '  long  '], [1, true, [], {}, 'x'.repeat(20_001)], 'Amount must'],
    ['number', [0, -1.5, 1e21], ['1', Number.NaN, Number.POSITIVE_INFINITY, true], 'Amount must be a number'],
    [
      'date',
      ['2026-11-18', '2024-02-29'],
      ['18.11.2026', '2026-02-30', '2026-13-01', '2026-1-1', '2026-11-18T00:00', 20261118],
      'Amount must be a date, for example 2026-11-18',
    ],
    ['choice', ['low', 'high'], ['Low', 'medium', 3], 'Amount must be one of its options'],
    ['long_text', ['a', 'two\nlines'], [1, ['a'], 'x'.repeat(20_001)], 'Amount must'],
    [
      'many_of',
      [['low'], ['high', 'low']],
      ['low', ['medium'], ['low', 'low'], [1], [null], [['low']]],
      'Amount must be some of its options, each at most once',
    ],
    ['yes_no', [true, false], ['yes', 1, 'true'], 'Amount must be yes or no'],
    ['person', ['sam@example.com'], ['sam', '@', 7, ['sam@example.com']], 'Amount must be the address of a member'],
    [
      'file_link',
      ['https://files.example/a.pdf', 'http://intranet/x'],
      ['files.example', 'javascript:alert(1)', 'https://', 'https://a b', `https://a/${'x'.repeat(2000)}`, 7],
      'Amount must',
    ],
  ])('are accepted if valid, and refused with a reason if invalid (kind %s)', (kind, right, wrong, sentence) => {
    const only = field({ kind, ...(hasOptions(kind) && { options: ['low', 'high'] }) });
    for (const value of right) expect(checkFieldValues([only], { amount: value })).toEqual([]);
    for (const value of wrong) {
      const [problem, ...others] = checkFieldValues([only], { amount: value });
      expect(problem?.problem, String(value)).toContain(sentence);
      expect(problem?.fieldId).toBe('amount');
      expect(others).toEqual([]);
    }
  });

  it.each(FIELD_KINDS)('may be missing only if they aren’t required (kind %s)', (kind) => {
    for (const values of [
      {},
      { amount: null },
      { amount: '  ' },
      { amount: undefined },
      ...(kind === 'many_of' ? [{ amount: [] }] : []),
    ]) {
      expect(checkFieldValues([field({ kind })], values)).toEqual([]);
      expect(checkFieldValues([field({ kind, required: true })], values)).toEqual([
        { fieldId: 'amount', problem: 'Amount is required' },
      ]);
    }
  });

  it.each<[Partial<InputField>, number, string | null]>([
    [{ min: 0, max: 10 }, 0, null],
    [{ min: 0, max: 10 }, 10, null],
    [{ min: 0 }, -0.01, 'Amount must be at least 0'],
    [{ max: 10, unit: 'EUR' }, 10.5, 'Amount must be at most 10 EUR'],
    [{ min: -5, max: -5 }, -5, null],
  ])('are checked against the limits %j (%s)', (limits, value, problem) => {
    const problems = checkFieldValues([field({ kind: 'number', ...limits })], { amount: value });
    expect(problems.map((each) => each.problem)).toEqual(problem === null ? [] : [problem]);
  });

  it('are files, each attached once, at most twenty in a step', () => {
    const fileOf = (fileId: string, mediaType = 'image/png') => ({
      fileId,
      sha256: 'a'.repeat(64),
      size: 5,
      name: `${fileId}.png`,
      mediaType,
    });
    const [offer, face] = [field({ id: 'offer', label: 'Offer', kind: 'file' }), field({ id: 'face', kind: 'photo' })];
    const problems = (values: object) =>
      checkFieldValues([offer, face], { ...values }).map(({ fieldId, problem }) => `${fieldId}: ${problem}`);
    const many = Array.from({ length: 20 }, (_, n) => fileOf(`f${n}`));
    expect(problems({ offer: many })).toEqual([]);
    expect(problems({ offer: many, face: [fileOf('x')] })).toEqual(['face: A step can have at most 20 files']);
    expect(problems({ offer: [fileOf('x')], face: [fileOf('x')] })).toEqual([
      'face: Amount has a file that is already attached: x.png',
    ]);
    expect(problems({ face: [fileOf('x', 'application/pdf')] })).toEqual(['face: Amount must be photos']);
    for (const odd of [['id'], [{ ...fileOf('x'), sha256: 'A'.repeat(64) }], [{ ...fileOf('x'), size: 0.5 }], [null]])
      expect(problems({ offer: odd })).toEqual(['offer: Offer has a file that isn’t uploaded yet']);
    expect(problems({ offer: 'id' })).toEqual(['offer: Offer must be a list of files']);
    expect(checkFieldValues([{ ...offer, required: true }], { offer: [] })).toHaveLength(1);
  });

  it('can be false or zero', () => {
    const fields = [field({ kind: 'yes_no', required: true }), field({ id: 'n', kind: 'number', required: true })];
    expect(checkFieldValues(fields, { amount: false, n: 0 })).toEqual([]);
  });

  it('are reported if there is no such field, even if its name is a JavaScript property', () => {
    expect(checkFieldValues([], { extra: 1 })).toEqual([
      { fieldId: 'extra', problem: 'extra is not a field of this step' },
    ]);
    const required = field({ id: 'toString', required: true });
    expect(checkFieldValues([required], {})).toEqual([{ fieldId: 'toString', problem: 'Amount is required' }]);
  });
});

describe('a list of fields', () => {
  it.each<[string, Partial<InputField>, string]>([
    ['a blank label', { label: '  ' }, 'Enter a label for the field'],
    [
      'a name that expressions can’t reference',
      { id: 'total amount' },
      'A field name can contain letters, digits and underscores',
    ],
    ['no options for a choice', { kind: 'choice' }, 'A choice field needs at least one option'],
    ['an empty option', { kind: 'choice', options: ['a', ' '] }, 'An option is empty'],
    ['an option twice', { kind: 'choice', options: ['a', 'a'] }, 'Two options are the same'],
    ['an option with two lines', { kind: 'many_of', options: ['a\nb'] }, 'An option has more than one line'],
    ['limits but isn’t a number', { min: 1 }, 'Only a number can have a minimum, a maximum or a unit'],
    ['limits that no number meets', { kind: 'number', min: 2, max: 1 }, 'The minimum is larger than the maximum'],
    ['options but isn’t a choice', { options: ['a'] }, 'Only a choice field can have options'],
  ])('is refused with the index of a field that has %s', (_name, over, sentence) => {
    const [problem, ...others] = checkFieldList([field({ id: 'first' }), field(over)]);
    expect(problem).toMatchObject({ index: 1, problem: expect.stringContaining(sentence) as string });
    expect(others).toEqual([]);
  });

  it('can’t have two fields with the same name', () => {
    expect(checkFieldList([field(), field()])).toEqual([{ index: 1, problem: 'Two fields are named amount' }]);
  });

  it('gets a valid and unique name for a new field from any label', () => {
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
