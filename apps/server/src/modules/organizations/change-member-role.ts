import { decideRoleChange } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { membersConcerned } from './members-concerned.ts';
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
      tx.write(setMemberRole, { orgId, userId, role: to });
      const data = { name, email, before: { role }, after: { role: to } };
      appendAudit(tx, [{ ...by(actor), action: 'member.role_changed', subject: { type: 'user', id: userId }, data }]);
    }
    return answer({ id, name, email, role: to });
  });
};
