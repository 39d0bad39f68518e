import { introductionsAmong, newManagersOf, wordsFor } from './introductions.ts';
import { COOLING, lastHeld, type KnownPerson, peopleBehind, type RolePeriod } from './known-person.ts';
import { roleHas } from './permissions.ts';
import { mailboxOf } from './proof.ts';
import type { OrgRole } from './roles.ts';

/**
 * Kinds of changes that need a second manager: a new role for a person, an emergency, and weaker controls. Controls are
 * policies, working hours, escalation, the reviewers of a workflow, and the members of a group that a workflow or a
 * route names.
 */
export const CONFIRMATION_KINDS = [
  'member',
  'policy',
  'working_hours',
  'escalation',
  'reviewers',
  'group_members',
  'emergency',
] as const;
export type ConfirmationKind = (typeof CONFIRMATION_KINDS)[number];

/**
 * True if confirming a person in one role also counts for another role. Reviewers must have been confirmed as reviewers
 * or managers, and managers as managers.
 */
export function confirmationCovers(confirmed: OrgRole, role: OrgRole): boolean {
  return (['draft.review', 'org.manage'] as const).every(
    (permission) => roleHas(confirmed, permission) || !roleHas(role, permission),
  );
}

/** The reason why a manager can't confirm another manager's proposal. */
type NotSecond =
  | 'same_person'
  | 'not_proved'
  | 'founder_not_proved'
  | 'proposer_not_proved'
  | 'proposer_left_unproved'
  | 'vouched'
  | 'made_manager_lately'
  | 'made_proposer_lately';

/** Reasons that end with time, or once an address is proved. A proposal waits for people with such a reason. */
const PASSING: readonly (NotSecond | null)[] = [
  null,
  'made_manager_lately',
  'made_proposer_lately',
  'founder_not_proved',
  'proposer_not_proved',
  'vouched',
];
type AskedAmong = { people: ReadonlyMap<string, KnownPerson>; at: number };

/**
 * Returns the reason why `other` can't confirm a proposal by `first`; null if they can. Nothing may suggest that they
 * are one person: both are proved, their mailboxes differ, and neither is behind the other or proved only by the
 * other's confirmation. Neither may have become a manager within `COOLING` through the other, directly or through
 * managers whom the other appointed. Founders need no proof to manage, but do need one to propose or confirm such a
 * change.
 */
export function whyNotSecondTo(other: KnownPerson, first: KnownPerson, { people, at }: AskedAmong): NotSecond | null {
  if (isSamePerson(other, first.id, people) && !isTiedByAddressAlone(other, first, people)) return 'same_person';
  if (other.provedBy === null) return 'not_proved';
  if (other.provedBy === 'founder') return 'founder_not_proved';
  if (first.provedBy === 'founder' || first.provedBy === null)
    return first.role === null || first.isDisabled ? 'proposer_left_unproved' : 'proposer_not_proved';
  if (restsOn(other, first, people) || restsOn(first, other, people)) return 'vouched';
  if (newManagerUntil(other, first, { people, at }) !== null) return 'made_manager_lately';
  return newManagerUntil(first, other, { people, at }) === null ? null : 'made_proposer_lately';
}

/**
 * Returns when `other` stops counting as newly appointed by `first`, in ms since 1970; null if they don't count as
 * newly appointed.
 */
function newManagerUntil(other: KnownPerson, first: KnownPerson, { people, at }: AskedAmong): number | null {
  const all = [...people.values()];
  const isNew = ({ role, givenBy, since }: RolePeriod): boolean =>
    givenBy !== null && since + COOLING > at && roleHas(role, 'org.manage');
  if (!all.some(({ history }) => history.some(isNew))) return null;
  const isFirst = (id: string): boolean => isSamePerson(first, id, people);
  return newManagersOf(isFirst, { people: all, introductions: introductionsAmong(all), at }).get(other.id) ?? null;
}

/**
 * Returns the time from which neither manager counts as newly appointed by the other, in ms since 1970; null if that is
 * already the case.
 */
