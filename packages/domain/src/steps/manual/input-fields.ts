import { FILE_LIMITS, isEvidence } from './evidence.ts';
import { plainLatin } from '../../defaults/plain-latin.ts';

/** The kinds of values of a manual step's fields. */
export const FIELD_KINDS = [
  'text',
  'long_text',
  'number',
  'date',
  'choice',
  'many_of',
  'yes_no',
  'person',
  'file_link',
  'file',
  'photo',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/**
 * One field of the form that a manual step shows in a run. The step's output stores the values under `fields` by field
 * id. Absent settings don't restrict anything, and a field without them has the hash that it had before they existed.
 */
export type InputField = {
  id: string;
  label: string;
  kind: FieldKind;
  /** Only for kinds for which `hasOptions` is true. */
  options?: string[];
  required: boolean;
  /**
   * A FEEL expression about the form's other fields. If it is true, the field is required. Only for a field that isn't
   * always required.
   */
  requiredIf?: string;
  /** A sentence below the field. */
  help?: string;
  /** The smallest and largest number, inclusive. Like the unit, only for a number. */
  min?: number;
  max?: number;
  /** For example EUR. Values are plain numbers. */
  unit?: string;
};

/** True for a kind whose values are chosen from the field's options. */
export const hasOptions = (kind: FieldKind): boolean => kind === 'choice' || kind === 'many_of';

/** Lengths in characters. */
export const FIELD_LIMITS = {
  fields: 50,
  id: 60,
  label: 200,
  options: 100,
  option: 200,
  help: 500,
  requiredIf: 500,
  unit: 20,
  text: 20_000,
  link: 2000,
} as const;

/** Valid field ids: names that expressions and scripts can use without quotes. */
export const FIELD_ID = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/;

/** True for a kind whose values are files. */
export const isFileKind = (kind: FieldKind): boolean => kind === 'file' || kind === 'photo';

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

function problemsOf(field: InputField, seen: ReadonlySet<string>): string[] {
  const { id, label, kind, options = [] } = field;
  const name = label.trim();
  const problems: string[] = [];
  if (name === '') problems.push('Enter a label for the field');
  if (!FIELD_ID.test(id))
    problems.push('A field name can contain letters, digits and underscores, and can’t start with a digit');
  else if (seen.has(id)) problems.push(`Two fields are named ${id}`);
  problems.push(...problemsOfLimits(field));
  if (!hasOptions(kind)) {
    if (options.length > 0) problems.push('Only a choice field can have options');
    return problems;
  }
  if (options.length === 0) problems.push('A choice field needs at least one option');
  if (options.some((option) => option.trim() === '')) problems.push('An option is empty');
  if (new Set(options).size < options.length) problems.push('Two options are the same');
  if (kind === 'many_of' && options.some((option) => /[\n\r]/.test(option)))
    problems.push('An option has more than one line');
  return problems;
}

function problemsOfLimits({ kind, min, max, unit }: InputField): string[] {
  if (kind !== 'number') {
    const isLimited = min !== undefined || max !== undefined || unit !== undefined;
    return isLimited ? ['Only a number can have a minimum, a maximum or a unit'] : [];
  }
  return min !== undefined && max !== undefined && min > max ? ['The minimum is larger than the maximum'] : [];
}

/**
 * Checks the values for a step's fields: returns the first problem of each field, in field order, then a problem with
 * all files together, then the values that belong to no field. Absent, null, blank text and an empty list mean no
 * value. The values of the kinds:
 * - `text`, `long_text`, `choice`, `date` ('2026-11-18') and `file_link` (http or https): text
 * - `number`: a finite number
 * - `many_of`: a list of different options
 * - `yes_no`: true or false
 * - `person`: an email address; only the server knows whether it is a member's
 * - `file` and `photo`: a list of `Evidence`; all fields of a step together have at most 20
 *
 * @param isRequired decides for a field without a value; by default, `requiredIf` is ignored
 */
export function checkFieldValues(
  fields: readonly InputField[],
  values: Readonly<Record<string, unknown>>,
  isRequired: (field: InputField) => boolean = ({ required }) => required,
): FieldValueProblem[] {
  const problems: FieldValueProblem[] = [];
  for (const field of fields) {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    const problem = isBlank(field, value) ? (isRequired(field) ? 'is required' : null) : problemOfValue(field, value);
    if (problem) problems.push({ fieldId: field.id, problem: `${field.label} ${problem}` });
  }
  problems.push(...problemsOfFiles(fields, values, problems));
  const known = new Set(fields.map(({ id }) => id));
  for (const id of Object.keys(values)) {
    if (!known.has(id)) problems.push({ fieldId: id, problem: `${id} is not a field of this step` });
  }
  return problems;
}

/** Checks the files of all fields of a step together. The files of each field have already been checked. */
function problemsOfFiles(
  fields: readonly InputField[],
  values: Readonly<Record<string, unknown>>,
  known: readonly FieldValueProblem[],
): FieldValueProblem[] {
  if (known.length > 0) return [];
  const files = fields.flatMap((field) => {
    const value = isFileKind(field.kind) && Object.hasOwn(values, field.id) ? values[field.id] : null;
    return Array.isArray(value) ? value.filter(isEvidence).map((file) => ({ field, file })) : [];
  });
  const twice = files.find(({ file }, at) => files.findIndex((each) => each.file.fileId === file.fileId) !== at);
  if (twice)
    return [
      {
        fieldId: twice.field.id,
        problem: `${twice.field.label} has a file that is already attached: ${twice.file.name}`,
      },
    ];
  const last = files[FILE_LIMITS.perStep];
  if (!last) return [];
  return [{ fieldId: last.field.id, problem: `A step can have at most ${FILE_LIMITS.perStep} files` }];
}

function isBlank({ kind }: InputField, value: unknown): boolean {
  if ((kind === 'many_of' || isFileKind(kind)) && Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function problemOfValue(field: InputField, value: unknown): string | null {
  const { text: longest, link } = FIELD_LIMITS;
  switch (field.kind) {
    case 'text':
    case 'long_text':
      if (typeof value !== 'string') return 'must be text';
      return value.length > longest ? `must have at most ${longest} characters` : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? problemOfNumber(field, value) : 'must be a number';
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : 'must be a date, for example 2026-11-18';
    case 'choice':
      return typeof value === 'string' && field.options?.includes(value) ? null : 'must be one of its options';
    case 'many_of':
      return isChosen(field, value) ? null : 'must be some of its options, each at most once';
    case 'yes_no':
      return typeof value === 'boolean' ? null : 'must be yes or no';
    case 'person':
      return typeof value === 'string' && value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value.trim())
        ? null
        : 'must be the address of a member';
    case 'file_link':
      if (typeof value !== 'string' || !/^https?:\/\/[^\s/]+\S*$/i.test(value)) {
        return 'must be a link that starts with https:// or http://';
      }
      return value.length > link ? `must have at most ${link} characters` : null;
    case 'file':
    case 'photo':
      if (!Array.isArray(value)) return 'must be a list of files';
      if (!value.every(isEvidence)) return 'has a file that isn’t uploaded yet';
      return field.kind === 'photo' && !value.every(({ mediaType }) => mediaType.startsWith('image/'))
        ? 'must be photos'
        : null;
  }
}

function problemOfNumber({ min, max, unit }: InputField, value: number): string | null {
  const limit = (number: number) => (unit === undefined ? String(number) : `${number} ${unit}`);
  if (min !== undefined && value < min) return `must be at least ${limit(min)}`;
  return max !== undefined && value > max ? `must be at most ${limit(max)}` : null;
}

const isChosen = ({ options = [] }: InputField, value: unknown): boolean =>
  Array.isArray(value) &&
  new Set(value).size === value.length &&
  value.every((each) => typeof each === 'string' && options.includes(each));

/** True for a calendar day in ISO 8601. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * Returns an id for a new field: its label in lower case with underscores, followed by a number if that id is taken.
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
