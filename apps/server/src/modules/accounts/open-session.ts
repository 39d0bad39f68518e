import type { Tx } from '../../kernel/database.ts';
import { findActor } from '../../http/authenticate.ts';
import type { Deps } from '../../kernel/deps.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { insertSession } from './accounts.sql.ts';
import { deviceOf } from './device-of.ts';
import { describeUser } from './describe-user.ts';

/** Inserts a session for the user, which is valid after `tx` has committed. */
export function openSession({ tokens }: Deps, tx: Tx, userId: string, userAgent: string): string {
  const sessionId = newId();
  tx.write(insertSession, {
    id: sessionId,
    userId,
    lifetimeSeconds: tokens.lifetimeSeconds,
    device: deviceOf(userAgent),
  });
  return sessionId;
}

export async function signedIn(deps: Deps, sessionId: string) {
  const actor = await findActor(deps.db, sessionId);
  if (!actor) throw new Refused({ code: 'session_ended' });
  const { userId, email, name, role } = actor;
  const token = await deps.tokens.sign({ userId, sessionId, email, name, role });
  return { token, user: await describeUser(deps, actor) };
}
