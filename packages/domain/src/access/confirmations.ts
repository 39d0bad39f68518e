import { roleHas } from './permissions.ts';
import { mailboxOf, type Proof } from './proof.ts';
import type { OrgRole } from './roles.ts';

/** What waits for a second manager: a person, a lower policy, looser working hours or escalation, an emergency. */
export const CONFIRMATION_KINDS = ['member', 'policy', 'working_hours', 'escalation', 'emergency'] as const;
export type ConfirmationKind = (typeof CONFIRMATION_KINDS)[number];

/**
 * For so long after someone stopped being a manager or reviewer they still count as one who could be asked, and for so long
 * after someone was made a manager they confirm nothing for whoever made them one; in ms.
 */
export const COOLING = 7 * 24 * 60 * 60 * 1000;

/** A role that someone was given; moments in ms since 1970, `until` null while it is held. */
export type RolePeriod = { role: OrgRole; givenBy: string | null; since: number; until: number | null };

/** A person as far as the rules about second people ask who they are. */
export type KnownPerson = {
  id: string;
  name: string;
  email: string;
  /** Null once they are no member any more. */
  role: OrgRole | null;
  provedBy: Proof | null;
  invitedBy: string | null;
  /** The managers who confirmed this person in the organization. */
  confirmedBy: readonly string[];
  /** True if they sign in through the identity provider. */
  hasProvider: boolean;
  /** All roles they were given, in any order. */
  history: readonly RolePeriod[];
};

/** When someone last held a permission: `now`, a moment in ms since 1970 that is less than `COOLING` ago, or null. */
export function heldLately(
  { role, history }: Pick<KnownPerson, 'role' | 'history'>,
  permission: 'org.manage' | 'draft.review',
  at: number,
): 'now' | number | null {
  if (role !== null && roleHas(role, permission)) return 'now';
  const ended = history.flatMap((period) =>
    period.until !== null && roleHas(period.role, permission) && period.until + COOLING > at ? [period.until] : [],
  );
  return ended.length === 0 ? null : Math.max(...ended);
}

/** The ids of everyone whose acts this person's acts also count as: their inviters while they aren't proved. */
export function peopleBehind(person: KnownPerson, people: ReadonlyMap<string, KnownPerson>): Set<string> {
  const behind = new Set<string>();
  let next: KnownPerson | undefined = person;
  while (next?.provedBy === null && next.invitedBy !== null && !behind.has(next.invitedBy)) {
    behind.add(next.invitedBy);
    next = people.get(next.invitedBy);
  }
  behind.delete(person.id);
  return behind;
}

/** Why a manager can't be the second person of another one. */
type NotSecond =
  | 'same_person'
  | 'not_proved'
  | 'founder_not_proved'
  | 'proposer_not_proved'
  | 'vouched'
  | 'made_manager_lately';

/** What keeps a manager from confirming only until time passes or someone proves their address: a proposal waits for that. */
const PASSING: readonly (NotSecond | null)[] = [
  null,
  'made_manager_lately',
  'founder_not_proved',
  'proposer_not_proved',
];

/**
 * Why `other` can't confirm what `first` proposes, or null if they can. They have to be two people as far as the product
 * can know: both proved, from two mailboxes, neither behind the other, not proved by the other's word alone, and not made a
 * manager by the other within `COOLING`. A founder needs no proof to manage, but one to be half of two people.
 */
export function notSecondTo(
  other: KnownPerson,
  first: KnownPerson,
  { people, at }: { people: ReadonlyMap<string, KnownPerson>; at: number },
): NotSecond | null {
  if (isSamePerson(other, first.id, people)) return 'same_person';
  if (other.provedBy === null) return 'not_proved';
  if (other.provedBy === 'founder') return 'founder_not_proved';
  if (first.provedBy === 'founder' || first.provedBy === null) return 'proposer_not_proved';
  if (restsOn(other, first.id) || restsOn(first, other.id)) return 'vouched';
  const isNew = other.history.some(
    ({ role, givenBy, since }) => roleHas(role, 'org.manage') && givenBy === first.id && since + COOLING > at,
  );
  return isNew ? 'made_manager_lately' : null;
}

/** True if two accounts are one person as far as the product knows: one account, one mailbox, or one behind the other. */
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

