import type { Role } from '@stet/domain/access';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
import { appendAudit } from '../audit/index.ts';
import { insertMembership, insertOrganization, insertUser } from './accounts.sql.ts';
import { openSession } from './open-session.ts';

type NewAccount = {
  userId: string;
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
  organization: { id: string; name: string; type: 'individual' | 'team'; slug: string | null };
  userAgent: string;
  /** The identity provider through which the person signed up, if any. It proves the account, and the audit event names it. */
  origin?: { provider: string };
};

/** Inserts a person, an organization owned by that person, and the first session. Returns the id of the session. */
export function makeAccount(deps: Deps, tx: Tx, account: NewAccount): string {
  const { userId, email, name, role, passwordHash, organization, userAgent, origin } = account;
  const { id: orgId, type, slug } = organization;
  tx.write(insertUser, {
    id: userId,
    email,
    name,
    role,
    passwordHash,
    currentOrgId: orgId,
    provedBy: origin ? 'provider' : null,
  });
  tx.write(insertOrganization, { ...organization, requiredApprovals: type === 'team' ? 1 : 0, foundedBy: userId });
  tx.write(insertMembership, { orgId, userId, role: 'owner' });
  const sessionId = openSession(deps, tx, userId, userAgent);
  const actor = { id: userId, name, email, kind: 'user' as const };
  appendAudit(tx, [
    {
      actor,
      sessionId,
      action: 'organization.created',
      subject: { type: 'organization', id: orgId },
      data: { name: organization.name, type, slug },
    },
    {
      actor,
      sessionId,
      action: 'account.signed_up',
      subject: { type: 'user', id: userId },
      data: { role: 'owner', ...origin },
    },
  ]);
  return sessionId;
}
