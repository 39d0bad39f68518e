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
type NotSecond = 'same_person' | 'not_proved' | 'vouched' | 'made_manager_lately';

/**
 * Why `other` can't confirm what `first` proposes, or null if they can. They have to be two people as far as the product
 * can know: proved, from two mailboxes, neither behind the other, not proved by the other's word alone, and not made a
 * manager by the other within `COOLING`.
 * @param strict founders need a proof of their own
 */
export function notSecondTo(
  other: KnownPerson,
  first: KnownPerson,
  { people, at, strict }: { people: ReadonlyMap<string, KnownPerson>; at: number; strict: boolean },
): NotSecond | null {
  const isSame =
    other.id === first.id ||
    mailboxOf(other.email) === mailboxOf(first.email) ||
    peopleBehind(other, people).has(first.id) ||
    peopleBehind(first, people).has(other.id);
  if (isSame) return 'same_person';
  if (other.provedBy === null) return 'not_proved';
  if (strict && [other, first].some(({ provedBy }) => provedBy === 'founder' || provedBy === null)) return 'not_proved';
  if (restsOn(other, first.id) || restsOn(first, other.id)) return 'vouched';
  const isNew = other.history.some(
    ({ role, givenBy, since }) => roleHas(role, 'org.manage') && givenBy === first.id && since + COOLING > at,
  );
  return isNew ? 'made_manager_lately' : null;
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
  | { code: 'reviewer_not_counted_yet'; missing: NotSecond | 'proof' | 'standing'; from: number | null; who: string[] };

/** What a confirmation is decided on, read under the organization's lock. */
type Confirming = {
  actorId: string;
  proposedBy: string;
  /** Every manager of now or of the last 7 days, and the proposer. */
  people: ReadonlyMap<string, KnownPerson>;
  at: number;
  strict: boolean;
};

const seconds = ({ proposedBy, people, at, strict }: Omit<Confirming, 'actorId'>): KnownPerson[] => {
  const first = people.get(proposedBy);
  if (first === undefined) return [];
  return [...people.values()].filter(
    (person) =>
      heldLately(person, 'org.manage', at) !== null && notSecondTo(person, first, { people, at, strict }) === null,
  );
};

/**
 * What becomes of a change that needs a second manager (who may act, rule 4). It waits if another proved manager could
 * confirm it, and takes effect at once, marked `alone`, if there is none now and was none within `COOLING`: nobody is locked
 * out. While the only other one has just left it waits until `from`, when the same call takes effect alone.
 */
export function decideProposal(
  input: Omit<Confirming, 'proposedBy'>,
): { ok: true; change: 'alone' } | { ok: true; change: 'waits'; who: string[]; from: number | null } {
  const could = seconds({ ...input, proposedBy: input.actorId });
  if (could.length === 0) return { ok: true, change: 'alone' };
  const now = could.filter((person) => heldLately(person, 'org.manage', input.at) === 'now');
  const ended = could.map((person) => heldLately(person, 'org.manage', input.at));
  const last = Math.max(...ended.filter((each) => typeof each === 'number'));
  return {
    ok: true,
    change: 'waits',
    who: now.map(({ id }) => id),
    from: now.length > 0 ? null : last + COOLING,
  };
}

/** Whether a manager may confirm what another proposed. */
export function decideConfirmation(input: Confirming): { ok: true } | { ok: false; refusal: ConfirmationRefusal } {
  const actor = input.people.get(input.actorId);
  if (actor?.role === undefined || actor.role === null || !roleHas(actor.role, 'org.manage')) {
    return { ok: false, refusal: { code: 'forbidden' } };
  }
  if (input.actorId === input.proposedBy) return { ok: false, refusal: { code: 'proposer_cannot_confirm' } };
  const first = input.people.get(input.proposedBy);
  const missing = first === undefined ? null : notSecondTo(actor, first, input);
  if (missing === null) return { ok: true };
  const made = actor.history.filter(
    ({ role, givenBy }) => roleHas(role, 'org.manage') && givenBy === input.proposedBy,
  );
  const from =
    missing === 'made_manager_lately' ? Math.max(...made.map(({ since }) => since)) + COOLING : null;
  const who = seconds(input).flatMap(({ id, role }) => (role !== null && roleHas(role, 'org.manage') ? [id] : []));
  return { ok: false, refusal: { code: 'reviewer_not_counted_yet', missing, from, who } };
}
