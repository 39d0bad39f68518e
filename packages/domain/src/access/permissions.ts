import { assignedOrgRole } from '../workflows/assignee.ts';
import type { Step } from '../workflows/step.ts';
import type { OrgRole, Role } from './roles.ts';

const ALL = ['owner', 'admin', 'editor', 'reviewer', 'viewer'] as const;

/**
 * Who may do what (rulings, section 3): for each permission the organization roles that have it. Server and UI read this
 * table and no other.
 */
export const PERMISSIONS = {
  /** See workflows, versions, runs and their history. */
  'workflow.read': ALL,
  /** Create or edit a draft, import, duplicate, submit, withdraw, discard one's own. */
  'draft.edit': ['owner', 'admin', 'editor'],
  'draft.comment': ['owner', 'admin', 'editor', 'reviewer'],
  /** Approve and request changes; `mayApprove` in the drafts room says on which drafts. */
  'draft.review': ['owner', 'admin', 'reviewer'],
  /** Merge, and roll back to an earlier version. */
  'draft.merge': ['owner', 'admin', 'reviewer'],
  'workflow.archive': ['owner', 'admin'],
  /** Archive a workflow of which nothing was ever merged. */
  'workflow.archive_unmerged': ['owner', 'admin', 'editor'],
  'run.start': ['owner', 'admin', 'editor', 'reviewer'],
  /** Pause, resume, cancel, retry. */
  'run.control': ['owner', 'admin', 'editor', 'reviewer'],
  /** Act on whichever step is active. */
  'step.act_any': ['owner', 'admin', 'editor'],
  /** Act on whichever approval step is active. */
  'step.act_approval': ['owner', 'admin', 'editor', 'reviewer'],
  /** Act on a step that one is assigned to, in person or by role. */
  'step.act_assigned': ALL,
  /** Export the audit as PDF and as data. */
  'audit.export': ['owner', 'admin', 'editor'],
  /** Members, invitations, integrations, policies. */
  'org.manage': ['owner', 'admin'],
} as const satisfies Record<string, readonly OrgRole[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Every permission, in the order of the table. */
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

/** True when the role has the permission. */
export function roleHas(role: OrgRole, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly OrgRole[]).includes(role);
}

/**
 * What a person may do in the selected organization, in the order of the table. The global role counts only where there is
 * no organization role (rulings, section 2); with neither there is no permission. That the person may select the
 * organization at all is decided before this.
 */
export function permissionsOf(person: { orgRole: OrgRole | null; globalRole: Role | null }): Permission[] {
  const role: OrgRole | null = person.orgRole ?? person.globalRole;
  return role === null ? [] : PERMISSION_NAMES.filter((permission) => roleHas(role, permission));
}

/** Who wants to act: the e-mail and the organization role, or the global role where there is none. */
type StepActor = { id: string; email: string; orgRole: OrgRole | null };

/** What decides who may act on a step; a whole `Step` fits. */
type ActionableStep = Pick<Step, 'type' | 'assignee' | 'config'>;

/**
 * True when the person may act on the step (rulings, section 3): by a permission that covers it, or as its assignee by
 * e-mail, or as a holder of the role that its assignee or `config.assignedRole` names. Texts are compared without regard
 * to upper case and white space around them. Whether this person may cast this vote is for the runs room to say.
 */
export function mayActOnStep(input: {
  permissions: readonly Permission[];
  user: StepActor;
  step: ActionableStep;
}): boolean {
  const { permissions, user, step } = input;
  if (permissions.includes('step.act_any')) return true;
  if (step.type === 'approval' && permissions.includes('step.act_approval')) return true;
  return permissions.includes('step.act_assigned') && isAssignedTo(step, user);
}

/** True when the step is assigned to this person, by e-mail or by role: what 'My tasks' lists. */
export function isAssignedTo(step: ActionableStep, user: StepActor): boolean {
  const email = user.email.trim().toLowerCase();
  if (email !== '' && step.assignee.trim().toLowerCase() === email) return true;
  if (user.orgRole === null) return false;
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '') : '';
  return assignedOrgRole(step.assignee) === user.orgRole || assignedOrgRole(inConfig) === user.orgRole;
}
