import type { OrganizationSettings } from '@stet/contract';
import type { OrganizationRow } from './organizations.sql.ts';

/** The organization with its policies, as its members see it. */
export const presentOrganization = (row: OrganizationRow): OrganizationSettings => ({
  id: row.id,
  name: row.name,
  type: row.type,
  slug: row.slug,
  requiredApprovals: row.required_approvals,
  editorsMayHelp: row.editors_may_help,
  simulatedSteps: row.simulated_steps,
  simulatedWorkflows: row.simulated_workflows,
  pendingPolicy:
    row.pending_approvals === null || row.proposer === null || row.pending_proposed_at === null
      ? null
      : {
          requiredApprovals: row.pending_approvals,
          proposedBy: row.proposer,
          proposedAt: row.pending_proposed_at.toISOString(),
        },
  createdAt: row.created_at.toISOString(),
});
