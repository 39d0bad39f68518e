import { accountRoutes } from '@stet/contract/accounts';
import { fieldProblems } from '@stet/contract/problem-words';
import { describe, expect, test } from 'vitest';
import { typePrefix } from '../../../lib/url-prefix.ts';
import { placeProblems } from '../../../lib/forms/problems.ts';
import { EMPTY_SIGNUP, signupBody, slugOf } from './signup-fields.ts';
import type { SignupForm } from './signup-fields.ts';

const complete = { ...EMPTY_SIGNUP, email: ' a@b.example ', name: ' Ann ', password: 'secret' };

describe('the URL prefix', () => {
  test('follows the name until the person edits it', () => {
    expect(slugOf({ ...EMPTY_SIGNUP, organizationName: ' Halden & Works ' })).toBe('halden-works');
    expect(
      slugOf({ ...EMPTY_SIGNUP, organizationName: 'Halden', organizationSlug: { from: 'typed', text: 'hw' } }),
    ).toBe('hw');
  });

  test.each([
    ['Halden Works!', { from: 'typed', text: 'haldenworks' }],
    ['x'.repeat(40), { from: 'typed', text: 'x'.repeat(30) }],
    ['???', { from: 'derived' }],
  ])('for the typed text %j is %j', (text, slug) => expect(typePrefix(text)).toEqual(slug));
});

const problemsOf = (form: SignupForm) =>
  placeProblems(fieldProblems(accountRoutes['POST /api/auth/signup'].body, signupBody(form)), form).problems;

describe('validation', () => {
  test('requires an email, a name and a password of at least six characters for a personal account', () => {
    expect(problemsOf(complete)).toEqual({});
    expect(Object.keys(problemsOf(EMPTY_SIGNUP))).toEqual(['email', 'name', 'password']);
    expect(problemsOf({ ...complete, password: '12345' })).toEqual({
      password: 'Password must be at least 6 characters long',
    });
  });

  test('requires a name and a non-empty prefix for an organization', () => {
    const team = { ...complete, accountType: 'organization' as const };
    const problem = 'Organization name and URL are required for organization accounts';
    expect(problemsOf(team)).toEqual({ organizationName: problem });
    expect(problemsOf({ ...team, organizationName: '株式会社' })).toEqual({ organizationSlug: problem });
    expect(problemsOf({ ...team, organizationName: 'Halden' })).toEqual({});
  });
});

test('sends the editor role for a personal account, even if a different role was chosen before', () => {
  expect(signupBody({ ...complete, role: 'viewer', organizationName: 'Left over' })).toEqual({
    email: 'a@b.example',
    name: 'Ann',
    password: 'secret',
    accountType: 'personal',
    role: 'editor',
  });
});
