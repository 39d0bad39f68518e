import { type Permission, roleHas, withheldPermissions } from '@stet/domain/access';
import type { OrgActor } from '../kernel/actor.ts';
import { Refused } from '../kernel/refused.ts';

/**
 * Refuses an actor without the permission, and says whether the role, the proof of the account or the token is the
 * reason.
 */
export function assertMay(actor: OrgActor, permission: Permission): void {
  if (actor.permissions.includes(permission)) return;
  if (roleHas(actor.orgRole, permission) && withheldPermissions(actor.standing).includes(permission)) {
    const from = actor.standing.secondManagerUntil;
    throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'proof', from, who: [] });
  }
  const isScope = actor.token !== null && roleHas(actor.orgRole, permission);
  throw new Refused(isScope ? { code: 'token_scope', permission } : { code: 'forbidden' });
}
