import { namesFor } from '@stet/domain/expressions';
import { linearNext } from '@stet/domain/workflows';
import { FIELD_KINDS, type FieldKind, hasOptions, type Step } from '@stet/domain/steps';
import { stepOf } from '@stet/domain/testing';
import { pickedCondition } from '@stet/presentation/picked-condition';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConditionRow,
  EMPTY_ROW,
  rowExpression,
  rowProblem,
  rowsOf,
  testsOf,
  withName,
} from './condition-rows.ts';

const OPTIONS = ['Destroy', 'Keep, and tell "QA"'];
const steps: Step[] = linearNext([
  stepOf({
    id: '0199aaaa-0000-7000-8000-000000000001',
    type: 'manual',
    title: 'Decide',
    config: {
      fields: FIELD_KINDS.map((kind) => ({
        id: kind,
        label: kind,
        kind,
        ...(hasOptions(kind) && { options: OPTIONS }),
        required: true,
      })),
    },
  }),
  stepOf({ id: 'sign', type: 'approval', title: 'Sign', config: {} }),
  stepOf({ id: 'large', type: 'condition', title: 'Large?', config: {} }),
]);
const names = namesFor(steps, 'large');
const valueNames = { titleOf: (id: string): string => steps.find((step) => step.id === id)?.title ?? id, steps };
const TYPED: Record<string, readonly string[]> = {
  text: ['a', 'and', '"', ' x '],
  file_link: ['https://files.example/a.pdf'],
  number: ['5', '-0.25', '1000000'],
  date: ['2026-11-18'],
  long_text: ['a'],
  person: ['sam@example.com'],
  file: [''],
  photo: [''],
  choice: OPTIONS,
  yes_no: ['yes', 'no'],
};

/** A row that a person can pick: any value and test, with one of the values in `TYPED` or an option. */
const row = fc.constantFrom(...names).chain((name) => {
  const picked = withName(EMPTY_ROW, name);
  const values = hasOptions(name.kind) ? (name.options ?? []) : (TYPED[name.kind] ?? []);
  return fc
    .record({ test: fc.constantFrom(...testsOf(picked).map(({ test }) => test)), typed: fc.constantFrom(...values) })
    .map(({ test, typed }) => ({
      ...picked,
      test,
      typed: test === 'is empty' || test === 'is not empty' ? '' : typed,
    }));
});

describe('picked comparisons', () => {
  it('are the same after they were stored as an expression', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.constantFrom('and', 'or'), (rows, join) => {
        const texts = rows.map((each) => rowExpression(each) ?? '');
        const picked = pickedCondition(texts.join(` ${join} `), valueNames);
        expect(picked && rowsOf(picked, names)).toEqual(rows.map((each, at) => ({ ...each, text: texts[at] })));
        if (rows.length > 1) expect(picked?.join).toBe(join);
      }),
    );
  });

  it.each([
    ['a value', EMPTY_ROW, 'Choose a value from the list'],
    ['an option', { kind: 'choice' as const, options: OPTIONS }, 'Choose an option'],
    ['a number', { kind: 'number' as const, typed: '5 m' }, 'Enter a number'],
    ['a value to compare with', { typed: '  ' }, 'Enter a value to compare with'],
  ])('are incomplete without %s', (_what, over, problem) => {
    const incomplete = { ...EMPTY_ROW, path: over === EMPTY_ROW ? null : { stepId: 'sign', parts: ['text'] }, ...over };
    expect(rowExpression(incomplete)).toBeNull();
    expect(rowProblem(incomplete)).toBe(problem);
  });

  it('keep the test when another value is picked, unless the value can’t be tested in this way', () => {
    const picked = (over: Partial<ConditionRow>, kind: FieldKind) => {
      const name = names.find((each) => each.kind === kind);
      return name && withName({ ...EMPTY_ROW, path: { stepId: 'sign', parts: ['text'] }, ...over }, name);
    };
    expect(picked({ test: '!=', typed: 'a' }, 'choice')).toMatchObject({ test: '!=', typed: '' });
    expect(picked({ test: 'is empty' }, 'number')).toMatchObject({ test: 'is empty' });
    expect(picked({ test: 'contains', typed: 'a' }, 'number')).toMatchObject({ test: '=', typed: '' });
    expect(picked({ test: '!=' }, 'yes_no')).toMatchObject({ test: '=', typed: 'yes' });
  });

  it('keep a very small or negative number if only the test changes', () => {
    for (const number of ['0.0000001', '-100000']) {
      const read = pickedCondition(`run.version > ${number}`, valueNames);
      const [only = EMPTY_ROW] = read ? rowsOf(read, names) : [];
      expect(rowExpression({ ...only, test: '<', text: null })).toBe(`run.version < ${number}`);
    }
  });

  it('keep a stored option that has since been removed, and a value of another kind', () => {
    const id = 'get value(outputs, "0199aaaa-0000-7000-8000-000000000001").fields';
    const picked = pickedCondition(`${id}.choice = "Sell" and ${id}.number = "many"`, valueNames);
    expect(picked && rowsOf(picked, names)).toMatchObject([
      { kind: 'choice', options: [...OPTIONS, 'Sell'], typed: 'Sell' },
      { kind: 'text', typed: 'many' },
    ]);
  });
});
