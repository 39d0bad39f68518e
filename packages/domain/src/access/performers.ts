import type { Step } from '../steps/index.ts';
import { STARTER, UNASSIGNED, assignedOrgRole, assigneeNames, isEmail } from './assignee.ts';
import { spellingsOf } from './email-address.ts';
import { assignedGroup, groupAssignee } from './groups.ts';
import type { OrgRole } from './roles.ts';

/**
 * The people that a step names. Emails are spelled as in `spellingsOf`; groups are slugs. `starter` is null if the step
 * doesn't name the person who started the run. Otherwise it is that person's id, or `UNKNOWN_STARTER` if there is none.
 * `ids` are people who claimed the step or to whom it was handed over; absent if there are none.
 */
export type Performers = {
  emails: string[];
  roles: OrgRole[];
  groups: string[];
  starter: string | null;
  ids?: readonly string[];
};

/** The starter outside of a run, or in a run without one. */
export const UNKNOWN_STARTER = 'unknown';

/** The fields of a step that name people. */
export type NamesPeople = Pick<Step, 'assignee' | 'config'>;

/** A person's membership in a group. `addedAt` is in epoch milliseconds. */
export type GroupMembership = {
  slug: string;
  addedAt: number;
  /** The ids of everyone who counts as having added this person, the acting account first. */
  addedBy: readonly string[];
  /** The name of the account that added them. */
  adderName: string;
  /** See `RoleGift`. If absent, the same as `addedBy`. */
  through?: readonly string[];
};

/** A role that a person got during a run. `at` is in epoch milliseconds. */
export type RoleGift = {
  at: number;
  /** Ids of everyone to whom giving the role is attributed; empty if nobody gave it. */
  givenBy: readonly string[];
  /** The name of the account that gave it; empty if nobody did. */
  giverName: string;
  /** The ids in `givenBy`, and everyone from whom they got a role during the run, directly or through others. */
  through: readonly string[];
  /** True if the person had the role when the run started, and got it back after someone else had taken it away. */
  isGivenBack: boolean;
};

/** A person, with everything by which steps can name them. */
export type NamedPerson = {
  id: string;
  email: string;
  /** Former addresses of the account, because stored content may still name them. Absent if there are none. */
  formerEmails?: readonly string[];
  orgRole: OrgRole | null;
  /** True if the person gave themselves the role. */
  roleByOwnHand?: boolean;
  /**
   * All roles that the person got since the run started, oldest first. If they already had the current role when the
   * run started, only those that were given back. Absent if there are none.
   */
  roleGifts?: readonly RoleGift[];
  groups?: readonly GroupMembership[];
};

/**
 * Returns the people that a step names in its assignee and in `config.assignedRole`. All lists are empty if it names
 * nobody.
 * @param startedBy the id of the person who started the run; null outside of a run, or if no person started it
 */
export function performersOf({ assignee, config }: NamesPeople, startedBy: string | null): Performers {
  const names = assigneeNames(assignee);
  const inConfig = 'assignedRole' in config ? (config.assignedRole ?? '') : '';
  const emails = names.map((name) => name.toLowerCase()).filter(isEmail);
  return {
    emails: unique(emails.flatMap(spellingsOf)),
    roles: unique([...names, inConfig].map(assignedOrgRole).filter((role) => role !== null)),
    groups: unique(names.map(assignedGroup).filter((slug) => slug !== null)),
    starter: names.some((name) => name.toLowerCase() === STARTER) ? (startedBy ?? UNKNOWN_STARTER) : null,
  };
}

/** Returns the slugs of all groups that steps name. */
export const groupsNamedIn = (steps: readonly NamesPeople[]): string[] =>
  unique(steps.flatMap(({ assignee }) => assigneeNames(assignee).map(assignedGroup)).filter((slug) => slug !== null));

/** Returns the names under which tasks wait: emails, `role:editor`, `group:finance` and `user:` with an id. */
export const namesOfPerformers = ({ emails, roles, groups, starter, ids = [] }: Performers): string[] => [
  ...emails,
  ...roles.map((role) => `role:${role}`),
  ...groups.map(groupAssignee),
  ...unique([...(starter === null ? [] : [starter]), ...ids]).map((id) => `user:${id}`),
];

/** True if the step names nobody who could belong to the organization. */
export const isUnassigned = (performers: Performers): boolean => namesOfPerformers(performers).length === 0;

/**
 * True if the step names people only by address; no one else then has the task. People who replaced someone else don't
 * count as names.
 */
