import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const FORMATS: Record<string, string> = {
  email: 'must be an email address',
  url: 'must be a web address',
  uuid: 'must be a UUID',
  datetime: 'must be a date and time, for example 2026-11-21T09:30:00Z',
  date: 'must be a date, for example 2026-11-21',
  regex: 'has an invalid format',
};

const KINDS: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const UNITS: Record<string, [string, string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['entry', 'entries'],
};

const counted = (count: number | bigint, origin: string): string | null => {
  const unit = UNITS[origin];
  return unit ? `${count} ${unit[Number(count) === 1 ? 0 : 1]}` : null;
};

function bounded(issue: RawIssue & { code: 'too_big' | 'too_small' }): string {
  const [limit, word] = issue.code === 'too_big' ? [issue.maximum, 'most' as const] : [issue.minimum, 'least' as const];
  const amount = counted(limit, issue.origin);
  if (amount === null) return `must be at ${word} ${limit}`;
  return issue.code === 'too_small' && Number(limit) === 1 ? 'must not be empty' : `must have at ${word} ${amount}`;
}

/**
 * Describes a validation problem as the end of a sentence that starts with the field's name, for example `must have at
 * most 300 characters`. Used for every check whose schema doesn't set a message.
 */
export function problemWords(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return KINDS[issue.expected] ?? 'is not valid';
    case 'too_big':
    case 'too_small':
      return bounded(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not valid';
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 10).join(', ')}`;
    default:
      return 'is not valid';
  }
}

/** A problem of one field; `field` is its path with dots, empty for the body itself. */
export type FieldProblem = { field: string; problem: string };

/** A schema of a body that is sent as `Body`. */
export type BodySchema<Body> = z.ZodType<unknown, Body>;

/**
 * Returns the problems that a schema finds in a body, in the order of its fields: the `details` of the server's 400.
 */
export function fieldProblems<Body>(schema: BodySchema<Body>, body: Body): FieldProblem[] {
  const { error } = schema.safeParse(body, { error: problemWords });
  return (error?.issues ?? []).map(({ path, message }) => ({ field: path.map(String).join('.'), problem: message }));
}
