import type { FieldProblem } from '@stet/contract';
import { ApiError } from '../api/api-error.ts';

/** Messages by form field. */
export type Problems<Values> = { [Name in keyof Values & string]?: string };

/** Maps paths of the body and codes of refusals to form fields if the names differ. */
export type Places<Values> = Readonly<Record<string, keyof Values & string>>;

/** Turns the contract's problem into a sentence. The field's label is the subject. */
const atField = (problem: string): string => problem.charAt(0).toUpperCase() + problem.slice(1);

/** The first problem of each field. `elsewhere` contains problems that belong to none of the form's fields. */
export function placeProblems<Values extends object>(
  found: readonly FieldProblem[],
  values: Values,
  places: Places<Values> = {},
): { problems: Problems<Values>; elsewhere: FieldProblem[] } {
  const problems: Problems<Values> = {};
  const elsewhere: FieldProblem[] = [];
  for (const each of found) {
    const name = placeOf(each.field, values, places);
    if (name === undefined) elsewhere.push(each);
    else problems[name] ??= atField(each.problem);
  }
  return { problems, elsewhere };
}

/**
 * Finds the form field for a path in the body. The longest matching entry of `places` wins; otherwise the first part of
 * the path must be the name of a field.
 */
function placeOf<Values extends object>(path: string, values: Values, places: Places<Values>) {
  const parts = path.split('.');
  const named = parts
    .map((_, n) => places[parts.slice(0, parts.length - n).join('.')])
    .find((name) => name !== undefined);
  const [top = ''] = parts;
  return named ?? (top in values ? (top as keyof Values & string) : undefined);
}

/** The server's messages by field. `isWhole`: the error concerns the whole form or fields that it doesn't have. */
export function refusedFields<Values extends object>(
  error: unknown,
  values: Values,
  places: Places<Values> = {},
): { problems: Problems<Values>; isWhole: boolean } {
  if (!(error instanceof ApiError)) return { problems: {}, isWhole: true };
  const name = places[error.code];
  if (name !== undefined) {
    const problems: Problems<Values> = {};
    problems[name] = error.message;
    return { problems, isWhole: false };
  }
  const { problems, elsewhere } = placeProblems(error.details.filter(isFieldProblem), values, places);
  return { problems, isWhole: elsewhere.length > 0 || Object.keys(problems).length === 0 };
}

const isFieldProblem = (detail: unknown): detail is FieldProblem =>
  typeof detail === 'object' &&
  detail !== null &&
  'field' in detail &&
  typeof detail.field === 'string' &&
  'problem' in detail &&
  typeof detail.problem === 'string';
