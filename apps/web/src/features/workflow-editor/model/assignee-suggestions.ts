import { ORG_ROLES, UNASSIGNED } from '@stet/domain/access';
import type { Member } from '@stet/contract';

/** A suggestion for the assignee. The screen shows `tag` beside it (specification, section 2). */
export type AssigneeSuggestion = { value: string; tag: 'email' | 'role' };

const MOST_SHOWN = 8;
/** Assignees that are neither people nor roles of the organization. */
const SYSTEM_ASSIGNEES = ['system', 'auto', UNASSIGNED] as const;
/** The roles that steps can be assigned to. Owners and viewers aren't assigned by role. */
const ROLES_FOR_STEPS = ORG_ROLES.filter((role) => role !== 'owner' && role !== 'viewer');

const tagOf = (assignee: string): AssigneeSuggestion['tag'] => (assignee.includes('@') ? 'email' : 'role');

/** All suggestions without duplicates: the organization's most used assignees, its members and its roles. */
export function allSuggestions(
  members: readonly Pick<Member, 'email'>[],
  common: readonly { assignee: string }[],
): AssigneeSuggestion[] {
  const seen = new Map<string, AssigneeSuggestion>();
  const offer = (value: string): void => {
    const name = value.trim();
    const id = name.toLowerCase();
    if (name !== '' && !seen.has(id)) seen.set(id, { value: name, tag: tagOf(name) });
  };
  for (const { assignee } of common) offer(assignee);
  for (const { email } of members) offer(email);
  for (const role of [...ROLES_FOR_STEPS, ...SYSTEM_ASSIGNEES]) offer(role);
  return [...seen.values()];
}

/** The suggestions that contain the typed text, ignoring case. Those that start with it come first. */
export function matchingSuggestions(all: readonly AssigneeSuggestion[], typed: string): AssigneeSuggestion[] {
  const needle = typed.trim().toLowerCase();
  const matching = all.filter(({ value }) => value.toLowerCase().includes(needle));
  const starts = matching.filter(({ value }) => value.toLowerCase().startsWith(needle));
  const within = matching.filter(({ value }) => !value.toLowerCase().startsWith(needle));
  return [...starts, ...within].slice(0, MOST_SHOWN);
}

/** Splits a suggestion into the parts before, within and after the typed text. */
export function splitAtMatch(value: string, typed: string): [string, string, string] {
  const needle = typed.trim().toLowerCase();
  const at = needle === '' ? -1 : value.toLowerCase().indexOf(needle);
  if (at === -1) return [value, '', ''];
  return [value.slice(0, at), value.slice(at, at + needle.length), value.slice(at + needle.length)];
}

/**
 * The name in an email address, for its initials: `priya.nair@halden.example` becomes `priya nair`. Any other text is
 * returned unchanged.
 */
export function nameOfAssignee(assignee: string): string {
  const at = assignee.indexOf('@');
  return at === -1 ? assignee : assignee.slice(0, at).replaceAll(/[._+-]+/g, ' ');
}
