import { ORG_ROLES, type OrgRole } from '../access/roles.ts';

export const UNASSIGNED = 'Unassigned';

/** Words that stand for nobody in person, compared in lower case (specification, section 5). */
export const SYSTEM_ASSIGNEES = ['system', 'auto', 'unassigned'] as const;

/** Shown under an assignee that is neither; saving stays possible (specification, section 5). */
const INVALID_ASSIGNEE = 'Please enter a valid email address or system role (system, auto, unassigned)';

/** What an assignee's text names; `none` for an empty one. */
type AssigneeKind = 'none' | 'email' | 'role' | 'system' | 'unknown';

/**
 * What the text of an assignee names (rulings, section 6). White space around it and upper case make no difference. The
 * roles of an organization are names too: the editor suggests them, so it can't call them wrong.
 */
export function assigneeKind(text: string): AssigneeKind {
  const name = text.trim().toLowerCase();
  if (name === '') return 'none';
  if (isOneOf(SYSTEM_ASSIGNEES, name)) return 'system';
  if (isOneOf(ORG_ROLES, name)) return 'role';
  return isEmail(name) ? 'email' : 'unknown';
}

/** The sentence for an assignee that names nothing we know, else null (specification, section 5). */
export function assigneeProblem(text: string): string | null {
  return assigneeKind(text) === 'unknown' ? INVALID_ASSIGNEE : null;
}

/** The organization role that an assignee names, else null. */
export function assignedOrgRole(text: string): OrgRole | null {
  const name = text.trim().toLowerCase();
  return ORG_ROLES.find((role) => role === name) ?? null;
}

/** A well-formed e-mail address without spaces, at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
