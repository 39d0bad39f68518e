import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInviteAddress, isRoleNamed } from './answers.ts';
import { APPLICANT_ROLES, DOCUMENTATION_TOOLS, FREQUENCIES, OTHER, TEAM_TOOLS } from './options.ts';

describe('an applicant’s answers', () => {
  it.each([
    ['mara@haldenworks.example', true],
    ['  mara@haldenworks.example\t', true],
    ['mara@haldenworks', false],
    ['mara haldenworks.example', false],
    ['mara@halden works.example', false],
    ['', false],
    ['   ', false],
  ])('an invitation to %j can be sent: %s', (text, expected) => {
    expect(isInviteAddress(text)).toBe(expected);
  });

  it.each([
    ['', false],
    ['C', false],
    ['  C  ', false],
    ['QA', true],
    [' QA ', true],
  ])('the role Other with %j is a role: %s', (text, expected) => {
    expect(isRoleNamed(OTHER, text)).toBe(expected);
  });

  it('any other role needs no custom text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...APPLICANT_ROLES.filter((role) => role !== OTHER)), fc.string(), (role, text) => {
        expect(isRoleNamed(role, text)).toBe(true);
      }),
    );
  });

  it.each([
    ['roles', APPLICANT_ROLES, 13],
    ['documentation tools', DOCUMENTATION_TOOLS, 8],
    ['team tools', TEAM_TOOLS, 17],
  ])('the %s are all different and end with Other', (_, options, count) => {
    expect(new Set(options).size).toBe(count);
    expect(options.at(-1)).toBe('Other');
  });

  it('the frequencies have no Other', () => {
    expect(FREQUENCIES).toEqual(['Daily', 'Weekly', 'Monthly', 'Occasionally']);
  });
});
