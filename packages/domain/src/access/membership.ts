import type { OrgRole } from './roles.ts';
import { roleHas } from './permissions.ts';

/** The reason why a membership can't change. */
export type MembershipRefusal =
  /** An organization needs an owner: the last one can neither leave nor take a different role. */
  | { code: 'last_owner' }
  /** Only an owner can appoint, change or remove owners. */
  | { code: 'owners_only' }
  | { code: 'forbidden' };

export type MembershipDecision = { ok: true } | { ok: false; refusal: MembershipRefusal };

type MembershipQuestion = {
  actor: { id: string; role: OrgRole };
  target: { id: string; role: OrgRole };
  /** Current owners, including the target if they are one. */
  owners: number;
};

const granted: MembershipDecision = { ok: true };
const refused = (code: MembershipRefusal['code']): MembershipDecision => ({ ok: false, refusal: { code } });

/**
 * Returns whether `actor` may give `target` the role `to` (decision 10). Owners can give any role; admins can give and
 * take every role except owner. The last owner can't get another role. Read the roles and the number of owners while
 * the organization is locked. Otherwise two owners could demote each other at the same time.
 */
export function decideRoleChange({
  actor,
  target,
  owners,
  to,
}: MembershipQuestion & { to: OrgRole }): MembershipDecision {
  if (!roleHas(actor.role, 'org.manage')) return refused('forbidden');
  if ((target.role === 'owner' || to === 'owner') && actor.role !== 'owner') return refused('owners_only');
  if (target.role === 'owner' && to !== 'owner' && owners <= 1) return refused('last_owner');
  return granted;
}

/**
 * Returns whether `actor` may end the membership of `target`. Anyone may leave; owners may remove anyone, and admins
 * everyone except owners. Refuses to remove the last owner.
 */
export function decideRemoval({ actor, target, owners }: MembershipQuestion): MembershipDecision {
  if (actor.id !== target.id) {
    if (!roleHas(actor.role, 'org.manage')) return refused('forbidden');
    if (target.role === 'owner' && actor.role !== 'owner') return refused('owners_only');
  }
  return target.role === 'owner' && owners <= 1 ? refused('last_owner') : granted;
}
