import { ORG_ROLES, UNASSIGNED } from '@stet/domain/access';
import type { Member } from '@stet/contract';

/** A suggestion for the assignee; `tag` is shown beside it (specification, section 2). */
export type AssigneeSuggestion = { value: string; tag: 'email' | 'role' };

const MOST_SHOWN = 8;
/** Assignees that are neither a person nor one of the organization's roles. */
const SYSTEM_ASSIGNEES = ['system', 'auto', UNASSIGNED] as const;
/** Roles that can be assigned a step; owners are not assigned as a role. */
const ROLES_FOR_STEPS = ORG_ROLES.filter((role) => role !== 'owner' && role !== 'viewer');

const tagOf = (assignee: string): AssigneeSuggestion['tag'] => (assignee.includes('@') ? 'email' : 'role');

/** All suggestions: the organization's most used assignees, its members, its roles; each once. */
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

/** Those that contain the typed text in any case; those that start with it come first. */
export function matchingSuggestions(all: readonly AssigneeSuggestion[], typed: string): AssigneeSuggestion[] {
  const needle = typed.trim().toLowerCase();
  const matching = all.filter(({ value }) => value.toLowerCase().includes(needle));
  const starts = matching.filter(({ value }) => value.toLowerCase().startsWith(needle));
  const within = matching.filter(({ value }) => !value.toLowerCase().startsWith(needle));
  return [...starts, ...within].slice(0, MOST_SHOWN);
}

/** The parts of a suggestion before, within and after the typed text. */
export function splitAtMatch(value: string, typed: string): [string, string, string] {
  const needle = typed.trim().toLowerCase();
  const at = needle === '' ? -1 : value.toLowerCase().indexOf(needle);
  if (at === -1) return [value, '', ''];
  return [value.slice(0, at), value.slice(at, at + needle.length), value.slice(at + needle.length)];
}

/**
 * The words of an address, for its initials: `priya.nair@halden.example` becomes priya nair. Any other text is
 * unchanged.
 */
export function nameOfAssignee(assignee: string): string {
  const at = assignee.indexOf('@');
  return at === -1 ? assignee : assignee.slice(0, at).replaceAll(/[._+-]+/g, ' ');
}
