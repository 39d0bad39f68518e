import { decideRemoval } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { membersConcerned } from './members-concerned.ts';
import { deleteMembership, endSessionsIn, leaveSelected } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/**
 * Removes a member, or leaves. Who leaves goes on in another organization of theirs. Who is removed while they work here is
 * signed out: what they were about to save would otherwise land in another organization without a word.
 */
export const removeMember: Handler<'DELETE /api/organizations/{id}/users/{userId}'> = async (
  { db },
  { actor, params },
) => {
  const orgId = selected(actor, params.id);
  const { userId } = params;
  const leaves = userId === actor.userId;
  await db.transaction(actor, async (tx) => {
    const concerned = await membersConcerned(tx, { orgId, actorId: actor.userId, targetId: userId });
    granted(decideRemoval(concerned));
    tx.write(deleteMembership, { orgId, userId });
    if (!leaves) tx.write(endSessionsIn, { orgId, userId });
    tx.write(leaveSelected, { orgId, userId });
    const { name, email, role } = concerned.target;
    const subject = { type: 'user' as const, id: userId };
    appendAudit(tx, [
      { ...by(actor), action: leaves ? 'member.left' : 'member.removed', subject, data: { name, email, role } },
    ]);
  });
  return answer({ message: leaves ? 'You have left the organization' : 'Removed' });
};
