import { decideRemoval, withheldPermissions } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { endTokensOf } from '../api-tokens/index.ts';
import { replaceWaiting } from '../confirmations/index.ts';
import { leaveDelegations } from '../delegations/index.ts';
import { leaveGroups } from '../groups/index.ts';
import { releaseHeld, releaserOf } from '../runs/index.ts';
import { revokeSentInvitations } from '../invitations/index.ts';
import { leaveWorkflows } from '../workflow-people/index.ts';
import { membersConcerned } from './members-concerned.ts';
import { deleteMembership, endSessionsIn, unselectOrganization } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/**
 * Removes a member, who may be the actor. Members who leave stay signed in, and continue in another of their
 * organizations. Members who are removed while working in this organization are signed out, because otherwise their
 * unsaved work would silently be saved in a different organization. In both cases, their personal tokens for this
 * organization end permanently. The organization's own tokens that they are responsible for end too, unless their
 * account is proved and the manager who removes them takes these tokens over. Their pending invitations are revoked.
 * They are removed from their groups, and as owners and reviewers of workflows. Delegations from and to them end. Steps
 * that they claimed or that were handed over to them are released, or handed over in the same transaction.
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
        { field: 'takeOverTokens', problem: 'Another owner or admin can take over your tokens by removing you' },
      ],
    });
  if (leaves && body?.handOver)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'handOver', problem: 'Hand your steps over one by one before you leave' }],
    });
  const handOver = body?.handOver && {
    to: body.handOver.to,
    reason: body.handOver.reason ?? null,
    managerId: actor.userId,
  };
  const revokedInvitations = await db.transaction(actor, async (tx) => {
    const because = leaves ? 'member_left' : 'member_removed';
    // These statements are sent together, and the first one locks the organization. A refusal rolls all of them back.
    const [concerned, { taken, revoked }, invitations, leftGroups, leftWorkflows, endedDelegations, saveReleased] =
      await Promise.all([
        membersConcerned(tx, { orgId, actorId: actor.userId, targetId: userId }),
        endTokensOf(tx, { orgId, userId, takenOverBy: takesOver ? actor.userId : null }),
        revokeSentInvitations(tx, actor, { senderId: userId, because }),
        leaveGroups(tx, actor, { userId, because }),
        leaveWorkflows(tx, actor, { userId, because }),
        leaveDelegations(tx, actor, { userId, because }),
        releaseHeld(tx, releaserOf(actor), { userId, because, handOver }),
      ]);
    unwrap(decideRemoval(concerned));
    if (!leaves && withheldPermissions(actor.standing).includes('org.manage')) {
      const from = actor.standing.secondManagerUntil;
      throw new Refused({ code: 'reviewer_not_counted_yet', missing: 'proof', from, who: [] });
    }
    tx.write(deleteMembership, { orgId, userId, endedBy: actor.userId });
    if (!leaves) tx.write(endSessionsIn, { orgId, userId });
    tx.write(unselectOrganization, { orgId, userId });
    // The person is no longer a member, so nobody has to confirm them any more.
    tx.write(replaceWaiting, { orgId, kind: 'member', subjectId: userId });
    const { name, email, role } = concerned.target;
    const subject = { type: 'user' as const, id: userId };
    // Events are written last, because they lock the head of the trail. The cascading deletes above may wait for rows
    // of other transactions, and those may be waiting for the head.
    saveReleased(name);
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: leaves ? 'member.left' : 'member.removed',
        subject,
        data: { name, email, role },
        context: { name, revokedInvitations: invitations.revoked },
      },
      ...taken.map(({ id, ...token }) => ({
        ...auditActor(actor),
        action: 'token.taken_over' as const,
        subject: { type: 'token' as const, id },
        data: { ...token, before: { ownerId: userId }, after: { ownerId: actor.userId } },
      })),
      ...revoked.map(({ id, ...token }) => ({
        ...auditActor(actor),
        action: 'token.revoked' as const,
        subject: { type: 'token' as const, id },
        data: { ...token, because },
      })),
      ...leftGroups({ id: userId, name, email }),
      ...leftWorkflows,
      ...endedDelegations,
      ...invitations.records,
    ]);
    return invitations.revoked;
  });
  const message = leaves ? 'You have left the organization' : 'Removed';
  return answer({ message, revokedInvitations: revokedInvitations.length });
};
