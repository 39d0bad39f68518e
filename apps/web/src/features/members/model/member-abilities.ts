import type { Member } from '@stet/contract';
import { ORG_ROLES, decideRemoval, decideRoleChange } from '@stet/domain/access';
import type { MembershipDecision } from '@stet/domain/access';

/** The user's abilities on one member. `reason` says why the user can't remove the member. */
type MemberAbilities = {
  /** The roles to choose from, including the current one. Only the current one if it can't be changed. */
  roles: readonly Member['role'][];
  removal: { may: true } | { may: false; reason: string };
};

const REASONS = {
  last_owner: 'You are the only owner. Make someone else an owner first.',
  owners_only: 'Only an owner can change or remove an owner.',
  forbidden: 'Only owners and admins can change members.',
} satisfies Record<Extract<MembershipDecision, { ok: false }>['refusal']['code'], string>;

type Membership = Pick<Member, 'id' | 'role'>;

/** Applies the rules of `@stet/domain/access`, which the server checks again. */
export function memberAbilities(actor: Membership, target: Membership, all: readonly Membership[]): MemberAbilities {
  const question = { actor, target, owners: all.filter(({ role }) => role === 'owner').length };
  const removal = decideRemoval(question);
  return {
    roles: ORG_ROLES.filter((to) => to === target.role || decideRoleChange({ ...question, to }).ok),
    removal: removal.ok ? { may: true } : { may: false, reason: REASONS[removal.refusal.code] },
  };
}
