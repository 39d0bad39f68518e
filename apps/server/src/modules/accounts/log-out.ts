import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { endSession } from './accounts.sql.ts';

/** Ends this session at once, on every node: each request reads its session. */
export const logOut: Handler<'POST /api/auth/logout'> = async ({ db }, { actor }) => {
  await db.query(endSession, { id: actor.sessionId });
  return answer({ message: 'Logged out' });
};
