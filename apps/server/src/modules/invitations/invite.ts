import { isFirstHand } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveJobs } from '../../db/outbox.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { selected } from '../../http/selected.ts';
import { tokenHashes } from './invitation-link.ts';
import { linked, unlinked } from './invitation.presenter.ts';
import { countInvitations, findInvited, insertInvitation, lockInviter, revokeInvitation } from './invitations.sql.ts';

/** So many mails at most reach strangers from an account whose own address nobody has proved. */
const UNPROVED_INVITATIONS = 10;

/** Invites an address with a role. A pending invitation of the same address gives way; a member needs none. */
export const invite: Handler<'POST /api/organizations/{id}/invitations'> = async (
  deps,
  { actor, params, body, once },
) => {
  const orgId = selected(actor, params.id);
  const { email, role } = body;
  const id = newId();
  const generation = 1;
  const kept = await deps.db.changeOnce(actor, once, async (tx) => {
    const organization = await tx.maybeOne(lockInviter, { orgId });
    if (organization?.type !== 'team') throw new Refused({ code: 'individual_organization' });
    const invited = await tx.maybeOne(findInvited, { orgId, email });
    if (invited?.is_member) throw new Refused({ code: 'already_member' });
    if (!isFirstHand(actor.standing.provedBy)) {
      const count = await tx.maybeOne(countInvitations, { userId: actor.userId });
      if (count && count.sent >= UNPROVED_INVITATIONS)
        throw new Refused({ code: 'too_many_invitations', most: UNPROVED_INVITATIONS });
    }

    const subject = (of: string) => ({ type: 'invitation' as const, id: of });
    const records: AuditRecord[] = [];
    if (invited?.pending_id) {
      const replaced = invited.pending_id;
      await tx.maybeOne(revokeInvitation, { orgId, id: replaced });
      records.push({
        ...by(actor),
        action: 'invitation.revoked',
        subject: subject(replaced),
        data: { email, replacedBy: id },
      });
    }
    const hashes = tokenHashes(deps, { id, generation });
    const made = await tx.maybeOne(insertInvitation, { orgId, id, email, role, ...hashes, invitedBy: actor.userId });
    if (!made) throw new Error('an insert answered no row');
    leaveJobs(tx, [{ task: 'send_invitation', payload: { orgId, id, generation } }]);
    appendAudit(tx, [
      ...records,
      { ...by(actor), action: 'invitation.sent', subject: subject(id), data: { email, role } },
    ]);
    const inviter = { inviter_id: actor.userId, inviter_name: actor.name, inviter_email: actor.email };
    return answer(unlinked({ id, email, role, generation, ...made, ...inviter, expired: false }));
  });
  deps.pokeOutbox();
  return answer(linked(deps, kept.body));
};
