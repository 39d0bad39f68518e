import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { findSelectedOrganization, lockPassword } from './accounts.sql.ts';
import { findAccount } from './find-account.ts';
import { noteFailedSignIn } from './failed-sign-ins.ts';
import { openSession, signedIn } from './open-session.ts';
import { assertPasswordSignIn } from './password-sign-in.ts';

/** Signs in. An unknown address takes as long and gets the same response as a wrong password. */
export const logIn: Handler<'POST /api/auth/login'> = async (deps, { body, userAgent, address, headers }) => {
  const user = await findAccount(deps.db, body.email);
  assertPasswordSignIn(deps, user, headers.cookie);
  const matches = await deps.passwords.verify(user?.password_hash ?? null, body.password);
  if (!user || !matches) {
    noteFailedSignIn(deps, { userId: user?.id ?? null, address });
    throw new Refused({ code: 'bad_credentials' });
  }

  const [selected] = await deps.db.query(findSelectedOrganization, { userId: user.id });
  const orgId = selected?.org_id ?? null;
  const sessionId = await deps.db.transaction(
    orgId ? { orgId, userId: user.id, asks: 'session' } : null,
    async (tx) => {
      // If the password has changed in the meantime, the change has ended all other sessions, so the old password must
      // not open a new one.
      const locked = await tx.maybeOne(lockPassword, { userId: user.id, passwordHash: user.password_hash });
      if (!locked) throw new Refused({ code: 'bad_credentials' });
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
