import { describe, expect, it } from 'vitest';
import { whyUnreachable } from './unreachable.ts';

describe('a PostgreSQL that cannot be used', () => {
  it.each([
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5999' }, 'Nothing answers'],
    [{ errors: [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5999' }] }, 'Nothing answers'],
    [{ code: '28P01', message: 'password authentication failed' }, 'refuses the user or the password'],
    [{ code: '3D000', message: 'database "none" does not exist' }, 'no database of the name'],
    [{ code: '42501', message: 'permission denied to create role' }, 'allowed to create roles'],
  ])('is told in a sentence: %j', (error, words) => {
    expect(whyUnreachable(error)).toContain(words);
  });

  it('is told apart from a defect', () => {
    expect(whyUnreachable(new TypeError('x is undefined'))).toBeNull();
  });
});
