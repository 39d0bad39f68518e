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
  ])('allow an invitation to %j: %s', (text, expected) => {
    expect(isInviteAddress(text)).toBe(expected);
  });

  it.each([
    ['', false],
    ['C', false],
    ['  C  ', false],
    ['QA', true],
    [' QA ', true],
  ])('allow the role Other with the text %j: %s', (text, expected) => {
    expect(isRoleNamed(OTHER, text)).toBe(expected);
  });

  it('need custom text only for the role Other', () => {
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
  ])('offer different %s with Other as the last one', (_, options, count) => {
    expect(new Set(options).size).toBe(count);
    expect(options.at(-1)).toBe('Other');
  });

  it('offer frequencies without Other', () => {
    expect(FREQUENCIES).toEqual(['Daily', 'Weekly', 'Monthly', 'Occasionally']);
  });
});
