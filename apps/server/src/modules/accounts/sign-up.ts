import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { assertMaySignUp, assertStillMaySignUp } from './may-sign-up.ts';
import { makeAccount } from './new-account.ts';
import { signedIn } from './open-session.ts';
import { assertPasswordsAllowed } from './password-sign-in.ts';

/** Creates a person and an organization owned by that person: an individual one, or a team. */
export const signUp: Handler<'POST /api/auth/signup'> = async (deps, { body, userAgent }) => {
  assertPasswordsAllowed(deps);
  await assertMaySignUp(deps, body.email);
  const isTeam = body.accountType === 'organization';
  const { email, name } = body;
  const userId = newId();
  const id = newId();
  const organization = isTeam
    ? { id, name: body.organizationName ?? '', type: 'team' as const, slug: body.organizationSlug ?? null }
    : { id, name, type: 'individual' as const, slug: null };
  const role = isTeam ? body.role : 'editor';
  await deps.passwords.assertGood(body.password);
  const passwordHash = await deps.passwords.hash(body.password);
  const sessionId = await deps.db.transaction({ orgId: id, userId, asks: 'session' }, async (tx) => {
    await assertStillMaySignUp(deps, tx, email);
    return makeAccount(deps, tx, { userId, email, name, role, passwordHash, organization, userAgent });
  });
  return answer(await signedIn(deps, sessionId));
};
