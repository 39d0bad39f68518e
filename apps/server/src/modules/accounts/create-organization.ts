import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { insertMembership, insertOrganization, setCurrentOrganization } from './accounts.sql.ts';
import { describeUser } from './describe-user.ts';

/** Creates a team with the actor as its owner, and selects it. */
export const createOrganization: Handler<'POST /api/organizations'> = async (deps, { actor, body }) => {
  const { db } = deps;
  const { userId, sessionId } = actor;
  const orgId = newId();
  const { name, slug } = body;
  await db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    tx.write(insertOrganization, { id: orgId, name, type: 'team', slug, requiredApprovals: 1, foundedBy: userId });
    tx.write(insertMembership, { orgId, userId, role: 'owner' });
    tx.write(setCurrentOrganization, { userId, orgId });
    const subject = { type: 'organization' as const, id: orgId };
    tx.announce([{ subject: 'user', id: userId }]);
    appendAudit(tx, [
      { ...auditActor(actor), action: 'organization.created', subject, data: { name, type: 'team', slug } },
    ]);
  });
  const founder = await findActor(db, sessionId);
  if (!founder) throw new Refused({ code: 'session_ended' });
  return answer(await describeUser(deps, founder));
};
