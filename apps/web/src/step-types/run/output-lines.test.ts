import type { InputField } from '@stet/domain/steps';
import { expect, test } from 'vitest';
import { outputLines } from './output-lines.ts';

const FIELD = { id: 'amount', label: 'Amount', type: 'number', required: true } as object as InputField;

test.each([
  ['the text of a manual step', { text: ' Signed ' }, [], [{ label: '', value: 'Signed' }]],
  ['form values under their labels', { fields: { amount: 12 }, text: '' }, [FIELD], [{ label: 'Amount', value: '12' }]],
  [
    'a number with its unit',
    { fields: { amount: 12 } },
    [{ ...FIELD, unit: 'EUR' }],
    [{ label: 'Amount', value: '12 EUR' }],
  ],
  ['no unit without a number', { fields: {} }, [{ ...FIELD, unit: 'EUR' }], []],
  [
    'the words of several choices, and a person',
    { fields: { why: ['Price', 'Speed'], who: 'sam@example.com' }, text: '' },
    [
      { ...FIELD, id: 'why', label: 'Why', kind: 'many_of' as const },
      { ...FIELD, id: 'who', label: 'Who', kind: 'person' as const },
    ],
    [
      { label: 'Why', value: 'Price, Speed' },
      { label: 'Who', value: 'sam@example.com', isPerson: true },
    ],
  ],
  ['a single value that a script returned', true, [], [{ label: '', value: 'Yes' }]],
  [
    'an object that a script returned, without JSON',
    { total: 3, to: ['a', 'b'], vendor: { name: 'Kestrel', isKnown: true } },
    [],
    [
      { label: 'total', value: '3' },
      { label: 'to', value: 'a, b' },
      { label: 'vendor', value: 'name: Kestrel\nisKnown: yes' },
    ],
  ],
  ['nothing if there is no output', null, [], []],
])('outputLines returns %s', (_, output, fields, lines) => {
  expect(outputLines({ output, fields })).toEqual(lines);
});
