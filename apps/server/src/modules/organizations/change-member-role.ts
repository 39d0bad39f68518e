import { PERMISSIONS, decideRoleChange } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { membersConcerned } from './members-concerned.ts';
import { leaveNotices } from '../../db/notices.ts';
import { newId } from '../../kernel/ids.ts';
import { askToConfirm, proposerOf } from '../confirmations/reads.ts';
import { setMemberRole } from './organizations.sql.ts';
import { selected } from '../../http/selected.ts';

/** Gives a member another role; their next request has it. */
export const changeMemberRole: Handler<'PATCH /api/organizations/{id}/users/{userId}'> = async (
  { db },
  { actor, params, body },
) => {
  const orgId = selected(actor, params.id);
  const { userId } = params;
  const to = body.role;
  return db.transaction(actor, async (tx) => {
    const concerned = await membersConcerned(tx, { orgId, actorId: actor.userId, targetId: userId });
    granted(decideRoleChange({ ...concerned, to }));
    const { id, name, email, role } = concerned.target;
    if (role !== to) {
      tx.write(setMemberRole, { orgId, userId, role: to, givenBy: actor.userId });
      const asked = await askToConfirm(tx, proposerOf(actor), { id, name, email, role: to });
      const change = `from ${role} to ${to}`;
      leaveNotices(tx, orgId, [
        {
          source: `role_changed:${newId()}`,
          kind: 'role_changed',
          title: `Role changed ${change}`,
          body: `${isolated(actor.name)} changed the role of ${isolated(name)} ${change}.`,
          to: { userIds: [userId], roles: PERMISSIONS['org.manage'], exceptIds: [actor.userId] },
        },
      ]);
      const data = { name, email, before: { role }, after: { role: to } };
      appendAudit(tx, [
        { ...by(actor), action: 'member.role_changed', subject: { type: 'user', id: userId }, data },
        ...asked,
      ]);
    }
    return answer({ id, name, email, role: to });
  });
};
