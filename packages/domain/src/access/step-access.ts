import { assignedOrgRole, isEmail } from '../workflows/assignee.ts';
import type { Step } from '../workflows/step.ts';
import type { Permission } from './permissions.ts';
import type { OrgRole } from './roles.ts';

/**
 * Why someone acts on a step that names others: as a helper on a manual step, or for those an approval step names, since they
 * are too few or it is long overdue (rulings, section 12).
 */
export type ActsFor = 'helper' | StandIn;
export type StandIn = 'too_few' | 'overdue';

/** Who wants to act: the e-mail and the organization role, or the global role where there is none. */
type StepActor = { id: string; email: string; orgRole: OrgRole | null };

/** What decides who may act on a step; a whole `Step` fits. */
type ActionableStep = Pick<Step, 'type' | 'assignee' | 'config'>;

/** Whom a step names, by its assignee and by `config.assignedRole`; e-mails in lower case. Both are empty if it names nobody. */
export function namedBy({ assignee, config }: ActionableStep): { emails: string[]; roles: OrgRole[] } {
  const email = assignee.trim().toLowerCase();
  const inConfig = 'assignedRole' in config ? (config.assignedRole ?? '') : '';
  const roles = [assignedOrgRole(assignee), assignedOrgRole(inConfig)].filter((role) => role !== null);
  return { emails: isEmail(email) ? [email] : [], roles: [...new Set(roles)] };
}

/** True when the step names this person, by e-mail or by role: what 'My tasks' lists. */
export function isAssignedTo(step: ActionableStep, user: StepActor): boolean {
  const { emails, roles } = namedBy(step);
  return emails.includes(user.email.trim().toLowerCase()) || (user.orgRole !== null && roles.includes(user.orgRole));
}

/** True when the step names nobody that the organization could know. */
export function isUnassigned(step: ActionableStep): boolean {
  const { emails, roles } = namedBy(step);
  return emails.length === 0 && roles.length === 0;
}

/**
 * How a person may act on a step; null if they may not (rulings, sections 3 and 12).
 * - An approval step is decided by those it names; if it names nobody, by anyone with `step.act_approval`. With
 *   `step.stand_in` one acts for those named while `standIn` says that they are too few or the step is long overdue.
 *   An organization's token never decides.
 * - Any other step: those it names; if it names nobody, anyone with `step.act_any`. They also help on steps that name someone,
 *   unless the organization wants that of owners and admins alone (`editorsMayHelp`).
 *
 * Whether this person may cast this vote is for the runs room to say.
 */
export function howMayAct(input: {
  permissions: readonly Permission[];
  user: StepActor;
  step: ActionableStep;
  editorsMayHelp: boolean;
  standIn: StandIn | null;
  isOrganizationToken: boolean;
}): 'named' | ActsFor | null {
  const { permissions, user, step, editorsMayHelp, standIn, isOrganizationToken } = input;
  const isApproval = step.type === 'approval';
  if (isApproval && isOrganizationToken) return null;
  if (permissions.includes('step.act_assigned') && isAssignedTo(step, user)) return 'named';
  if (isUnassigned(step))
    return permissions.includes(isApproval ? 'step.act_approval' : 'step.act_any') ? 'named' : null;
  const mayStandIn = permissions.includes('step.stand_in');
  if (isApproval) return mayStandIn ? standIn : null;
  return mayStandIn || (editorsMayHelp && permissions.includes('step.act_any')) ? 'helper' : null;
}
