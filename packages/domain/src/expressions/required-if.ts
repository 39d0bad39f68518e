import { evaluate, parseExpression } from 'feelin';
import { FIELD_LIMITS, type InputField } from '../steps/index.ts';
import { checkExpression } from './check-expression.ts';

/** The functions that `requiredIf` can use. Others could take very long, and a form is checked without a time limit. */
const FUNCTIONS = new Set(['not', 'contains', 'starts with', 'ends with', 'list contains', 'count']);
const PARTS = new Set([
  'Expression',
  'Comparison',
  'CompareOp',
  'Conjunction',
  'Disjunction',
  'ParenthesizedExpression',
  'FunctionInvocation',
  'PositionalParameters',
  'PositiveUnaryTests',
  'PositiveUnaryTest',
  'VariableName',
  'Identifier',
  'NumericLiteral',
  'StringLiteral',
  'BooleanLiteral',
  'ArithmeticExpression',
  'ArithOp',
]);

/**
 * Returns the reason why a field's `requiredIf` can't be used, as a sentence without a full stop; null if it can or if
 * the field has none. The expression compares other fields of the same form, by their ids, with values: `amount >
 * 1000 and kind = "new"`.
 */
export function requiredIfProblem(field: InputField, fields: readonly InputField[]): string | null {
  const { requiredIf } = field;
  if (requiredIf === undefined) return null;
  if (field.required) return 'A field that is always required can’t also be required if a condition is true';
  if (requiredIf.length > FIELD_LIMITS.requiredIf)
    return `A condition can have at most ${FIELD_LIMITS.requiredIf} characters`;
  const names = valuesOf(fields, {});
  const [problem] = checkExpression(requiredIf, names);
  if (problem) return problem.problem;
  let found: string | null = null;
  parseExpression(requiredIf, names, undefined).iterate({
    enter: ({ node }) => {
      const text = requiredIf.slice(node.from, node.to);
      const isFunction = node.parent?.name === 'FunctionInvocation' && node.from === node.parent.from;
      if (node.name === 'VariableName' && isFunction) {
        if (!FUNCTIONS.has(text.replaceAll(/\s+/g, ' '))) found ??= `The function ${text} can’t be used here`;
      } else if (node.name === 'VariableName') {
        if (text === field.id) found ??= 'The condition can’t depend on the field itself';
        else if (!Object.hasOwn(names, text)) found ??= `This form has no field named ${text}`;
      } else if (/^[A-Z]/.test(node.name) && !PARTS.has(node.name)) found ??= `‘${text}’ can’t be used here`;
    },
  });
  return found;
}

/**
 * Returns whether a field needs a value, given the values of the form by field id. Missing values and the empty string
 * are null (blank text and an empty list aren't): `amount > 1000` isn't true without an amount, but `kind = null` is
 * true without a kind. An expression that can't be evaluated requires nothing; `requiredIfProblem` refuses it on save.
 */
export function isFieldRequired(
  field: InputField,
  fields: readonly InputField[],
  values: Readonly<Record<string, unknown>>,
): boolean {
  if (field.required || field.requiredIf === undefined) return field.required;
  if (requiredIfProblem(field, fields) !== null) return false;
  return evaluate(field.requiredIf, valuesOf(fields, values)).value === true;
}

function valuesOf(fields: readonly InputField[], values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ id }) => [id, Object.hasOwn(values, id) && values[id] !== '' ? values[id] : null]),
  );
}
