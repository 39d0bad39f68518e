import { findActor } from '../../http/authenticate.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { setCurrentOrganization } from './accounts.sql.ts';
import { presentUser } from './user.presenter.ts';

/** Selects another of the user's organizations; all their later requests are about it (rulings, section 3). */
export const switchOrganization: Handler<'POST /api/users/switch-organization'> = async ({ db }, { actor, body }) => {
  const orgId = body.organizationId;
  if (!actor.organizations.some(({ id }) => id === orgId)) throw new Refused({ code: 'not_a_member' });
  await db.query(setCurrentOrganization, { userId: actor.userId, orgId });
  const switched = await findActor(db, actor.sessionId);
  if (!switched) throw new Refused({ code: 'session_ended' });
  return answer(presentUser(switched));
};
