import { describe, expect, it } from 'vitest';
import { assignedOrgRole, assigneeKind, assigneeProblem } from './assignee.ts';

describe('an assignee', () => {
  it.each([
    ['', 'none'],
    ['  ', 'none'],
    ['sam.okafor@haldenworks.example', 'email'],
    [' Sam@Halden.example ', 'email'],
    ['system', 'system'],
    ['AUTO', 'system'],
    ['Unassigned', 'system'],
    ['editor', 'role'],
    ['Owner', 'role'],
    ['Group:finance', 'group'],
    ['group:', 'unknown'],
    ['group:Two Words', 'unknown'],
    ['Starter', 'starter'],
    ['sam@halden.example, group:finance', 'list'],
    ['sam@halden.example,reviewer', 'list'],
    ['sam@halden.example, reviewers', 'unknown'],
    // The local part of an address can contain a comma.
    ['okafor,sam@halden.example', 'email'],
    [', ', 'none'],
    ['sam', 'unknown'],
    ['sam@', 'unknown'],
    ['sam@halden', 'unknown'],
    ['sam okafor@halden.example', 'unknown'],
    ['a@b@c.example', 'unknown'],
    [`${'x'.repeat(250)}@halden.example`, 'unknown'],
  ])('%j is classified as %s', (text, kind) => {
    expect(assigneeKind(text)).toBe(kind);
    const sentence = 'Please enter a valid email address or system role (system, auto, unassigned)';
    expect(assigneeProblem(text)).toBe(kind === 'unknown' ? sentence : null);
  });

  it('can be an organization role', () => {
    expect(assignedOrgRole(' Reviewer')).toBe('reviewer');
    expect(assignedOrgRole('system')).toBeNull();
    expect(assignedOrgRole('')).toBeNull();
  });
});
