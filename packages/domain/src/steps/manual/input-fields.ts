import { plainLatin } from '../../defaults/plain-latin.ts';

/** The kinds of values of a manual step's fields. */
export const FIELD_KINDS = ['text', 'number', 'date', 'choice', 'yes_no', 'file_link'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/**
 * One field of the form that a manual step shows in a run. Only a choice has `options`. The step's output stores the
 * values under `fields` by field id.
 */
export type InputField = { id: string; label: string; kind: FieldKind; options?: string[]; required: boolean };

/** Lengths in characters. */
export const FIELD_LIMITS = {
  fields: 50,
  id: 60,
  label: 200,
  options: 100,
  option: 200,
  text: 20_000,
  link: 2000,
} as const;

/** Valid field ids: names that expressions and scripts can use without quotes. */
export const FIELD_ID = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/;

/** `index` is the position in the list, from 0. */
type FieldListProblem = { index: number; problem: string };
export type FieldValueProblem = { fieldId: string; problem: string };

/** Returns the problems of a list of fields, in list order; empty if there are none. */
export function checkFieldList(fields: readonly InputField[]): FieldListProblem[] {
  const seen = new Set<string>();
  return fields.flatMap((field, index) => {
    const problems = problemsOf(field, seen);
    seen.add(field.id);
    return problems.map((problem) => ({ index, problem }));
  });
}

function problemsOf({ id, label, kind, options = [] }: InputField, seen: ReadonlySet<string>): string[] {
  const name = label.trim();
  const problems: string[] = [];
  if (name === '') problems.push('Enter a label for the field');
  if (!FIELD_ID.test(id))
    problems.push('A field name can contain letters, digits and underscores, and can’t start with a digit');
  else if (seen.has(id)) problems.push(`Two fields are named ${id}`);
  if (kind !== 'choice') {
    if (options.length > 0) problems.push('Only a choice field can have options');
    return problems;
  }
  if (options.length === 0) problems.push('A choice field needs at least one option');
  if (options.some((option) => option.trim() === '')) problems.push('An option is empty');
  if (new Set(options).size < options.length) problems.push('Two options are the same');
  return problems;
}

/**
 * Checks the values for a step's fields: returns the first problem of each field, in field order, then the values
 * that belong to no field. Absent, null and blank text mean no value. Values are text for text, choice, date
 * ('2026-11-18') and file link (http or https), a finite number, and true or false for yes/no.
 */
export function checkFieldValues(
  fields: readonly InputField[],
  values: Readonly<Record<string, unknown>>,
): FieldValueProblem[] {
  const problems: FieldValueProblem[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    const problem = isBlank(value) ? (field.required ? 'is required' : null) : problemOfValue(field, value);
    if (problem) problems.push({ fieldId: field.id, problem: `${field.label} ${problem}` });
  }
  const known = new Set(fields.map(({ id }) => id));
  for (const id of Object.keys(values)) {
    if (!known.has(id)) problems.push({ fieldId: id, problem: `${id} is not a field of this step` });
  }
  return problems;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function problemOfValue(field: InputField, value: unknown): string | null {
  const { text: longest, link } = FIELD_LIMITS;
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return 'must be text';
      return value.length > longest ? `must have at most ${longest} characters` : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number';
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : 'must be a date, for example 2026-11-18';
    case 'choice':
      return typeof value === 'string' && field.options?.includes(value) ? null : 'must be one of its options';
    case 'yes_no':
      return typeof value === 'boolean' ? null : 'must be yes or no';
    case 'file_link':
      if (typeof value !== 'string' || !/^https?:\/\/[^\s/]+\S*$/i.test(value)) {
        return 'must be a link that starts with https:// or http://';
      }
      return value.length > link ? `must have at most ${link} characters` : null;
  }
}

/** True for a calendar day in ISO 8601. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * Returns a name for a new field: its label in lower case with underscores, followed by a number if that name is taken.
 */
export function fieldIdFor(label: string, taken: Iterable<string>): string {
  const plain = plainLatin(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 50)
    .replaceAll(/^_+|_+$/g, '');
  const base = plain === '' ? 'field' : /^\d/.test(plain) ? `field_${plain}` : plain;
  const used = new Set(taken);
  if (!used.has(base)) return base;
  let n = 2;
  while (used.has(`${base}_${n}`)) n += 1;
  return `${base}_${n}`;
}
