import { assignedOrgRole, isEmail } from './assignee.ts';
import { spellingsOf } from './email-address.ts';
import type { Step } from '../steps/index.ts';
import type { Permission } from './permissions.ts';
import type { OrgRole } from './roles.ts';

/**
 * Why someone acts on a step that names others. `helper`: on a manual step. A stand-in: on an approval step that has
 * too few approvers or is long overdue (rulings, section 12).
 */
export type ActsFor = 'helper' | StandIn;
export type StandIn = 'too_few' | 'overdue';

/** The acting person: email and organization role, or the global role if there is none. */
type StepActor = { id: string; email: string; orgRole: OrgRole | null; roleByOwnHand?: boolean };

/** The fields that decide who may act on a step. */
type ActionableStep = Pick<Step, 'type' | 'assignee' | 'config'>;

/**
 * Returns the people and roles that a step names in its assignee and `config.assignedRole`, with emails as in
 * `spellingsOf`. Both lists are empty if it names nobody.
 */
export function namedBy({ assignee, config }: ActionableStep): { emails: string[]; roles: OrgRole[] } {
  const email = assignee.trim().toLowerCase();
  const inConfig = 'assignedRole' in config ? (config.assignedRole ?? '') : '';
  const roles = [assignedOrgRole(assignee), assignedOrgRole(inConfig)].filter((role) => role !== null);
  return { emails: isEmail(email) ? spellingsOf(email) : [], roles: [...new Set(roles)] };
}

/** True if the step names this person by email or role; 'My tasks' lists such steps. */
export function isAssignedTo(step: ActionableStep, user: StepActor): boolean {
  const { emails, roles } = namedBy(step);
  return emails.includes(user.email.trim().toLowerCase()) || (user.orgRole !== null && roles.includes(user.orgRole));
}

/** True if an approval step names this person only by a role that they gave themselves. */
export function isNamedByOwnHand(step: ActionableStep, user: StepActor): boolean {
  if (step.type !== 'approval' || user.roleByOwnHand !== true || !isAssignedTo(step, user)) return false;
  return !namedBy(step).emails.includes(user.email.trim().toLowerCase());
}

/** True if the step names people only by address, so that nobody else has the task. */
export function isForAddresses(step: ActionableStep): boolean {
  const { emails, roles } = namedBy(step);
  return emails.length > 0 && roles.length === 0;
}

/** True if the step names nobody who could belong to the organization. */
export function isUnassigned(step: ActionableStep): boolean {
  const { emails, roles } = namedBy(step);
  return emails.length === 0 && roles.length === 0;
}

/**
 * How a person may act on a step; null if they may not (rulings, sections 3 and 12).
 * - Approval step: the people it names decide it. If it names nobody, anyone with `step.act_approval` can. A person
 *   with `step.stand_in` can act for them if `standIn` says that there are too few or that the step is long overdue.
 *   Someone named only by a role that they gave themselves also acts as a stand-in. An organization's token never
 *   decides.
 * - Any other step: the people it names. If it names nobody, anyone with `step.act_any`. They can also help on steps
 *   that name someone, unless the organization restricts that to owners and admins (`editorsMayHelp`).
 *
 * The rules in `runs` decide whether this person may cast this vote.
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
  if (permissions.includes('step.act_assigned') && isAssignedTo(step, user))
    return isNamedByOwnHand(step, user) ? standIn : 'named';
  if (isUnassigned(step))
    return permissions.includes(isApproval ? 'step.act_approval' : 'step.act_any') ? 'named' : null;
  const canStandIn = permissions.includes('step.stand_in');
  if (isApproval) return canStandIn ? standIn : null;
  return canStandIn || (editorsMayHelp && permissions.includes('step.act_any')) ? 'helper' : null;
}
