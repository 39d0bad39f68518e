import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findMembersConcerned, lockOrganization } from './organizations.sql.ts';

/** Locks the organization, and then reads the actor, the member concerned, and the number of owners. */
export async function membersConcerned(
  tx: Tx,
  { orgId, actorId, targetId }: { orgId: string; actorId: string; targetId: string },
) {
  await tx.maybeOne(lockOrganization, { orgId });
  const members = await tx.many(findMembersConcerned, { orgId, actorId, targetId });
  const actor = members.find(({ id }) => id === actorId);
  const target = members.find(({ id }) => id === targetId);
  // The actor's membership may have ended during the request.
  if (!actor) throw new Refused({ code: 'forbidden' });
  if (!target) throw new Refused({ code: 'not_found', what: 'member' });
  return { actor, target, owners: target.owners };
}
