import { checkFieldList, type InputField } from '@stet/domain/steps';
import { linesOf } from '../settings/lines-of.ts';
import { describe, expect, it } from 'vitest';
import {
  canAdd,
  withEmptyField,
  withFieldSetting,
  withKind,
  withLabel,
  withMoved,
  withOptions,
  withoutField,
} from './field-list-edits.ts';

const field = (id: string, more: Partial<InputField> = {}): InputField => ({
  id,
  label: id.toUpperCase(),
  kind: 'text',
  required: false,
  ...more,
});

describe('the list of fields', () => {
  it('adds a field with a unique id that is derived from its label', () => {
    const added = withEmptyField([field('amount')]);
    expect(added[1]).toEqual({ id: 'field', label: '', kind: 'text', required: false });
    const named = withLabel(added, 1, 'Amount', true);
    expect(named[1]).toMatchObject({ id: 'amount_2', label: 'Amount' });
    expect(checkFieldList(named)).toEqual([]);
  });

  it('keeps a saved field’s id, because expressions may refer to it', () => {
    expect(withLabel([field('amount')], 0, 'Sum', false)).toEqual([field('amount', { label: 'Sum' })]);
  });

  it('moves a field by one place, but not past the ends, and removes a field', () => {
    const fields = [field('a'), field('b'), field('c')];
    const ids = (list: readonly InputField[]) => list.map(({ id }) => id).join('');
    expect(ids(withMoved(fields, 0, 1))).toBe('bac');
    expect(ids(withMoved(fields, 2, -1))).toBe('acb');
    expect(ids(withMoved(fields, 0, -1))).toBe('abc');
    expect(ids(withMoved(fields, 2, 1))).toBe('abc');
    expect(ids(withoutField(fields, 1))).toBe('ac');
  });

  it('keeps options only for kinds that have options', () => {
    const choice = withOptions(withKind([field('a')], 0, 'choice'), 0, linesOf('low\n\n  high \n'));
    expect(choice[0]).toMatchObject({ kind: 'choice', options: ['low', 'high'] });
    expect(withKind(choice, 0, 'many_of')[0]).toMatchObject({ kind: 'many_of', options: ['low', 'high'] });
    for (const kind of ['number', 'text'] as const) expect(withKind(choice, 0, kind)[0]).toEqual(field('a', { kind }));
  });

  it('keeps limits and a unit only for a number, and removes an empty setting', () => {
    const number = withFieldSetting(withKind([field('a')], 0, 'number'), 0, 'min', 0);
    expect(withFieldSetting(number, 0, 'unit', 'EUR')[0]).toMatchObject({ kind: 'number', min: 0, unit: 'EUR' });
    expect(withKind(number, 0, 'text')).toEqual([field('a')]);
    expect(withFieldSetting(number, 0, 'min', undefined)).toEqual([field('a', { kind: 'number' })]);
  });

  it('is limited to fifty fields', () => {
    let fields: InputField[] = [];
    while (canAdd(fields)) fields = withEmptyField(fields);
    expect(fields).toHaveLength(50);
  });
});
