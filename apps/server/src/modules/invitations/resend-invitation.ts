import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { selected } from '../../http/selected.ts';
import { tokenHashes } from './invitation-link.ts';
import { linked, unlinked } from './invitation.presenter.ts';
import { findPendingInvitation, lockInviter, renewInvitation } from './invitations.sql.ts';

/** Sends an invitation again with a new link and a new expiry. The old link opens nothing any more. */
export const resendInvitation: Handler<'POST /api/organizations/{id}/invitations/{invitationId}/resend'> = async (
  deps,
  { actor, params, once },
) => {
  const orgId = selected(actor, params.id);
  const id = params.invitationId;
  const kept = await deps.db.changeOnce(actor, once, async (tx) => {
    await tx.maybeOne(lockInviter, { orgId });
    const found = await tx.maybeOne(findPendingInvitation, { orgId, id });
    if (!found) throw new Refused({ code: 'not_found', what: 'invitation' });
    const generation = found.generation + 1;
    const hashes = tokenHashes(deps, { id, generation });
    const renewed = await tx.maybeOne(renewInvitation, { orgId, id, generation, ...hashes });
    // Whoever holds the link may have accepted it between the two reads.
    if (!renewed) throw new Refused({ code: 'not_found', what: 'invitation' });
    leaveJobs(tx, [{ task: 'send_invitation', payload: { orgId, id, generation } }]);
    const { email, role } = found;
    appendAudit(tx, [
      { ...by(actor), action: 'invitation.resent', subject: { type: 'invitation', id }, data: { email, role } },
    ]);
    return answer(unlinked({ ...found, ...renewed, generation, expired: false }));
  });
  deps.pokeOutbox();
  return answer(linked(deps, kept.body));
};
