import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemWords } from './problem-words.ts';

const firstProblem = (schema: z.ZodType, input: unknown): string | undefined =>
  schema.safeParse(input, { error: problemWords }).error?.issues[0]?.message;

describe('problemWords', () => {
  it.each([
    [z.string().max(300), 'x'.repeat(301), 'must have at most 300 characters'],
    [z.string().min(6), 'x', 'must have at least 6 characters'],
    [z.string().min(1), '', 'must not be empty'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.number().max(200), 201, 'must be at most 200'],
    [z.coerce.number(), 'x', 'must be a number'],
    [z.number().int(), 1.5, 'must be a whole number'],
    [z.string(), 5, 'must be text'],
    [z.string(), undefined, 'is required'],
    [z.record(z.string(), z.unknown()), [], 'must be an object'],
    [z.uuid(), 'x', 'must be a UUID'],
    [z.email(), 'x', 'must be an email address'],
    [z.iso.datetime(), 'x', 'must be a date and time, for example 2026-11-21T09:30:00Z'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.strictObject({}), { q: 1 }, 'has unknown fields: q'],
    [z.union([z.string(), z.number()]), true, 'is not valid'],
  ])('describes the problem in plain words (case %#)', (schema, input, words) => {
    expect(firstProblem(schema, input)).toBe(words);
  });

  it('prefers the schema’s own message', () => {
    expect(firstProblem(z.string().min(1, 'Run name is required'), '')).toBe('Run name is required');
  });
});
