import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRemoval, decideRoleChange, type MembershipDecision } from './membership.ts';
import { ORG_ROLES, type OrgRole } from './roles.ts';

const codeOf = (decision: MembershipDecision): string => (decision.ok ? 'ok' : decision.refusal.code);
const people = (actor: OrgRole, target: OrgRole, owners = 2) => ({
  actor: { id: 'a', role: actor },
  target: { id: 't', role: target },
  owners,
});

describe('a role change', () => {
  it.each<[actor: OrgRole, target: OrgRole, to: OrgRole, outcome: string]>([
    ['owner', 'viewer', 'owner', 'ok'],
    ['owner', 'owner', 'viewer', 'ok'],
    ['owner', 'admin', 'editor', 'ok'],
    ['admin', 'viewer', 'admin', 'ok'],
    ['admin', 'admin', 'viewer', 'ok'],
    ['admin', 'viewer', 'owner', 'owners_only'],
    ['admin', 'owner', 'admin', 'owners_only'],
    ['admin', 'owner', 'owner', 'owners_only'],
    ['editor', 'viewer', 'editor', 'forbidden'],
    ['reviewer', 'viewer', 'editor', 'forbidden'],
    ['viewer', 'viewer', 'viewer', 'forbidden'],
  ])('requested by a member with the role %s, from %s to %s: %s', (actor, target, to, outcome) => {
    expect(codeOf(decideRoleChange({ ...people(actor, target), to }))).toBe(outcome);
  });

  it('is refused if it would leave the organization without an owner', () => {
    expect(codeOf(decideRoleChange({ ...people('owner', 'owner', 1), to: 'admin' }))).toBe('last_owner');
    expect(codeOf(decideRoleChange({ ...people('owner', 'owner', 1), to: 'owner' }))).toBe('ok');
    expect(codeOf(decideRoleChange({ ...people('owner', 'viewer', 1), to: 'editor' }))).toBe('ok');
  });
});

describe('a removal', () => {
  it.each<[actor: OrgRole, target: OrgRole, outcome: string]>([
    ['owner', 'owner', 'ok'],
    ['owner', 'viewer', 'ok'],
    ['admin', 'admin', 'ok'],
    ['admin', 'viewer', 'ok'],
    ['admin', 'owner', 'owners_only'],
    ['editor', 'viewer', 'forbidden'],
    ['viewer', 'viewer', 'forbidden'],
  ])('requested by %s for a member with the role %s: %s', (actor, target, outcome) => {
    expect(codeOf(decideRemoval(people(actor, target)))).toBe(outcome);
  });

  it.each(ORG_ROLES)('lets a member with the role %s leave, unless they are the last owner', (role) => {
    const self = { id: 'a', role };
    expect(codeOf(decideRemoval({ actor: self, target: self, owners: 2 }))).toBe('ok');
    expect(codeOf(decideRemoval({ actor: self, target: self, owners: 1 }))).toBe(
      role === 'owner' ? 'last_owner' : 'ok',
    );
  });
});

describe('an organization', () => {
  type Change = { actor: number; target: number; to: OrgRole | null };
  const changes = fc.array(
    fc.record<Change>({
      actor: fc.nat({ max: 4 }),
      target: fc.nat({ max: 4 }),
      to: fc.constantFrom<(OrgRole | null)[]>(...ORG_ROLES, null),
    }),
    { maxLength: 60 },
  );

  it('always has an owner, and only owners appoint owners', () => {
    fc.assert(
      fc.property(changes, (tried) => {
        const roles = new Map<number, OrgRole>([0, 1, 2, 3, 4].map((n) => [n, n === 0 ? 'owner' : 'admin']));
        for (const { actor: by, target: whom, to } of tried) {
          const [actorRole, targetRole] = [roles.get(by), roles.get(whom)];
          if (!actorRole || !targetRole) continue;
          const owners = [...roles.values()].filter((role) => role === 'owner').length;
          const question = {
            actor: { id: `${by}`, role: actorRole },
            target: { id: `${whom}`, role: targetRole },
            owners,
          };
          const decision = to === null ? decideRemoval(question) : decideRoleChange({ ...question, to });
          if (!decision.ok) continue;
          if (to === 'owner') expect(actorRole).toBe('owner');
          if (to === null) roles.delete(whom);
          else roles.set(whom, to);
          expect([...roles.values()]).toContain('owner');
        }
      }),
    );
  });
});
