import type { Role } from '@stet/domain/access';
import { appendAudit } from '../../db/append-audit.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Deps } from '../../kernel/deps.ts';
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
  /** What the trail says of how they came, beside the role. */
  told?: { provider: string };
};

/** Writes a person, their organization with them as its owner, and their first session; answers its id. */
export function makeAccount(deps: Deps, tx: Tx, account: NewAccount): string {
  const { userId, email, name, role, passwordHash, organization, userAgent, told } = account;
  const { id: orgId, type, slug } = organization;
  tx.write(insertUser, {
    id: userId,
    email,
    name,
    role,
    passwordHash,
    currentOrgId: orgId,
    provedBy: told ? 'provider' : null,
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
      data: { role: 'owner', ...told },
    },
  ]);
  return sessionId;
}
