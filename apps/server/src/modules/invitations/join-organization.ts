import { isFirstHand } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { proveAccount } from '../accounts/reads.ts';
import { askToConfirm } from '../confirmations/reads.ts';
import { insertInvitedMember, lockInviter, selectJoined, useInvitation } from './invitations.sql.ts';
import { openInvitation } from './open-invitation.ts';

/** Joins with the account that is signed in under the invited address, and selects the organization. */
export const joinOrganization: Handler<'POST /api/invitations/{token}/join'> = async ({ db }, { actor, params }) => {
  const { org_id: orgId, id, email, org_name, tokenHash, mailed } = await openInvitation(db, params.token);
  if (actor.email !== email) throw new Refused({ code: 'wrong_account', invited: email });
  const { userId } = actor;
  await db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    const [, used] = await Promise.all([
      tx.maybeOne(lockInviter, { orgId }),
      tx.maybeOne(useInvitation, { orgId, id, tokenHash }),
    ]);
    if (!used) throw new Refused({ code: 'not_found', what: 'invitation' });
    const { role, invited_by: invitedBy, inviter_name } = used;
    // Who is a member by another way keeps the role they have.
    const joined = await tx.maybeOne(insertInvitedMember, { orgId, userId, role, invitedBy });
    const proves = mailed && !isFirstHand(actor.standing.provedBy);
    if (proves) tx.write(proveAccount, { userId, provedBy: 'mailbox' });
    const proposer = { orgId, proposer: { id: invitedBy, name: inviter_name }, recordedBy: by(actor) };
    const asked = joined ? await askToConfirm(tx, proposer, { id: userId, name: actor.name, email, role }) : [];
    const subject = { type: 'user' as const, id: userId };
    tx.write(selectJoined, { orgId, userId });
    tx.announce([{ subject: 'user', id: userId }]);
    appendAudit(tx, [
      { ...by(actor), action: 'invitation.accepted', subject: { type: 'invitation', id }, data: { email, role } },
      ...(joined ? [{ ...by(actor), action: 'member.joined' as const, subject, data: { role, invitedBy } }] : []),
      ...(proves
        ? [{ ...by(actor), action: 'account.address_proved' as const, subject, data: { by: 'mailbox' } }]
        : []),
      ...asked,
    ]);
  });
  return answer({ organization: { id: orgId, name: org_name } });
};
