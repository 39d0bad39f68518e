import type { NameEntry } from '@stet/domain/expressions';
import { checkFieldValues, type FieldKind, hasOptions } from '@stet/domain/steps';
import type { Literal, Operator, ValuePath } from '@stet/presentation/condition-tree';
import { operatorWords } from '@stet/presentation/condition-words';
import { OPERATORS_OF, pickExpression, type PickedCondition, plainNumber } from '@stet/presentation/picked-condition';

/** The test of a row. Only `is empty` and `is not empty` need no value. */
export type Test = Operator | 'is empty' | 'is not empty';

/** One comparison while it is edited. */
export type ConditionRow = {
  path: ValuePath | null;
  kind: FieldKind;
  options: readonly string[];
  test: Test;
  /** The value as typed. */
  typed: string;
  /** The row's part of the stored expression, until the row changes. */
  text: string | null;
};

export const EMPTY_ROW: ConditionRow = { path: null, kind: 'text', options: [], test: '=', typed: '', text: null };

/** The rows of a picked condition; one empty row if it has no comparisons. */
export function rowsOf({ picks }: Pick<PickedCondition, 'picks'>, names: readonly NameEntry[]): ConditionRow[] {
  const rows = picks.map(({ path, operator, value, text }): ConditionRow => {
    const name = nameAt(path, names);
    const { kind, options } = name && fits(value, name.kind) ? name : { kind: kindOfLiteral(value), options: [] };
    const typed = typedOf(value);
    const test = value !== null ? operator : operator === '=' ? 'is empty' : 'is not empty';
    return { path, kind, options: withOption(options ?? [], kind, typed), test, typed, text };
  });
  return rows.length === 0 ? [EMPTY_ROW] : rows;
}

/** A value of an expression as a person types it. */
function typedOf(value: Literal): string {
  if (value === null) return '';
  if (typeof value === 'number') return plainNumber(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
}

/**
 * The row after another value was picked. The test stays if it makes sense for the new kind. If the kind is the same,
 * what the person typed stays too, unless it isn't one of the new options.
 */
export function withName(row: ConditionRow, { path: [first, ...rest], kind, options = [] }: NameEntry): ConditionRow {
  const isSameKind = row.kind === kind && row.path !== null;
  const path = first === 'run' ? { stepId: null, parts: rest } : { stepId: rest[0] ?? '', parts: rest.slice(1) };
  const isKept = isSameKind && (!hasOptions(kind) || options.includes(row.typed));
  const begun = kind === 'yes_no' ? 'yes' : '';
  return {
    path,
    kind,
    options,
    test: isSameKind || testsOfKind(kind).includes(row.test) ? row.test : (OPERATORS_OF[kind][0] ?? 'is not empty'),
    typed: isKept ? row.typed : begun,
    text: null,
  };
}

const testsOfKind = (kind: FieldKind): Test[] => [
  ...OPERATORS_OF[kind],
  ...(kind === 'yes_no' ? [] : (['is empty', 'is not empty'] as const)),
];

/** The tests to choose from, with their words. */
export function testsOf({ kind, test }: ConditionRow): { test: Test; words: string }[] {
  return [...new Set([...testsOfKind(kind), test])].map((each) => ({ test: each, words: wordsOf(each, kind) }));
}

const wordsOf = (test: Test, kind: FieldKind): string =>
  isWithoutValue(test) ? test : operatorWords(test, kind === 'date');

export const isWithoutValue = (test: Test): test is 'is empty' | 'is not empty' =>
  test === 'is empty' || test === 'is not empty';

/** The expression of a row. Null while the row is incomplete or its number is invalid. */
export function rowExpression({ path, kind, options, test, typed, text }: ConditionRow): string | null {
  if (text !== null) return text;
  if (path === null) return null;
  if (isWithoutValue(test)) return pickExpression({ path, operator: test === 'is empty' ? '=' : '!=', value: null });
  const value = literalOf(kind, options, typed);
  return value === null ? null : pickExpression({ path, operator: test, value });
}

/** The reason why a row has no expression yet; null if it has one. */
export function rowProblem(row: ConditionRow): string | null {
  if (rowExpression(row) !== null) return null;
  if (row.path === null) return 'Choose a value from the list';
  if (row.typed.trim() === '') return hasOptions(row.kind) ? 'Choose an option' : 'Enter a value to compare with';
  return row.kind === 'number' ? 'Enter a number' : 'Enter a value to compare with';
}

/** The typed text as a value of this kind. Null if it is blank, isn't one of the options, or has the wrong form. */
function literalOf(kind: FieldKind, options: readonly string[], typed: string): string | number | boolean | null {
  const text = typed.trim();
  if (kind === 'yes_no') return text === 'yes' ? true : text === 'no' ? false : null;
  if (kind === 'number') return /^-?\d{1,15}([.,]\d{1,10})?$/.test(text) ? Number(text.replace(',', '.')) : null;
  if (hasOptions(kind)) return options.includes(typed) ? typed : null;
  return text === '' ? null : typed;
}

const nameAt = ({ stepId, parts }: ValuePath, names: readonly NameEntry[]): NameEntry | undefined => {
  const path = [...(stepId === null ? ['run'] : ['outputs', stepId]), ...parts].join('.');
  return names.find((name) => name.path.join('.') === path);
};

function fits(value: Literal, kind: FieldKind): boolean {
  if (value === null) return true;
  if (kind === 'number' || kind === 'yes_no') return typeof value === (kind === 'number' ? 'number' : 'boolean');
  if (typeof value !== 'string') return false;
  if (kind !== 'date') return true;
  const day = { id: 'day', label: '', kind, required: true };
  return checkFieldValues([day], { day: value }).length === 0;
}

const kindOfLiteral = (value: Literal): FieldKind =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'yes_no' : 'text';

/** The options, with a stored value that is no longer one of them. */
const withOption = (options: readonly string[], kind: FieldKind, typed: string): readonly string[] =>
  hasOptions(kind) && typed !== '' && !options.includes(typed) ? [...options, typed] : options;
