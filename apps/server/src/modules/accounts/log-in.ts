import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { findLogin, findSelectedOrganization, holdPassword } from './accounts.sql.ts';
import { openSession, signedIn } from './open-session.ts';

/** Signs in. An unknown address costs the same time and gets the same answer as a wrong password. */
export const logIn: Handler<'POST /api/auth/login'> = async (deps, { body, userAgent }) => {
  const [user] = await deps.db.query(findLogin, { email: body.email.trim().toLowerCase() });
  const matches = await deps.passwords.verify(user?.password_hash ?? null, body.password);
  if (!user || !matches) throw new Refused({ code: 'bad_credentials' });

  const [selected] = await deps.db.query(findSelectedOrganization, { userId: user.id });
  const orgId = selected?.org_id ?? null;
  const sessionId = await deps.db.transaction(
    orgId ? { orgId, userId: user.id, asks: 'session' } : null,
    async (tx) => {
      // Whoever set another password meanwhile has ended all sessions: this one must not come after.
      const held = await tx.maybeOne(holdPassword, { userId: user.id, passwordHash: user.password_hash });
      if (!held) throw new Refused({ code: 'bad_credentials' });
      const session = openSession(deps, tx, user.id, userAgent);
      if (orgId) {
        const actor = { id: user.id, name: user.name, email: user.email, kind: 'user' as const };
        appendAudit(tx, [
          { actor, sessionId: session, action: 'session.signed_in', subject: { type: 'user', id: user.id }, data: {} },
        ]);
      }
      return session;
    },
  );
  return answer(await signedIn(deps, sessionId));
};
