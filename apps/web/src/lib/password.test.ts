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
])('%j has %i bars', (password, bars) => expect(passwordStrength(password).bars).toBe(bars));

test('a new password is typed the same twice', () => {
  expect(repeatedPassword({ password: 'secret', confirmation: 'secret' })).toEqual({});
  expect(repeatedPassword({ password: 'secret', confirmation: 'Secret' })).toEqual({
    confirmation: 'Passwords do not match',
  });
});
