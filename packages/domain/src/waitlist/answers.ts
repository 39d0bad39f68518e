import { OTHER_ROLE_MINIMUM } from '../defaults/table.ts';
import { isEmail } from '../workflows/assignee.ts';
import { OTHER, type ApplicantRole } from './options.ts';

/** True for an address that an invite can be sent to; white space around it makes no difference (specification, section 5). */
export function isInviteAddress(text: string): boolean {
  return isEmail(text.trim());
}

/**
 * True when a role says who applies: any of the options, and for Other more than one character of their own, white space
 * around them not counted (specification, sections 5 and 9).
 */
export function isRoleNamed(role: ApplicantRole, otherRole: string): boolean {
  return role !== OTHER || otherRole.trim().length >= OTHER_ROLE_MINIMUM;
}
