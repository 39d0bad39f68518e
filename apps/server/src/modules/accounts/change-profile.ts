import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { lockUser, setName } from './accounts.sql.ts';
import { describeUser } from './describe-user.ts';

export const changeProfile: Handler<'PATCH /api/users/me'> = async (deps, { actor, body }) => {
  const { db } = deps;
  const { userId, orgId } = actor;
  await db.transaction(orgId ? { orgId, userId, asks: 'session' } : null, async (tx) => {
    const user = await tx.maybeOne(lockUser, { userId });
    if (!user || user.name === body.name) return;
    tx.write(setName, { userId, name: body.name });
    const data = { before: { name: user.name }, after: { name: body.name } };
    if (orgId)
      appendAudit(tx, [
        { ...auditActor(actor), action: 'account.profile_changed', subject: { type: 'user', id: userId }, data },
      ]);
  });
  const changed = await findActor(db, actor.sessionId);
  if (!changed) throw new Refused({ code: 'session_ended' });
  return answer(await describeUser(deps, changed));
};
