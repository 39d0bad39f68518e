import type { Step } from '../steps/index.ts';
import { type NamedPerson, type Performers, isUnassigned, namedAs } from './performers.ts';
import type { Permission } from './permissions.ts';

/**
 * The reason why someone acts on a step that names others. `helper`: on any step except an approval. A stand-in: on an
 * approval step that has too few approvers or is long overdue (decision 71).
 */
export type ActsFor = 'helper' | StandIn;
export type StandIn = 'too_few' | 'overdue';

/** True if an approval step names this person only by a role that they gave themselves. */
export const isNamedByOwnHand = (type: Step['type'], performers: Performers, user: NamedPerson): boolean =>
  type === 'approval' && user.roleByOwnHand === true && namedAs(performers, user) === 'role';

/**
 * How a person may act on a step; null if they may not (decision 71).
 * - Approval step: the people it names decide it. If it names nobody, anyone with `step.act_approval` can. A person
 *   with `step.stand_in` can act for them if `standIn` says that there are too few or that the step is long overdue.
 *   Someone named only by a role that they gave themselves also acts as a stand-in. An organization's token never
 *   decides.
 * - Any other step: the people it names. If it names nobody, anyone with `step.act_any` can. They can also help on
 *   steps that name someone, unless the organization restricts that to owners and admins (`editorsMayHelp`).
 *
 * The rules in `runs` decide whether this person may cast this vote.
 */
export function howMayAct(input: {
  permissions: readonly Permission[];
  user: NamedPerson;
  type: Step['type'];
  performers: Performers;
  editorsMayHelp: boolean;
  standIn: StandIn | null;
  isOrganizationToken: boolean;
}): 'named' | ActsFor | null {
  const { permissions, user, type, performers, editorsMayHelp, standIn, isOrganizationToken } = input;
  const isApproval = type === 'approval';
  if (isApproval && isOrganizationToken) return null;
  if (permissions.includes('step.act_assigned') && namedAs(performers, user) !== null)
    return isNamedByOwnHand(type, performers, user) ? standIn : 'named';
  if (isUnassigned(performers))
    return permissions.includes(isApproval ? 'step.act_approval' : 'step.act_any') ? 'named' : null;
  const canStandIn = permissions.includes('step.stand_in');
  if (isApproval) return canStandIn ? standIn : null;
  return canStandIn || (editorsMayHelp && permissions.includes('step.act_any')) ? 'helper' : null;
}
