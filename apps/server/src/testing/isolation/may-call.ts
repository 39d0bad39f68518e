import type { ContractKey } from '@stet/contract';
import type { Permission } from '@stet/domain/access';
import { ACCESS_TABLE } from './access-table.ts';
import type { Standing } from './principals.ts';

/** The roles that have each permission. They are repeated here, so that a mistake in the product's table is found. */
const HOLDERS: Record<Permission, string> = {
  'workflow.read': 'owner admin editor reviewer viewer',
  'draft.edit': 'owner admin editor',
  'draft.comment': 'owner admin editor reviewer',
  'draft.review': 'owner admin reviewer',
  'draft.merge': 'owner admin reviewer',
  'workflow.archive': 'owner admin',
  'workflow.archive_unmerged': 'owner admin editor',
  'run.start': 'owner admin editor reviewer',
  'run.control': 'owner admin editor reviewer',
  'run.note': 'owner admin editor reviewer viewer',
  'step.act_any': 'owner admin editor',
  'step.act_approval': 'owner admin reviewer',
  'step.stand_in': 'owner admin',
  'step.act_assigned': 'owner admin editor reviewer viewer',
  'audit.export': 'owner admin editor',
  'org.manage': 'owner admin',
};
const NEVER_OF_TOKENS: Record<'personal' | 'organization', readonly Permission[]> = {
  personal: ['org.manage'],
  organization: ['org.manage', 'draft.review', 'step.act_approval', 'step.stand_in'],
};

/** True if this caller has the permission by the tables above. */
export function holds(standing: Standing, permission: Permission): boolean {
  if (standing.kind === 'nobody' || standing.kind === 'no_organization') return false;
  if (!HOLDERS[permission].split(' ').includes(standing.role)) return false;
  if (standing.kind === 'person') return true;
  return standing.scopes.includes(permission) && !NEVER_OF_TOKENS[standing.kind].includes(permission);
}

const groupOf = new Map(ACCESS_TABLE.flatMap((group) => group.routes.map((key) => [key, group] as const)));

/**
 * True if this caller passes the route's permission check. The use case may still respond that something doesn't exist.
 */
export function canCall(standing: Standing, key: ContractKey): boolean {
  const group = groupOf.get(key);
  if (!group) throw new Error(`the access table is missing ${key}`);
  const { access, tokens } = group;
  if (access === 'public') return true;
  if (standing.kind === 'nobody') return false;
  if (tokens === 'none' && (standing.kind === 'personal' || standing.kind === 'organization')) return false;
  if (tokens === 'personal' && standing.kind === 'organization') return false;
  if (access === 'installation') return false;
  return access === 'session' || holds(standing, access);
}

const MANUAL: readonly ContractKey[] = [
  'POST /api/runs/{id}/complete',
  'POST /api/runs/{runId}/steps/{stepId}/complete',
  'POST /api/runs/{runId}/steps/{stepId}/skip',
];
const VOTES: readonly ContractKey[] = [
  'POST /api/runs/{id}/steps/{stepId}/approve',
  'POST /api/runs/{id}/steps/{stepId}/reject',
];
const REVIEWS: readonly ContractKey[] = [
  'POST /api/workflows/{key}/drafts/{id}/approve',
  'POST /api/workflows/{key}/drafts/{id}/withdraw-approval',
  'POST /api/workflows/{key}/drafts/{id}/request-changes',
];

/**
 * Like `canCall`, but also checks the permissions that a route requires only after it has read Zephyrine's data. No
 * step in that data is assigned to one of the callers.
 */
export function canDo(standing: Standing, key: ContractKey): boolean {
  if (!canCall(standing, key)) return false;
  if (MANUAL.includes(key)) return holds(standing, 'step.act_any');
  if (VOTES.includes(key)) return holds(standing, 'step.act_any') || holds(standing, 'step.act_approval');
  if (REVIEWS.includes(key)) return holds(standing, 'draft.review');
  if (key === 'DELETE /api/workflows/{key}') return holds(standing, 'workflow.archive');
  if (key === 'DELETE /api/organizations/{id}/users/{userId}') return holds(standing, 'org.manage');
  return true;
}
