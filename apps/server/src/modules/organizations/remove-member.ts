import { decideRemoval, withheldPermissions } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, granted } from '../../kernel/refused.ts';
import { endTokensOf } from '../api-tokens/reads.ts';
import { membersConcerned } from './members-concerned.ts';
import { deleteMembership, endSessionsIn, leaveSelected } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/**
 * Removes a member, or leaves. Who leaves goes on in another organization of theirs. Who is removed while they work here is
 * signed out: what they were about to save would otherwise land in another organization without a word. Their personal tokens
 * end in either case, also for when they come back; the organization's own that they made end too, unless the manager who
 * removes them takes those over.
 */
export const removeMember: Handler<'DELETE /api/organizations/{id}/users/{userId}'> = async (
  { db },
  { actor, params, body },
) => {
  const orgId = selected(actor, params.id);
  const { userId } = params;
  const leaves = userId === actor.userId;
  const takesOver = body?.takeOverTokens === true;
  if (leaves && takesOver)
    throw new Refused({
      code: 'invalid',
      problems: [
        { field: 'takeOverTokens', problem: 'Another owner or admin can take your tokens over by removing you' },
      ],
    });
  await db.transaction(actor, async (tx) => {
    // In one flush, behind the lock of the organization; a refusal undoes it.
    const [concerned, { taken, revoked }] = await Promise.all([
      membersConcerned(tx, { orgId, actorId: actor.userId, targetId: userId }),
      endTokensOf(tx, { orgId, userId, takenOverBy: takesOver ? actor.userId : null }),
    ]);
    granted(decideRemoval(concerned));
    if (!leaves && withheldPermissions(actor.standing).includes('org.manage')) {
      const from = actor.standing.secondManagerUntil;
      throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'proof', from, who: [] });
    }
    tx.write(deleteMembership, { orgId, userId });
    if (!leaves) tx.write(endSessionsIn, { orgId, userId });
    tx.write(leaveSelected, { orgId, userId });
    const { name, email, role } = concerned.target;
    const subject = { type: 'user' as const, id: userId };
    appendAudit(tx, [
      { ...by(actor), action: leaves ? 'member.left' : 'member.removed', subject, data: { name, email, role } },
      ...taken.map(({ id, ...token }) => ({
        ...by(actor),
        action: 'token.taken_over' as const,
        subject: { type: 'token' as const, id },
        data: { ...token, before: { ownerId: userId }, after: { ownerId: actor.userId } },
      })),
      ...revoked.map(({ id, ...token }) => ({
        ...by(actor),
        action: 'token.revoked' as const,
        subject: { type: 'token' as const, id },
        data: { ...token, because: leaves ? 'member_left' : 'member_removed' },
      })),
    ]);
  });
  return answer({ message: leaves ? 'You have left the organization' : 'Removed' });
};