function newUntilOf(other: KnownPerson, first: KnownPerson, among: AskedAmong): number | null {
  return newManagerUntil(other, first, among) ?? newManagerUntil(first, other, among);
}

/**
 * True if two accounts are one person as far as the product knows: the same account, the same mailbox, or one behind
 * the other.
 */
function isSamePerson(one: KnownPerson, otherId: string | null, people: ReadonlyMap<string, KnownPerson>): boolean {
  const other = otherId === null ? undefined : people.get(otherId);
  if (other === undefined) return one.id === otherId;
  return (
    one.id === other.id ||
    mailboxOf(one.email) === mailboxOf(other.email) ||
    peopleBehind(one, people).has(other.id) ||
    peopleBehind(other, people).has(one.id)
  );
}

/**
 * True if the only link between two accounts is a mailbox that one of them hasn't proved. Anyone could have signed up
 * with that address, so it isn't known whether they are one person or two. Each must wait until the address is proved.
 */
function isTiedByAddressAlone(one: KnownPerson, other: KnownPerson, people: ReadonlyMap<string, KnownPerson>): boolean {
  const isClaimed = ({ provedBy }: KnownPerson): boolean => provedBy === null || provedBy === 'founder';
  return (
    one.id !== other.id &&
    (isClaimed(one) || isClaimed(other)) &&
    !peopleBehind(one, people).has(other.id) &&
    !peopleBehind(other, people).has(one.id)
  );
}

/**
 * True if only this manager vouches for someone, or only people who themselves depend on this manager. For someone who
 * was confirmed as a manager, earlier confirmations don't count again once they have a smaller role or leave.
 */
function restsOn(
  { provedBy, confirmedBy, confirmedAsManagerBy }: KnownPerson,
  manager: KnownPerson,
  people: ReadonlyMap<string, KnownPerson>,
): boolean {
  if (provedBy !== 'manager') return false;
  const own = introductionsAmong([...people.values()]).mailboxesOf(manager.id);
  return (confirmedAsManagerBy.length > 0 ? confirmedAsManagerBy : confirmedBy).every((id) => {
    if (isSamePerson(manager, id, people)) return true;
    const voucher = people.get(id);
    const words = voucher && wordsFor(voucher, people, voucher.confirmedAsManagerBy);
    return words !== undefined && [...words].every((mailbox) => own.has(mailbox));
  });
}

/** The reason why someone can't decide a confirmation. */
export type ConfirmationRefusal =
  | { code: 'forbidden' }
  /** The proposal was confirmed, refused, withdrawn or replaced in the meantime. */
  | { code: 'not_waiting' }
  | { code: 'proposer_cannot_confirm' }
  /**
   * `missing`: why the manager can't be the second person, or a proposer can't act alone; `from`: the time from which
   * they can, without further action, in ms since 1970, or null; `who`: ids of the managers who can confirm now.
   */
  | {
      code: 'reviewer_not_counted_yet';
      missing: NotSecond | 'proof' | 'second_manager' | 'about_you' | 'proposer_gone';
      from: number | null;
      who: string[];
    };

/** The input of a confirmation, read while the organization is locked. */
type Confirming = {
  actorId: string;
  proposedBy: string;
  /** Everyone who is a manager or was one in the last 7 days, and the proposer. */
  people: ReadonlyMap<string, KnownPerson>;
  at: number;
  /** The person that the change is about, if any; they can't confirm it themselves. */
  aboutId?: string | null;
  /**
   * A permission that the proposer must still have, with an account that isn't disabled; null for changes about a
   * person and for emergencies.
   */
  proposerNeeds?: 'org.manage' | 'draft.merge' | null;
};

/**
 * Current and former managers who can confirm a proposal now, or could once time has passed or an address is proved.
 * `from`: when a newly appointed manager can confirm it, or when a former one no longer counts.
 */
