import { sameJson } from '@stet/domain/workflows';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldChanges } from './change-words.ts';
import { FIELD_KIND_WORDS, formText } from './form-changes.ts';

const field = (id: string, change: object = {}) => ({
  id,
  label: id.toUpperCase(),
  kind: 'text',
  required: false,
  ...change,
});
const changeOf = (before: unknown, after: unknown) => {
  const changes = { config: { before: { fields: before }, after: { fields: after } } };
  const [change] = fieldChanges({ id: 'x', type: 'modified', changes }, (id) => id);
  return change;
};
const shownRows = (before: unknown, after: unknown) =>
  changeOf(before, after)?.table?.rows.map(({ kind, cells }) => [
    kind,
    ...cells.map((cell) => (cell.before === cell.after ? cell.before : `${cell.before} → ${cell.after}`)),
  ]);

it('a form is compared field by field and cell by cell', () => {
  const before = [field('a'), field('b', { kind: 'choice', options: ['Keep', 'Sell'] }), field('c')];
  const after = [
    field('a', { required: true }),
    field('b', { kind: 'choice', options: ['Keep', 'Destroy'] }),
    field('d'),
  ];
  expect(changeOf(before, after)?.table?.columns).toEqual(['Field', 'Kind', 'Required', 'Name', 'Options']);
  expect(shownRows(before, after)).toEqual([
    ['modified', 'A', 'Text', 'no → yes', 'a', ''],
    ['modified', 'B', 'Choice', 'no', 'b', 'Keep, Sell → Keep, Destroy'],
    ['removed', 'C → ', 'Text → ', 'no → ', 'c → ', ''],
    ['added', ' → D', ' → Text', ' → no', ' → d', ''],
  ]);
});

it('a moved field shows its positions', () => {
  const [a, b, c] = [field('a'), field('b'), field('c')];
  expect(changeOf([a, b, c], [c, a, b])?.table?.columns.at(-1)).toBe('Position');
  expect(shownRows([a, b, c], [c, a, b])?.map((row) => [row[0], row.at(-1)])).toEqual([
    ['modified', '3 → 1'],
    ['unchanged', '2'],
    ['unchanged', '3'],
  ]);
});

it('a field whose only change is its name shows the name, in the table and as text', () => {
  const [before, after] = [[field('a')], [field('b', { label: 'A' })]];
  expect(shownRows(before, after)).toEqual([
    ['removed', 'A → ', 'Text → ', 'no → ', 'a → '],
    ['added', ' → A', ' → Text', ' → no', ' → b'],
  ]);
  expect(changeOf(before, after)).toMatchObject({ before: 'A (text; named a)', after: 'A (text; named b)' });
});

it('properties from later versions appear as a column and in the text', () => {
  const [before, after] = [[field('a')], [field('a', { color: { text: 'Ask Ellen' } })]];
  expect(changeOf(before, after)?.table?.columns.at(-1)).toBe('color');
  expect(shownRows(before, after)?.[0]?.at(-1)).toBe(' → text: Ask Ellen');
  expect(formText(after, false)).toBe('A (text; color: text: Ask Ellen)');
});

it('limits, unit and help have columns', () => {
  const before = [field('a', { kind: 'number', max: 5 })];
  const after = [field('a', { kind: 'number', min: 0, max: 5, unit: 'EUR', help: 'Without tax' })];
  expect(changeOf(before, after)?.table?.columns).toEqual([
    'Field',
    'Kind',
    'Required',
    'Minimum',
    'Maximum',
    'Unit',
    'Help',
  ]);
  expect(formText(after, false)).toBe('A (number; minimum: 0; maximum: 5; unit: EUR; help: Without tax)');
});

it('options that look the same are shown differently', () => {
  const before = [field('a', { kind: 'choice', options: ['a, b'] })];
  const after = [field('a', { kind: 'choice', options: ['a', 'b'] })];
  expect(shownRows(before, after)?.[0]?.at(-1)).toBe('["a, b"] → ["a","b"]');
});

it('a value that isn’t a list of complete fields with different ids has no table', () => {
  for (const value of ['none', [1], [{ id: 'a' }], [field('a'), field('a')]])
    expect(changeOf(undefined, value)?.table).toBeUndefined();
});

it('two different forms look different in the table and in the text', () => {
  const anyField = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    label: fc.constantFrom('A', 'B', 'A '),
    kind: fc.constantFrom(...Object.keys(FIELD_KIND_WORDS)),
    required: fc.boolean(),
  });
  const withOptions = fc
    .tuple(anyField, fc.option(fc.array(fc.constantFrom('x', 'y', 'x, y')), { nil: undefined }))
    .map(([each, options]) => (options === undefined ? each : { ...each, options }));
  const form = fc.uniqueArray(withOptions, { selector: ({ id }) => id, maxLength: 4 });
  fc.assert(
    fc.property(form, form, (before, after) => {
      fc.pre(!sameJson(before, after));
      const change = changeOf(before, after);
      expect(change?.before).not.toBe(change?.after);
      expect(change?.table?.rows.some(({ kind }) => kind !== 'unchanged')).toBe(true);
    }),
  );
});
