import type { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address',
  url: 'must be a web address',
  uuid: 'must be an id',
  datetime: 'must be a moment such as 2026-11-21T09:30:00Z',
  date: 'must be a day such as 2026-11-21',
  regex: 'has a form that is not allowed',
};

const KINDS: Record<string, string> = {
  string: 'must be a text',
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
 * What is wrong with a field, as the rest of a sentence that begins with its name (rulings, section 9): `must have at
 * most 300 characters`. For every check whose schema says nothing better itself.
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
      return `has fields that are not known: ${issue.keys.slice(0, 10).join(', ')}`;
    default:
      return 'is not valid';
  }
}
