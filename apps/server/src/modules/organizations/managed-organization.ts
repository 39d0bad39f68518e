import { type FormerManager, PERMISSIONS, POLICY_COOLING, type PendingPolicy } from '@stet/domain/access';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { type OrganizationRow, listFormerManagers, listManagers, lockOrganization } from './organizations.sql.ts';

/** Locks the organization and reads its owners and admins and the change that waits, as all that is now. */
export async function managedOrganization(
  tx: Tx,
  orgId: string,
): Promise<{ row: OrganizationRow; managers: string[]; former: FormerManager[]; pending: PendingPolicy | null }> {
  const [row, managers, former] = await Promise.all([
    tx.maybeOne(lockOrganization, { orgId }),
    tx.many(listManagers, { orgId, roles: PERMISSIONS['org.manage'] }),
    tx.many(listFormerManagers, { orgId, roles: PERMISSIONS['org.manage'], cooling: POLICY_COOLING }),
  ]);
  if (!row) throw new Refused({ code: 'not_found', what: 'organization' });
  const pending =
    row.pending_approvals === null || row.proposer === null
      ? null
      : { requiredApprovals: row.pending_approvals, proposedBy: row.proposer.id };
  return {
    row,
    managers: managers.map(({ id }) => id),
    former: former.map(({ at, ...person }) => ({ ...person, at: at.getTime() })),
    pending,
  };
}

/** The row as it is once nothing waits any more. */
export const withoutProposal = (row: OrganizationRow): OrganizationRow => ({
  ...row,
  pending_approvals: null,
  pending_proposed_at: null,
  proposer: null,
});
