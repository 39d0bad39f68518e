import type { SessionRecord, User } from '@stet/contract';
import { permissionsOf, withheldPermissions } from '@stet/domain/access';
import { type Actor, isInstallationAdmin } from '../../kernel/actor.ts';
import type { Deps } from '../../kernel/deps.ts';

/** The user object of the API (specification, section 3). */
export const presentUser = (config: Deps['config'], actor: Actor, organizations: User['organizations']): User => ({
  id: actor.userId,
  email: actor.email,
  name: actor.name,
  role: actor.role,
  currentOrgId: actor.orgRole === null ? null : actor.orgId,
  orgRole: actor.orgRole,
  orgPermissions: [...actor.permissions],
  provedBy: actor.standing.provedBy,
  withheldPermissions: withheldPermissions(actor.standing).filter((permission) =>
    permissionsOf({ orgRole: actor.orgRole, globalRole: actor.role }).includes(permission),
  ),
  organizations,
  ...(isInstallationAdmin(config, actor) && { isInstallationAdmin: true }),
  customRoleId: null,
});

type SessionRow = { id: string; created_at: Date; last_seen_at: Date; device: string };

export const presentSession = (
  { id, created_at, last_seen_at, device }: SessionRow,
  current: string,
): SessionRecord => ({
  id,
  createdAt: created_at.toISOString(),
  lastSeenAt: last_seen_at.toISOString(),
  device,
  current: id === current,
});