/** True if someone is proved by this manager's word and nobody else's. */
function restsOn({ provedBy, confirmedBy }: KnownPerson, managerId: string): boolean {
  return provedBy === 'manager' && confirmedBy.every((id) => id === managerId);
}

/** Why a confirmation isn't decided. */
export type ConfirmationRefusal =
  | { code: 'forbidden' }
  /** It was confirmed, refused or withdrawn in the meantime, or something newer took its place. */
  | { code: 'not_waiting' }
  | { code: 'proposer_cannot_confirm' }
  /** `missing`: what the manager lacks to be a second person; `from`: when that changes by itself, in ms since 1970. */
  | {
      code: 'reviewer_not_counted_yet';
      missing: NotSecond | 'proof' | 'second_manager';
      from: number | null;
      who: string[];
    };

/** What a confirmation is decided on, read under the organization's lock. */
type Confirming = {
  actorId: string;
  proposedBy: string;
  /** Every manager of now or of the last 7 days, and the proposer. */
  people: ReadonlyMap<string, KnownPerson>;
  at: number;
  /** The person whom it is about, if it is about one: they are no second person for themselves. */
  aboutId?: string | null;
};

/** The managers who can confirm a proposal, or could but for something that passes; `from` is when time alone changes it. */
function secondManagers({ proposedBy, people, at, aboutId }: Omit<Confirming, 'actorId'>) {
  const first = people.get(proposedBy);
  const found: { id: string; isManager: boolean; can: boolean; from: number | null }[] = [];
  for (const person of people.values()) {
    const held = heldLately(person, 'org.manage', at);
    if (held === null || first === undefined || isSamePerson(person, aboutId ?? null, people)) continue;
    const missing = notSecondTo(person, first, { people, at });
    if (!PASSING.includes(missing)) continue;
    const madeAt = missing === 'made_manager_lately' ? madeManagerAt(person, first.id) : null;
    const since = held === 'now' ? madeAt : held;
    found.push({
      id: person.id,
      isManager: held === 'now',
      can: held === 'now' && missing === null,
      from: since === null ? null : since + COOLING,
    });
  }
  return found;
}

const madeManagerAt = ({ history }: KnownPerson, by: string): number =>
  Math.max(
    ...history.flatMap(({ role, givenBy, since }) => (givenBy === by && roleHas(role, 'org.manage') ? [since] : [])),
  );

/**
 * What becomes of a change that needs a second manager (who may act, rule 4). It waits if another proved manager can
 * confirm it, now or, once time has passed or an address is proved, later. It takes effect at once, marked `alone`, if there is no
 * other proved manager and was none within `COOLING`: nobody is locked out. Refused with `reviewer_not_counted_yet` while
 * the only other one has just left; from then on the same call takes effect alone.
 */
export function decideProposal(
  input: Omit<Confirming, 'proposedBy'>,
): { ok: true; change: 'alone' | 'waits' } | { ok: false; refusal: ConfirmationRefusal } {
  const others = secondManagers({ ...input, proposedBy: input.actorId });
  if (others.length === 0) return { ok: true, change: 'alone' };
  if (others.some(({ isManager }) => isManager)) return { ok: true, change: 'waits' };
  const from = Math.max(...others.map((other) => other.from ?? 0));
  return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing: 'second_manager', from, who: [] } };
}

/** Whether a manager may confirm what another proposed. */
export function decideConfirmation(input: Confirming): { ok: true } | { ok: false; refusal: ConfirmationRefusal } {
  const actor = input.people.get(input.actorId);
  if (actor?.role === undefined || actor.role === null || !roleHas(actor.role, 'org.manage')) {
    return { ok: false, refusal: { code: 'forbidden' } };
  }
  if (input.actorId === input.proposedBy) return { ok: false, refusal: { code: 'proposer_cannot_confirm' } };
  const first = input.people.get(input.proposedBy);
  const isAboutSelf = typeof input.aboutId === 'string' && isSamePerson(actor, input.aboutId, input.people);
  const missing = isAboutSelf ? 'same_person' : first === undefined ? null : notSecondTo(actor, first, input);
  if (missing === null) return { ok: true };
  const from = missing === 'made_manager_lately' ? madeManagerAt(actor, input.proposedBy) + COOLING : null;
  const who = secondManagers(input).flatMap(({ id, can }) => (can ? [id] : []));
  return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing, from, who } };
}
