import type { Member } from '@stet/contract';
import { ORG_ROLES, decideRemoval, decideRoleChange } from '@stet/domain/access';
import type { MembershipDecision } from '@stet/domain/access';

/** What the user may do with one member. `reason`: why not, as a sentence. */
type MemberAbilities = {
  /** The roles to choose from, including the current one; only that one if there is no choice. */
  roles: readonly Member['role'][];
  removal: { may: true } | { may: false; reason: string };
};

const REASONS = {
  last_owner: 'The last owner stays: make someone else an owner first.',
  owners_only: 'Only an owner changes or removes an owner.',
  forbidden: 'Only owners and admins change members.',
} satisfies Record<Extract<MembershipDecision, { ok: false }>['refusal']['code'], string>;

type Membership = Pick<Member, 'id' | 'role'>;

/** By the server's rules (rulings, section 3); the server checks again. */
export function memberAbilities(actor: Membership, target: Membership, all: readonly Membership[]): MemberAbilities {
  const question = { actor, target, owners: all.filter(({ role }) => role === 'owner').length };
  const removal = decideRemoval(question);
  return {
    roles: ORG_ROLES.filter((to) => to === target.role || decideRoleChange({ ...question, to }).ok),
    removal: removal.ok ? { may: true } : { may: false, reason: REASONS[removal.refusal.code] },
  };
}
