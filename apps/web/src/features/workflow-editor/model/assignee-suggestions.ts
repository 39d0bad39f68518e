import { ORG_ROLES, STARTER, UNASSIGNED, assignedGroup, groupAssignee } from '@stet/domain/access';
import type { Group, Member } from '@stet/contract';
import { STARTER_NAME } from '../../../lib/session/use-members.ts';

/**
 * A suggestion for the assignee. Members, groups and the run's starter have a name. The screen shows `tag` beside it
 * (specification, section 2).
 */
export type AssigneeSuggestion = { value: string; tag: 'email' | 'role' | 'group'; name?: string };

const MAX_SHOWN = 8;
/** Assignees that refer to nobody. */
const SYSTEM_ASSIGNEES = ['system', 'auto', UNASSIGNED] as const;
/** The roles that are suggested. The roles owner and viewer also work, but have to be typed. */
const ROLES_FOR_STEPS = ORG_ROLES.filter((role) => role !== 'owner' && role !== 'viewer');

function tagOf(assignee: string): AssigneeSuggestion['tag'] {
  if (assignedGroup(assignee) !== null) return 'group';
  return assignee.includes('@') ? 'email' : 'role';
}

/** All suggestions without duplicates: `common`, then groups, members, roles, the starter and system assignees. */
export function allSuggestions(
  members: readonly Pick<Member, 'email' | 'name'>[],
  common: readonly { assignee: string }[],
  groups: readonly Pick<Group, 'slug' | 'name'>[] = [],
): AssigneeSuggestion[] {
  const names = new Map([
    ...members.map(({ email, name }) => [email.toLowerCase(), name] as const),
    ...groups.map(({ slug, name }) => [groupAssignee(slug), name] as const),
    [STARTER, STARTER_NAME] as const,
  ]);
  const seen = new Map<string, AssigneeSuggestion>();
  const offer = (text: string): void => {
    const value = text.trim();
    const id = value.toLowerCase();
    const name = names.get(id);
    if (value !== '' && !seen.has(id)) seen.set(id, { value, tag: tagOf(value), ...(name !== undefined && { name }) });
  };
  for (const { assignee } of common) offer(assignee);
  for (const { slug } of groups) offer(groupAssignee(slug));
  for (const { email } of members) offer(email);
  for (const role of [...ROLES_FOR_STEPS, STARTER, ...SYSTEM_ASSIGNEES]) offer(role);
  return [...seen.values()];
}

/**
 * At most `MAX_SHOWN` suggestions whose name or value contains the typed text, ignoring case. Those that start with it
 * come first.
 */
export function matchingSuggestions(all: readonly AssigneeSuggestion[], typed: string): AssigneeSuggestion[] {
  const needle = typed.trim().toLowerCase();
  const textsOf = ({ value, name = '' }: AssigneeSuggestion) => [value.toLowerCase(), name.toLowerCase()];
  const matching = all.filter((each) => textsOf(each).some((text) => text.includes(needle)));
  const isStart = (each: AssigneeSuggestion) => textsOf(each).some((text) => text.startsWith(needle));
  const starts = matching.filter(isStart);
  const within = matching.filter((each) => !isStart(each));
  return [...starts, ...within].slice(0, MAX_SHOWN);
}

/** Splits a suggestion into the part before the typed text, that text, and the rest. Without a match, all is before. */
export function splitAtMatch(value: string, typed: string): [string, string, string] {
  const needle = typed.trim().toLowerCase();
  const at = needle === '' ? -1 : value.toLowerCase().indexOf(needle);
  if (at === -1) return [value, '', ''];
  return [value.slice(0, at), value.slice(at, at + needle.length), value.slice(at + needle.length)];
}
