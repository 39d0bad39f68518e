import { OTHER_ROLE_MINIMUM } from '../defaults/table.ts';
import { isEmail } from '../access/assignee.ts';
import { OTHER, type ApplicantRole } from './options.ts';

/** True if an invitation can be sent to the address, ignoring surrounding white space (specification, section 5). */
export function isInviteAddress(text: string): boolean {
  return isEmail(text.trim());
}

/**
 * True if the role is valid: any of the options or, for Other, more than one character of custom text, ignoring
 * surrounding white space (specification, sections 5 and 9).
 */
export function isRoleNamed(role: ApplicantRole, otherRole: string): boolean {
  return role !== OTHER || otherRole.trim().length >= OTHER_ROLE_MINIMUM;
}
