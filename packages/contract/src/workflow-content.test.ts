import { METADATA } from '@stet/domain/workflows';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { laterText } from './workflow-content.ts';

describe('a metadata field that was added later', () => {
  const body = z.strictObject({ description: laterText('description') });
  const stored = (input: unknown): string => JSON.stringify(body.parse(input));

  it('is stored if it is neither empty nor longer than its limit', () => {
    expect(stored({ description: 'How we buy.' })).toBe('{"description":"How we buy."}');
    expect(body.safeParse({ description: 'x'.repeat(METADATA.description.limit + 1) }).success).toBe(false);
  });

  it.each([{}, { description: '' }])('is left out if the body is %j', (input) => {
    expect(stored(input)).toBe('{}');
  });
});
