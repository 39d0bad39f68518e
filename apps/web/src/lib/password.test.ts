import { expect, test } from 'vitest';
import { passwordStrength, repeatedPassword } from './password.ts';

test.each([
  ['', 0],
  ['abc', 1],
  ['aaaaaaaaaaaaaaaa', 1],
  ['secret', 1],
  ['secret12', 2],
  ['three-old-oak-trees', 3],
  ['Three-old-oak-trees-7', 4],
])('rates the password %j with %i of 4 bars', (password, bars) => expect(passwordStrength(password).bars).toBe(bars));

test('reports a repeated password that differs from the first one', () => {
  expect(repeatedPassword({ password: 'secret', confirmation: 'secret' })).toEqual({});
  expect(repeatedPassword({ password: 'secret', confirmation: 'Secret' })).toEqual({
    confirmation: 'Passwords do not match',
  });
});
