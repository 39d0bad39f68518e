import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { revokeInvitation as revoke } from './invitations.sql.ts';
import { selected } from '../../http/selected.ts';

/** Revokes a pending invitation. Its links become invalid. */
export const revokeInvitation: Handler<'DELETE /api/organizations/{id}/invitations/{invitationId}'> = async (
  { db },
  { actor, params },
) => {
  const orgId = selected(actor, params.id);
  const id = params.invitationId;
  await db.transaction(actor, async (tx) => {
    const revoked = await tx.maybeOne(revoke, { orgId, id });
    if (!revoked) throw new Refused({ code: 'not_found', what: 'invitation' });
    appendAudit(tx, [
      { ...auditActor(actor), action: 'invitation.revoked', subject: { type: 'invitation', id }, data: revoked },
    ]);
  });
  return answer({ message: 'Invitation revoked' });
};
