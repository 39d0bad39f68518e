import { describe, expect, it } from 'vitest';
import { refusalOf } from './refusal-of.ts';

const failure = (code: string, message = 'the message from PostgreSQL'): Error =>
  Object.assign(new Error(message), { code });

describe('the mapping of database failures to refusals', () => {
  it.each([
    ['53100', 'disk_full'],
    ['53300', 'database_unavailable'],
    ['57P01', 'database_unavailable'],
    ['57P03', 'database_unavailable'],
    ['40P01', 'database_unavailable'],
    ['08006', 'database_unavailable'],
    ['ECONNREFUSED', 'database_unavailable'],
    ['22021', 'malformed_request'],
  ])('turns the code %s into %s', (code, refusal) => {
    expect(refusalOf(failure(code))?.refusal).toEqual({ code: refusal });
  });

  it.each(['42601', '23503', 'XX000'])(
    'has no refusal for the code %s, because it indicates a defect in Stet',
    (code) => {
      expect(refusalOf(failure(code))).toBeNull();
    },
  );
});