export const isForAddresses = ({ emails, roles, groups, starter }: Performers): boolean =>
  emails.length > 0 && roles.length === 0 && groups.length === 0 && starter === null;

/** How a step names a person, most specific first; null if it doesn't. */
export type NamedAs = 'person' | 'group' | 'role' | null;

/** Returns the addresses by which content can name a person: the current one, in lower case, and the former ones. */
export const addressesOf = ({ email, formerEmails = [] }: Pick<NamedPerson, 'email' | 'formerEmails'>): string[] => [
  email.trim().toLowerCase(),
  ...formerEmails,
];

/** Returns how a step names a person. */
export function namedAs({ emails, roles, groups, starter, ids = [] }: Performers, user: NamedPerson): NamedAs {
  if (isAmong(addressesOf(user), emails) || starter === user.id || ids.includes(user.id)) return 'person';
  if (user.groups?.some(({ slug }) => groups.includes(slug))) return 'group';
  return user.orgRole !== null && roles.includes(user.orgRole) ? 'role' : null;
}

/** True if the step names this person; 'My tasks' lists such steps. */
export const isPerformer = (performers: Performers, user: NamedPerson): boolean => namedAs(performers, user) !== null;

/**
 * The reason why a group membership or a role doesn't by itself prove that a second person decides:
 * - `by_doer`: it was given by someone who did the separated work
 * - `by_giver`: it was given by someone who handed that work over
 * - `by_voucher`: it was given by the only manager who vouches for an account behind that work, so the account could be
 *   theirs
 * - `by_vouched`: it was given by an account for which only one of these people vouches, directly or through others, so it
 *   could be theirs
 * - `by_appointee`: it was given by someone who got a role during the run, directly or through others, from one of
 *   these people
 * - `during_run`: it began after the approval step first became active, or the person gave it to themselves during the
 *   run, unless it was only given back. Under strict review, this reason comes first, because the others may disappear if
 *   someone else does the work again.
 */
export type AddedMark = `${'added' | 'role'}_${Origin}`;
const ORIGINS = ['by_doer', 'by_appointee', 'by_giver', 'by_voucher', 'by_vouched', 'during_run'] as const;
type Origin = (typeof ORIGINS)[number];

/**
 * The membership or role that lets a person decide on an approval step, with its mark. `by`: the name of the person who
 * added them to the group or gave them the role. `isBarred`: an approval by this person doesn't count.
 */
export type MarkedPower = { by: string; mark: AddedMark; isBarred: boolean };

/**
 * When a run started and its approval step became active, in epoch milliseconds, and who is behind the separated work.
 */
export type ApprovedWork = {
  /** When the step first became active. */
  since: number;
  startedAt: number;
  /** The ids of everyone to whom the work is attributed. */
  doers: readonly string[];
  /** The ids of everyone who handed the work over. */
  givers: readonly string[];
  /** The only managers who vouch for unproved accounts among these people, with all accounts of their mailboxes. */
  vouchers: readonly string[];
  /** Accounts without a proof of their own for which only one of all these people vouches. */
  vouched: readonly string[];
  isStrict: boolean;
  /**
   * The person's powers that don't count, because they came during the run from people certainly behind the work, and
   * another manager could have given them. `groups` are slugs.
   */
  barred: { role: boolean; groups: readonly string[] };
};

/**
 * Returns the marked membership or role through which an approval step names a person; null if there is none, or if the
 * step also names them directly or through one without a mark. If there are several, one that isn't barred is
 * preferred, and then one that may count once someone else has done the work again. A marked membership or role is
 * barred if `ApprovedWork.barred` contains it, and always under strict review. A role that someone had before the run
 * started has no mark, because most roles of a small team were given by the same person.
 */
export function markedPower(performers: Performers, user: NamedPerson, work: ApprovedWork): MarkedPower | null {
  if (namedAs({ ...performers, groups: [], roles: [] }, user) !== null) return null;
  const marked: (MarkedPower | null)[] = [];
  for (const group of user.groups ?? [])
    if (performers.groups.includes(group.slug)) marked.push(markedMembership(group, user, work));
  if (user.orgRole !== null && performers.roles.includes(user.orgRole)) marked.push(markedRole(user, work));
  if (marked.includes(null)) return null;
  const first = marked.find((each) => each?.isBarred === false) ?? marked.find((each) => each && !isLate(each));
  return first ?? marked[0] ?? null;
}

