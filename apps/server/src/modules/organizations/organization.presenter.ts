import type { OrganizationSettings } from '@stet/contract';
import type { OrganizationRow } from './organizations.sql.ts';

/** The organization with its policies, as members see it. */
export const presentOrganization = (row: OrganizationRow): OrganizationSettings => ({
  id: row.id,
  name: row.name,
  type: row.type,
  slug: row.slug,
  requiredApprovals: row.required_approvals,
  editorsMayHelp: row.editors_may_help,
  simulatedSteps: row.simulated_steps,
  simulatedWorkflows: row.simulated_workflows,
  strict: row.strict,
  resolvedComments: row.resolved_comments,
  passwordMinimum: row.password_minimum,
  pendingPolicy: row.pending && {
    requiredApprovals: row.pending.requiredApprovals,
    proposedBy: row.pending.by,
    proposedAt: new Date(row.pending.at).toISOString(),
  },
  pendingStrictOff: row.pending_strict && {
    proposedBy: row.pending_strict.by,
    proposedAt: new Date(row.pending_strict.at).toISOString(),
  },
  createdAt: row.created_at.toISOString(),
});
