import { expect, test } from 'vitest';
import { newPasswordProblems, passwordStrength } from './password.ts';

test.each([
  ['', 0],
  ['abc', 1],
  ['aaaaaaaaaaaaaaaa', 1],
  ['secret', 1],
  ['secret12', 2],
  ['three-old-oak-trees', 3],
  ['Three-old-oak-trees-7', 4],
])('%j has %i bars', (password, bars) => expect(passwordStrength(password).bars).toBe(bars));

test('a new password has six characters and is typed the same twice', () => {
  expect(newPasswordProblems({ password: 'secret', confirmation: 'secret' })).toEqual({});
  expect(newPasswordProblems({ password: 'short', confirmation: 'Short' })).toEqual({
    password: 'Password must be at least 6 characters long',
    confirmation: 'Passwords do not match',
  });
});
