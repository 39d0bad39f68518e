import { describe, expect, test } from 'vitest';
import { typePrefix } from '../../../lib/url-prefix.ts';
import { EMPTY_SIGNUP, signupBody, signupProblems, slugOf } from './signup-form.ts';

const complete = { ...EMPTY_SIGNUP, email: ' a@b.example ', name: ' Ann ', password: 'secret' };

describe('the URL prefix', () => {
  test('follows the name, and its own text once typed', () => {
    expect(slugOf({ ...EMPTY_SIGNUP, organizationName: ' Halden & Works ' })).toBe('halden-works');
    expect(slugOf({ ...EMPTY_SIGNUP, organizationName: 'Halden', slug: { from: 'typed', text: 'hw' } })).toBe('hw');
  });

  test.each([
    ['Halden Works!', { from: 'typed', text: 'haldenworks' }],
    ['x'.repeat(40), { from: 'typed', text: 'x'.repeat(30) }],
    ['???', { from: 'derived' }],
  ])('typing %j gives %j', (text, slug) => expect(typePrefix(text)).toEqual(slug));
});

describe('problems', () => {
  test('a personal account needs email, name and six characters', () => {
    expect(signupProblems(complete)).toEqual({});
    expect(Object.keys(signupProblems(EMPTY_SIGNUP))).toEqual(['email', 'name', 'password']);
    expect(signupProblems({ ...complete, password: '12345' })).toEqual({
      password: 'Password must be at least 6 characters long',
    });
  });

  test('an organization needs a name and a prefix that has something in it', () => {
    const team = { ...complete, accountType: 'organization' as const };
    const problem = { organization: 'Organization name and URL are required for organization accounts' };
    expect(signupProblems(team)).toEqual(problem);
    expect(signupProblems({ ...team, organizationName: '株式会社' })).toEqual(problem);
    expect(signupProblems({ ...team, organizationName: 'Halden' })).toEqual({});
  });
});

test('a personal account is sent as editor, whatever role was picked before', () => {
  expect(signupBody({ ...complete, role: 'viewer', organizationName: 'Left over' })).toEqual({
    email: 'a@b.example',
    name: 'Ann',
    password: 'secret',
    accountType: 'personal',
    role: 'editor',
  });
});