function secondManagers({ proposedBy, people, at, aboutId }: Omit<Confirming, 'actorId'>) {
  const first = people.get(proposedBy);
  const found: { id: string; isManager: boolean; can: boolean; from: number | null }[] = [];
  for (const person of people.values()) {
    const lastManaged = lastHeld(person, 'org.manage', at);
    if (lastManaged === null || first === undefined || isSamePerson(person, aboutId ?? null, people)) continue;
    const missing = whyNotSecondTo(person, first, { people, at });
    if (!PASSING.includes(missing)) continue;
    const newUntil = newUntilOf(person, first, { people, at });
    found.push({
      id: person.id,
      isManager: lastManaged === 'now',
      can: lastManaged === 'now' && missing === null,
      from: lastManaged === 'now' ? newUntil : lastManaged + COOLING,
    });
  }
  return found;
}

/**
 * Decides whether a change that needs a second manager takes effect now (docs/second-person.md). It waits if another
 * manager can confirm it now, or could later, once time has passed or an address is proved. It takes effect
 * immediately, marked `alone`, if there is no such manager and was none within `COOLING`, so that nobody is locked out.
 * Refused with `reviewer_not_counted_yet` if the only other manager has just left; from `from` on, the same call takes
 * effect alone. Also refused if the account is unproved and there is a proved manager, because that manager can make
 * the change.
 */
export function decideProposal(
  input: Omit<Confirming, 'proposedBy'>,
): { ok: true; change: 'alone' | 'waits' } | { ok: false; refusal: ConfirmationRefusal } {
  const others = secondManagers({ ...input, proposedBy: input.actorId });
  if (others.length === 0) {
    return isUnprovedBesideManager(input)
      ? { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing: 'proof', from: null, who: [] } }
      : { ok: true, change: 'alone' };
  }
  if (others.some(({ isManager }) => isManager)) return { ok: true, change: 'waits' };
  const from = Math.max(...others.map((other) => other.from ?? 0));
  return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing: 'second_manager', from, who: [] } };
}

/**
 * Returns whether a manager may refuse another's proposal. They may not if the two may be one person, if the proposal
 * is about the manager, or if the manager isn't proved. New managers may, because a refusal changes nothing.
 */
export function decideRefusal(input: Confirming): { ok: true } | { ok: false; refusal: ConfirmationRefusal } {
  const decision = decideConfirmation(input);
  if (decision.ok || decision.refusal.code !== 'reviewer_not_counted_yet') return decision;
  return ['same_person', 'about_you', 'not_proved'].includes(decision.refusal.missing) ? decision : { ok: true };
}

const isUnprovedBesideManager = ({ actorId, people, at }: Omit<Confirming, 'proposedBy'>): boolean =>
  people.get(actorId)?.provedBy === null &&
  [...people.values()].some(
    (person) => person.id !== actorId && person.provedBy !== null && lastHeld(person, 'org.manage', at) === 'now',
  );

/** Returns whether a manager may confirm another's proposal. */
export function decideConfirmation(input: Confirming): { ok: true } | { ok: false; refusal: ConfirmationRefusal } {
  const actor = input.people.get(input.actorId);
  if (actor?.role === undefined || actor.role === null || !roleHas(actor.role, 'org.manage')) {
    return { ok: false, refusal: { code: 'forbidden' } };
  }
  if (input.actorId === input.proposedBy) return { ok: false, refusal: { code: 'proposer_cannot_confirm' } };
  const first = input.people.get(input.proposedBy);
  const isAboutSelf = typeof input.aboutId === 'string' && isSamePerson(actor, input.aboutId, input.people);
  const { proposerNeeds } = input;
  const canPropose = !proposerNeeds || (first?.role && !first.isDisabled && roleHas(first.role, proposerNeeds));
  if (isAboutSelf || !canPropose) {
    const who = canPropose ? idsOfSecondManagers(input) : [];
    const missing = isAboutSelf ? 'about_you' : 'proposer_gone';
    return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing, from: null, who } };
  }
  const missing = first === undefined ? null : whyNotSecondTo(actor, first, input);
  if (first === undefined || missing === null) return { ok: true };
  const from = newUntilOf(actor, first, input);
  return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing, from, who: idsOfSecondManagers(input) } };
}

const idsOfSecondManagers = (input: Confirming): string[] =>
  secondManagers(input).flatMap(({ id, can }) => (can ? [id] : []));
