import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { revokeInvitationsOfSender } from './invitations.sql.ts';

/**
 * Revokes the pending invitations of a person who can no longer send any, so that this person can't return with one of
 * them. The caller has locked the organization and appends the events.
 */
export async function revokeSentInvitations(
  tx: Tx,
  actor: OrgActor,
  { senderId, because }: { senderId: string; because: 'member_left' | 'member_removed' | 'role_changed' },
) {
  const revoked = await tx.many(revokeInvitationsOfSender, { orgId: actor.orgId, senderId });
  return {
    revoked: revoked.map(({ email, role }) => ({ email, role })),
    records: revoked.map(({ id, email, role }): RecordedEvent => ({
      ...auditActor(actor),
      action: 'invitation.revoked',
      subject: { type: 'invitation', id },
      data: { email, role, sentBy: senderId, because },
    })),
  };
}
