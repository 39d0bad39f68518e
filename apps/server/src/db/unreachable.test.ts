import { describe, expect, it } from 'vitest';
import { whyUnreachable } from './unreachable.ts';

describe("a PostgreSQL that can't be used", () => {
  it.each([
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5999' }, 'There is no server'],
    [{ errors: [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5999' }] }, 'There is no server'],
    [{ code: '28P01', message: 'password authentication failed' }, 'rejected the user or password'],
    [{ code: '3D000', message: 'database "none" does not exist' }, "doesn't exist"],
    [{ code: '42501', message: 'permission denied to create role' }, 'allowed to create roles'],
  ])('is explained for %j with “%s”', (error, words) => {
    expect(whyUnreachable(error)).toContain(words);
  });

  it('is distinguished from a defect of Stet', () => {
    expect(whyUnreachable(new TypeError('x is undefined'))).toBeNull();
  });
});
