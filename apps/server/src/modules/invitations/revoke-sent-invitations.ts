import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { revokeInvitationsOfAccount, revokeInvitationsOfSender } from './invitations.sql.ts';

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

/**
 * Revokes the pending invitations of a person whose account is or was disabled, in all organizations. The caller has
 * disabled or enabled the account, and appends the events.
 */
export async function revokeInvitationsOfDisabled(
  tx: Tx,
  senderId: string,
  actor: RecordedEvent['actor'],
): Promise<{ orgId: string; email: string; record: RecordedEvent }[]> {
  const revoked = await tx.many(revokeInvitationsOfAccount, { senderId });
  return revoked.map(({ org_id: orgId, id, email, role }) => ({
    orgId,
    email,
    record: {
      actor,
      action: 'invitation.revoked',
      subject: { type: 'invitation', id },
      data: { email, role, sentBy: senderId, because: 'account_disabled', by: 'administrator' },
    },
  }));
}
