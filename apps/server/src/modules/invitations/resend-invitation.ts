import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { selected } from '../../http/selected.ts';
import { appendAudit } from '../audit/index.ts';
import { assertMaySend } from './may-send.ts';
import { tokenHashes } from './invitation-link.ts';
import { linked, unlinked } from './invitation.presenter.ts';
import { findPendingInvitation, lockInviter, renewInvitation } from './invitations.sql.ts';

/**
 * Sends an invitation again with new links and a new expiry time. The actor becomes its sender, and the old links
 * become invalid.
 */
export const resendInvitation: Handler<'POST /api/organizations/{id}/invitations/{invitationId}/resend'> = async (
  deps,
  { actor, params, once },
) => {
  const orgId = selected(actor, params.id);
  const id = params.invitationId;
  const resend = async (tx: Tx) => {
    await tx.maybeOne(lockInviter, { orgId });
    const found = await tx.maybeOne(findPendingInvitation, { orgId, id });
    if (!found) throw new Refused({ code: 'not_found', what: 'invitation' });
    await assertMaySend(tx, actor);
    const generation = found.generation + 1;
    const hashes = tokenHashes(deps, { id, generation });
    const renewed = await tx.maybeOne(renewInvitation, { orgId, id, generation, ...hashes, invitedBy: actor.userId });
    if (!renewed) throw new Refused({ code: 'not_found', what: 'invitation' });
    enqueueJobs(tx, [{ task: 'send_invitation', payload: { orgId, id, generation } }]);
    const { email, role } = found;
    appendAudit(tx, [
      { ...auditActor(actor), action: 'invitation.resent', subject: { type: 'invitation', id }, data: { email, role } },
    ]);
    const inviter = { inviter_id: actor.userId, inviter_name: actor.name, inviter_email: actor.email };
    return answer(unlinked({ ...found, ...renewed, ...inviter, generation, expired: false }));
  };
  const saved = await deps.db.changeOnce(actor, once, resend, { isRepeatable: true });
  deps.pokeOutbox();
  return answer(linked(deps, saved.body));
};
