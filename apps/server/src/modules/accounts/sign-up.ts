import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { insertMembership, insertOrganization, insertUser } from './accounts.sql.ts';
import { openSession, signedIn } from './open-session.ts';

/** Creates a person with their organization: an individual one, or a team (rulings, section 2). The founder is its owner. */
export const signUp: Handler<'POST /api/auth/signup'> = async (deps, { body, userAgent }) => {
  const isTeam = body.accountType === 'organization';
  const userId = newId();
  const orgId = newId();
  const organization = isTeam
    ? {
        id: orgId,
        name: body.organizationName ?? '',
        type: 'team',
        slug: body.organizationSlug ?? null,
        requiredApprovals: 1,
      }
    : { id: orgId, name: body.name, type: 'individual', slug: null, requiredApprovals: 0 };
  const passwordHash = await deps.passwords.hash(body.password);

  const sessionId = await deps.db.transaction({ orgId, userId, asks: 'session' }, async (tx) => {
    tx.write(insertUser, {
      id: userId,
      email: body.email,
      name: body.name,
      role: isTeam ? body.role : 'editor',
      passwordHash,
      currentOrgId: orgId,
    });
    tx.write(insertOrganization, organization);
    tx.write(insertMembership, { orgId, userId, role: 'owner' });
    const session = openSession(deps, tx, userId, userAgent);
    const actor = { id: userId, name: body.name, email: body.email, kind: 'user' as const };
    const { name, type, slug } = organization;
    appendAudit(tx, [
      {
        actor,
        sessionId: session,
        action: 'organization.created',
        subject: { type: 'organization', id: orgId },
        data: { name, type, slug },
      },
      {
        actor,
        sessionId: session,
        action: 'account.signed_up',
        subject: { type: 'user', id: userId },
        data: { role: 'owner' },
      },
    ]);
    return session;
  });
  return answer(await signedIn(deps, sessionId));
};
