import { enqueueJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { selected } from '../../http/selected.ts';
import { appendAudit } from '../audit/index.ts';
import { assertMaySend } from './may-send.ts';
import { tokenHashes } from './invitation-link.ts';
import { linked, unlinked } from './invitation.presenter.ts';
import { findInvited, insertInvitation, lockInviter, revokeInvitation } from './invitations.sql.ts';

/** Invites an address with a role. Replaces a pending invitation for the same address. Refuses a member's address. */
export const invite: Handler<'POST /api/organizations/{id}/invitations'> = async (
  deps,
  { actor, params, body, once },
) => {
  const orgId = selected(actor, params.id);
  const { email, role } = body;
  const id = newId();
  const generation = 1;
  const saved = await deps.db.changeOnce(actor, once, async (tx) => {
    const organization = await tx.maybeOne(lockInviter, { orgId });
    if (organization?.type !== 'team') throw new Refused({ code: 'individual_organization' });
    const invited = await tx.maybeOne(findInvited, { orgId, email });
    if (invited?.is_member) throw new Refused({ code: 'already_member' });
    await assertMaySend(tx, actor);

    const subject = (of: string) => ({ type: 'invitation' as const, id: of });
    const records: RecordedEvent[] = [];
    if (invited?.pending_id) {
      const replaced = invited.pending_id;
      await tx.maybeOne(revokeInvitation, { orgId, id: replaced });
      records.push({
        ...auditActor(actor),
        action: 'invitation.revoked',
        subject: subject(replaced),
        data: { email, replacedBy: id },
      });
    }
    const hashes = tokenHashes(deps, { id, generation });
    const made = await tx.maybeOne(insertInvitation, { orgId, id, email, role, ...hashes, invitedBy: actor.userId });
    if (!made) throw new Error('an insert returned no row');
    enqueueJobs(tx, [{ task: 'send_invitation', payload: { orgId, id, generation } }]);
    appendAudit(tx, [
      ...records,
      { ...auditActor(actor), action: 'invitation.sent', subject: subject(id), data: { email, role } },
    ]);
    const inviter = { inviter_id: actor.userId, inviter_name: actor.name, inviter_email: actor.email };
    return answer(unlinked({ id, email, role, generation, ...made, ...inviter, expired: false }));
  });
  deps.pokeOutbox();
  return answer(linked(deps, saved.body));
};
