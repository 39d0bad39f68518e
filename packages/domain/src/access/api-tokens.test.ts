import { describe, expect, it } from 'vitest';
import { TOKEN_KINDS, TOKEN_ROLES, isApiToken, permissionsOfToken, scopesFor, tokenPrefix } from './api-tokens.ts';
import { PERMISSION_NAMES, permissionsOf } from './permissions.ts';
import { ORG_ROLES } from './roles.ts';

describe('API token scopes', () => {
  it('never exceed the role, even if the token was given more scopes', () => {
    for (const kind of TOKEN_KINDS) {
      for (const orgRole of ORG_ROLES) {
        const granted = permissionsOf({ orgRole, globalRole: null });
        const may = permissionsOfToken({ kind, scopes: PERMISSION_NAMES, orgRole, globalRole: 'editor' });
        expect(may.filter((name) => !granted.includes(name))).toEqual([]);
        expect(may).toEqual(scopesFor(kind, orgRole));
      }
    }
  });

  it('never include the management of an organization', () => {
    for (const kind of TOKEN_KINDS) expect(scopesFor(kind, 'owner')).not.toContain('org.manage');
  });

  it('exclude reviews from an organization’s token, but not from a person’s', () => {
    for (const role of TOKEN_ROLES) {
      expect(scopesFor('organization', role)).not.toContain('draft.review');
      expect(scopesFor('organization', role)).not.toContain('step.act_approval');
    }
    expect(scopesFor('personal', 'reviewer')).toContain('draft.review');
  });

  it('are limited to existing permissions that the token was given', () => {
    const token = { kind: 'personal', orgRole: 'owner', globalRole: null } as const;
    expect(permissionsOfToken({ ...token, scopes: ['workflow.read', 'everything'] })).toEqual(['workflow.read']);
    expect(permissionsOfToken({ ...token, scopes: [] })).toEqual([]);
  });
});

describe('the format of an API token', () => {
  it('is recognized, unlike session tokens and other text', () => {
    const secret = 'aB3-_'.repeat(8) + 'xyz';
    for (const kind of TOKEN_KINDS) expect(isApiToken(tokenPrefix(kind) + secret)).toBe(true);
    expect(TOKEN_KINDS.map(tokenPrefix)).toEqual(['stet_pat_', 'stet_org_']);
    for (const text of [
      '',
      secret,
      `x stet_pat_${secret}`,
      `stet_pat_${secret}x`,
      `stet_pat_${secret.slice(1)}`,
      `stet_ops_${secret}`,
    ])
      expect(isApiToken(text)).toBe(false);
  });
});
