import { isFirstHand } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { proveAccount } from '../accounts/index.ts';
import { askToConfirm } from '../confirmations/index.ts';
import { insertInvitedMember, lockInviter, selectJoined, useInvitation } from './invitations.sql.ts';
import { openInvitation } from './open-invitation.ts';

/** Adds the signed-in account as a member if it has the invited address, and selects the organization. */
export const joinOrganization: Handler<'POST /api/invitations/{token}/join'> = async ({ db }, { actor, params }) => {
  const { org_id: orgId, id, email, org_name, tokenHash, mailed } = await openInvitation(db, params.token);
  if (actor.email !== email) throw new Refused({ code: 'wrong_account', invited: email });
  const { userId } = actor;
  await db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    const [, used] = await Promise.all([
      tx.maybeOne(lockInviter, { orgId }),
      tx.maybeOne(useInvitation, { orgId, id, tokenHash, userId }),
    ]);
    if (!used) throw new Refused({ code: 'not_found', what: 'invitation' });
    const { role, invited_by: invitedBy, inviter_name, link_is_private: linkWasPrivate } = used;
    // A person who is already a member keeps their role.
    const joined = await tx.maybeOne(insertInvitedMember, { orgId, userId, role, invitedBy, linkWasPrivate });
    const proves = mailed && !isFirstHand(actor.standing.provedBy);
    if (proves) tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    const proposer = { orgId, proposer: { id: invitedBy, name: inviter_name }, recordedBy: auditActor(actor) };
    const member = { id: userId, name: actor.name, email, role, provesNow: mailed };
    const asked = joined ? await askToConfirm(tx, proposer, member) : [];
    const subject = { type: 'user' as const, id: userId };
    tx.write(selectJoined, { orgId, userId });
    tx.announce([{ subject: 'user', id: userId }]);
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'invitation.accepted',
        subject: { type: 'invitation', id },
        data: { email, role },
      },
      ...(joined
        ? [{ ...auditActor(actor), action: 'member.joined' as const, subject, data: { role, invitedBy } }]
        : []),
      ...(proves
        ? [{ ...auditActor(actor), action: 'account.address_proved' as const, subject, data: { by: 'mailbox' } }]
        : []),
      ...asked,
    ]);
  });
  return answer({ organization: { id: orgId, name: org_name } });
};
