import type { OrgRole, Role } from './roles.ts';

const ALL = ['owner', 'admin', 'editor', 'reviewer', 'viewer'] as const;

/** The organization roles that have each permission. Server and UI read only this table. */
export const PERMISSIONS = {
  /** See workflows, versions, runs and their history. */
  'workflow.read': ALL,
  /**
   * Create, edit, import, duplicate, rebase, submit and withdraw drafts, and try scripts. `discard` in `drafts` decides
   * who may discard a draft.
   */
  'draft.edit': ['owner', 'admin', 'editor'],
  'draft.comment': ['owner', 'admin', 'editor', 'reviewer'],
  /** Approve and request changes; `canApprove` in `drafts` decides for each draft. */
  'draft.review': ['owner', 'admin', 'reviewer'],
  /**
   * Merge, roll back to an earlier version, and change a workflow's escalation. List confirmations, and refuse one or
   * withdraw one's own.
   */
  'draft.merge': ['owner', 'admin', 'reviewer'],
  'workflow.archive': ['owner', 'admin'],
  /** Delete a workflow that was never merged and has no runs. */
  'workflow.archive_unmerged': ['owner', 'admin', 'editor'],
  'run.start': ['owner', 'admin', 'editor', 'reviewer'],
  /** Pause, resume, cancel, retry. */
  'run.control': ['owner', 'admin', 'editor', 'reviewer'],
  /** Write notes on runs and their steps. A note changes nothing, so everyone who sees runs can take part. */
  'run.note': ALL,
  /**
   * Act on a step without names that isn't an approval. Help on a step that names someone, if the organization allows
   * it.
   */
  'step.act_any': ['owner', 'admin', 'editor'],
  /** Decide an approval step without names. */
  'step.act_approval': ['owner', 'admin', 'reviewer'],
  /**
   * Act in place of a step's assignees, without a delegation. On an approval step, only if there are too few assignees
   * or the step is long overdue. Also reassign and release manual steps of others.
   */
  'step.stand_in': ['owner', 'admin'],
  /** Act on a step that names the person, their role or one of their groups. */
  'step.act_assigned': ALL,
  /** Read, verify and export the audit trail, and export certificates. */
  'audit.export': ['owner', 'admin', 'editor'],
  /**
   * Manage the organization: members, invitations, groups, integrations, webhooks, its API tokens, policies, routes,
   * working hours and confirmations; also a workflow's tags, owners and reviewers.
   */
  'org.manage': ['owner', 'admin'],
} as const satisfies Record<string, readonly OrgRole[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Every permission, in the order of the table. */
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

/** True if the role has the permission. */
export function roleHas(role: OrgRole, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly OrgRole[]).includes(role);
}

/**
 * Returns the person's permissions in the selected organization, in the order of the table. The global role applies
 * only if the person has no organization role (decision 7). Without either role there are none. The caller has already
 * checked that the person may select the organization.
 */
export function permissionsOf(person: { orgRole: OrgRole | null; globalRole: Role | null }): Permission[] {
  const role: OrgRole | null = person.orgRole ?? person.globalRole;
  return role === null ? [] : PERMISSION_NAMES.filter((permission) => roleHas(role, permission));
}