/**
 * Returns the mark of the role that lets a person decide on an approval step, because the step names the role or the
 * role lets them stand in. If several people gave them a role during the run, the one closest to the separated work
 * counts or, under strict review, a late one. Null if none of these roles has a mark.
 */
export function markedRole(user: NamedPerson, work: ApprovedWork): MarkedPower | null {
  const marks = (user.roleGifts ?? []).flatMap(({ at, givenBy: people, giverName: by, through, isGivenBack }) => {
    const power = { at, people, by, through, isGivenBack, isBarred: work.barred.role };
    const found = at > work.startedAt ? markOf('role', power, user, work) : null;
    return found ? [found] : [];
  });
  const ordered = ORIGINS.flatMap((origin) => marks.filter(({ mark }) => mark === `role_${origin}`).toReversed());
  // Only once all of these roles have no mark, the approval counts under strict review.
  const late = work.isStrict ? ordered.find(isLate) : undefined;
  if (late) return late;
  return ordered.find(({ isBarred }) => isBarred) ?? ordered[0] ?? null;
}

/** Returns the person without the memberships and the role through which they can't approve. */
export function withoutBarredPowers(user: NamedPerson, work: ApprovedWork): NamedPerson {
  const groups = (user.groups ?? []).filter((group) => !markedMembership(group, user, work)?.isBarred);
  return { ...user, groups, orgRole: markedRole(user, work)?.isBarred ? null : user.orgRole };
}

function markedMembership(
  { slug, addedAt: at, addedBy: people, adderName: by, through = people }: GroupMembership,
  user: NamedPerson,
  work: ApprovedWork,
): MarkedPower | null {
  const isBarred = work.barred.groups.includes(slug);
  return markOf('added', { at, people, by, through, isBarred }, user, work);
}

type Power = {
  at: number;
  people: readonly string[];
  by: string;
  through: readonly string[];
  isGivenBack?: boolean;
  isBarred: boolean;
};

/** True if the power doesn't count even if someone else does the work again. */
export const isLate = ({ mark }: Pick<MarkedPower, 'mark'>): boolean =>
  mark === 'added_during_run' || mark === 'role_during_run';

function markOf(what: 'added' | 'role', power: Power, user: NamedPerson, work: ApprovedWork): MarkedPower | null {
  const origin = originOf(power, user, work);
  return origin && { by: power.by, mark: `${what}_${origin}`, isBarred: power.isBarred || work.isStrict };
}

function originOf(
  { at, people, through, isGivenBack = false }: Power,
  user: NamedPerson,
  { since, startedAt, doers, givers, vouchers, vouched, isStrict }: ApprovedWork,
): Origin | null {
  const isInRun = at > startedAt;
  const isDuringRun = !isGivenBack && (at > since || (isInRun && people.includes(user.id)));
  if (isDuringRun && isStrict) return 'during_run';
  if (isAmong(people, doers)) return 'by_doer';
  if (isInRun && isAmong(through, doers)) return 'by_appointee';
  if (isAmong(people, givers)) return 'by_giver';
  if (isInRun && isAmong(through, givers)) return 'by_appointee';
  if (isAmong(people, vouchers)) return 'by_voucher';
  if (isInRun && isAmong(through, vouchers)) return 'by_appointee';
  if (isAmong(people, vouched)) return 'by_vouched';
  if (isInRun && isAmong(through, vouched)) return 'by_appointee';
  return isDuringRun ? 'during_run' : null;
}

/** True if the two lists share an element. */
export const isAmong = (people: readonly string[], others: readonly string[]): boolean =>
  people.some((id) => others.includes(id));

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];

/** Returns the names that a step's field 'Done by' shows: those in its assignee, and the role in its settings. */
export function doneByNames({ assignee, config }: NamesPeople): string[] {
  const inConfig = 'assignedRole' in config ? (config.assignedRole?.trim() ?? '') : '';
  const names = assigneeNames(assignee).filter((name) => name.toLowerCase() !== UNASSIGNED.toLowerCase());
  const isKnown = names.some((name) => name.toLowerCase() === inConfig.toLowerCase());
  return inConfig === '' || isKnown ? names : [...names, inConfig];
}

/**
 * Returns the step with these names in 'Done by'. The role in its settings, which older versions stored separately,
 * becomes one of the names, so it is removed from the settings.
 */
export function withDoneBy(step: Step, names: readonly string[]): Step {
  const { assignedRole: _, ...config } = step.config as { assignedRole?: string };
  return { ...step, config, assignee: names.length > 0 ? names.join(', ') : UNASSIGNED };
}
