import type { User } from '@stet/contract';
import type { Actor } from '../../kernel/actor.ts';

/** The user object of the API (specification, section 3). */
export const presentUser = (actor: Actor): User => ({
  id: actor.userId,
  email: actor.email,
  name: actor.name,
  role: actor.role,
  currentOrgId: actor.orgRole === null ? null : actor.orgId,
  orgRole: actor.orgRole,
  orgPermissions: [...actor.permissions],
  organizations: actor.organizations,
  customRoleId: null,
});
