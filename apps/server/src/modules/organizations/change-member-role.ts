import { decideRoleChange, roleHas } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { membersConcerned } from './members-concerned.ts';
import { askToConfirm, proposerOf } from '../confirmations/index.ts';
import { revokeSentInvitations } from '../invitations/index.ts';
import { setMemberRole } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/**
 * Changes a member's role with effect from their next request. If the new role can't send invitations, revokes the
 * pending ones that they have sent.
 */
export const changeMemberRole: Handler<'PATCH /api/organizations/{id}/users/{userId}'> = async (
  { db },
  { actor, params, body },
) => {
  const orgId = selected(actor, params.id);
  const { userId } = params;
  const to = body.role;
  return db.transaction(actor, async (tx) => {
    const concerned = await membersConcerned(tx, { orgId, actorId: actor.userId, targetId: userId });
    unwrap(decideRoleChange({ ...concerned, to }));
    const { id, name, email, role } = concerned.target;
    if (role === to) return answer({ id, name, email, role, revokedInvitations: 0 });
    tx.write(setMemberRole, { orgId, userId, role: to, givenBy: actor.userId });
    const asked = await askToConfirm(tx, proposerOf(actor), { id, name, email, role: to });
    const { revoked: revokedInvitations, records } = roleHas(to, 'org.manage')
      ? { revoked: [], records: [] }
      : await revokeSentInvitations(tx, actor, { senderId: userId, because: 'role_changed' });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'member.role_changed',
        subject: { type: 'user', id: userId },
        data: { name, email, before: { role }, after: { role: to } },
        context: { name, from: role, to, revokedInvitations },
      },
      ...asked,
      ...records,
    ]);
    return answer({ id, name, email, role: to, revokedInvitations: revokedInvitations.length });
  });
};
