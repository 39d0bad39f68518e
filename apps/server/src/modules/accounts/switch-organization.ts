import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { setCurrentOrganization } from './accounts.sql.ts';
import { describeUser, organizationsOf } from './describe-user.ts';

/** Selects another of the actor's organizations for all later requests. */
export const switchOrganization: Handler<'POST /api/users/switch-organization'> = async (deps, { actor, body }) => {
  const { db } = deps;
  const orgId = body.organizationId;
  const organizations = await organizationsOf(db, actor);
  if (!organizations.some(({ id }) => id === orgId)) throw new Refused({ code: 'not_a_member' });
  await db.transaction({ orgId, userId: actor.userId, asks: 'session' }, async (tx) => {
    tx.write(setCurrentOrganization, { userId: actor.userId, orgId });
    const subject = { type: 'user' as const, id: actor.userId };
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'session.organization_switched',
        subject,
        data: { from: actor.orgId, to: orgId },
      },
    ]);
  });
  const switched = await findActor(db, actor.sessionId);
  if (!switched) throw new Refused({ code: 'session_ended' });
  return answer(await describeUser(deps, switched));
};
