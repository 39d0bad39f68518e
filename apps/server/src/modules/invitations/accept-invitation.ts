import type { OrgRole, Role } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { assertPasswordsAllowed } from '../accounts/index.ts';
import { appendAudit } from '../audit/index.ts';
import { askToConfirm } from '../confirmations/index.ts';
import {
  emailHasAccount,
  findPasswordMinimum,
  insertInvitedMember,
  insertInvitedUser,
  lockInviter,
  useInvitation,
} from './invitations.sql.ts';
import { openInvitation } from './open-invitation.ts';

/** The global role for each organization role. It never has more permissions than the organization role. */
const globalRoleOf = (role: OrgRole): Role => (role === 'owner' || role === 'admin' ? 'editor' : role);

/**
 * Creates the invited account and its membership. Each invitation can be used only once. People who already have an
 * account are asked to sign in and join.
 */
export const acceptInvitation: Handler<'POST /api/invitations/{token}/accept'> = async (deps, { params, body }) => {
  const { db, passwords } = deps;
  assertPasswordsAllowed(deps);
  const { org_id: orgId, id, email, org_name, tokenHash, mailed } = await openInvitation(db, params.token);
  const [[account], [policy]] = await Promise.all([
    db.query(emailHasAccount, { email }),
    db.query(findPasswordMinimum, { orgId }),
  ]);
  if (account) throw new Refused({ code: 'account_exists' });
  await passwords.assertGood(body.password, policy?.minimum);
  const passwordHash = await passwords.hash(body.password);
  const userId = newId();
  const { name } = body;

  await db
    .transaction({ orgId, userId, asks: 'session' }, async (tx) => {
      const [, used] = await Promise.all([
        tx.maybeOne(lockInviter, { orgId }),
        tx.maybeOne(useInvitation, { orgId, id, tokenHash, userId }),
      ]);
      if (!used) throw new Refused({ code: 'not_found', what: 'invitation' });
      const { role, invited_by: invitedBy, inviter_name, link_is_private: linkWasPrivate } = used;
      const provedBy = mailed ? 'mailbox' : null;
      tx.write(insertInvitedUser, { id: userId, email, name, role: globalRoleOf(role), passwordHash, orgId, provedBy });
      tx.write(insertInvitedMember, { orgId, userId, role, invitedBy, linkWasPrivate });
      const actor = { id: userId, name, email, kind: 'user' as const };
      const proposer = { orgId, proposer: { id: invitedBy, name: inviter_name }, recordedBy: { actor } };
      const asked = await askToConfirm(tx, proposer, { id: userId, name, email, role, provesNow: mailed });
      const data = { role, invitedBy, provedBy };
      appendAudit(tx, [
        { actor, action: 'invitation.accepted', subject: { type: 'invitation', id }, data: { email, role } },
        { actor, action: 'account.signed_up', subject: { type: 'user', id: userId }, data: { role } },
        { actor, action: 'member.joined', subject: { type: 'user', id: userId }, data },
        ...asked,
      ]);
    })
    .catch((error: unknown) => {
      // `email_taken` means that someone signed up with the address while the password was being hashed.
      throw error instanceof Refused && error.refusal.code === 'email_taken'
        ? new Refused({ code: 'account_exists' })
        : error;
    });
  return answer({ organization: { id: orgId, name: org_name } });
};
