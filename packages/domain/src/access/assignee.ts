import { assignedGroup } from './groups.ts';
import { ORG_ROLES, type OrgRole } from './roles.ts';

export const UNASSIGNED = 'Unassigned';

/** Assignees that don't refer to a person; compared in lower case (specification, section 5). */
export const SYSTEM_ASSIGNEES = ['system', 'auto', 'unassigned'] as const;

/** The assignee that refers to the person who started the run. */
export const STARTER = 'starter';

/** The warning for an unknown assignee. The step can still be saved (specification, section 5). */
const INVALID_ASSIGNEE = 'Please enter a valid email address or system role (system, auto, unassigned)';

/** Shown below `INVALID_ASSIGNEE`, which is the specification's sentence and lists neither roles nor groups. */
export const ASSIGNEE_ROLES_HINT = `Roles work too: ${ORG_ROLES.join(', ')}. So do groups (group:finance) and ${STARTER}, the person who starts the run. Separate several with commas.`;

/** The kind of an assignee's text: one name, several names (`list`), or `none` if it is empty. */
type AssigneeKind = 'none' | 'email' | 'role' | 'group' | 'starter' | 'system' | 'list' | 'unknown';

/**
 * Classifies the text of an assignee, ignoring case and surrounding white space. Several names are a `list` if all are
 * known, otherwise `unknown`.
 */
export function assigneeKind(text: string): AssigneeKind {
  const [first = '', ...others] = assigneeNames(text);
  if (others.length === 0) return nameKind(first);
  return [first, ...others].every(isKnown) ? 'list' : 'unknown';
}

/**
 * Returns the names in the text of an assignee, as typed, without surrounding white space. Commas separate the names,
 * but an address can contain a comma too. A text that is a whole address is therefore split only if each part is a
 * name.
 */
export function assigneeNames(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return isEmail(text.trim()) && !names.every(isKnown) ? [text.trim()] : names;
}

function nameKind(text: string): Exclude<AssigneeKind, 'list'> {
  const name = text.trim().toLowerCase();
  if (name === '') return 'none';
  if (isOneOf(SYSTEM_ASSIGNEES, name)) return 'system';
  if (isOneOf(ORG_ROLES, name)) return 'role';
  if (name === STARTER) return 'starter';
  if (assignedGroup(name) !== null) return 'group';
  return isEmail(name) ? 'email' : 'unknown';
}

const isKnown = (name: string): boolean => nameKind(name) !== 'unknown';

/** Returns the sentence for an unrecognized assignee, or null (specification, section 5). */
export function assigneeProblem(text: string): string | null {
  return assigneeKind(text) === 'unknown' ? INVALID_ASSIGNEE : null;
}

/** Returns the organization role that a single name refers to, or null. */
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
