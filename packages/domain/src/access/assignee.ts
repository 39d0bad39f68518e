import { ORG_ROLES, type OrgRole } from './roles.ts';

export const UNASSIGNED = 'Unassigned';

/** Assignees that aren't a person, compared in lower case (specification, section 5). */
export const SYSTEM_ASSIGNEES = ['system', 'auto', 'unassigned'] as const;

/** Shown for text that is neither an address nor a role; the step can still be saved (specification, section 5). */
const INVALID_ASSIGNEE = 'Please enter a valid email address or system role (system, auto, unassigned)';

/** Shown below that message, because the specification's sentence doesn't list the organization roles. */
export const ASSIGNEE_ROLES_HINT = `Roles work too: ${ORG_ROLES.join(', ')}`;

/** What the text of an assignee refers to; `none` if it is empty. */
type AssigneeKind = 'none' | 'email' | 'role' | 'system' | 'unknown';

/**
 * Classifies the text of an assignee (rulings, section 6), ignoring case and surrounding white space. Organization
 * roles are valid, because the editor suggests them.
 */
export function assigneeKind(text: string): AssigneeKind {
  const name = text.trim().toLowerCase();
  if (name === '') return 'none';
  if (isOneOf(SYSTEM_ASSIGNEES, name)) return 'system';
  if (isOneOf(ORG_ROLES, name)) return 'role';
  return isEmail(name) ? 'email' : 'unknown';
}

/** Returns the sentence for an unrecognized assignee, or null (specification, section 5). */
export function assigneeProblem(text: string): string | null {
  return assigneeKind(text) === 'unknown' ? INVALID_ASSIGNEE : null;
}

/** Returns the organization role that an assignee refers to, or null. */
export function assignedOrgRole(text: string): OrgRole | null {
  const name = text.trim().toLowerCase();
  return ORG_ROLES.find((role) => role === name) ?? null;
}

/** True for a well-formed email address without spaces, of at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
