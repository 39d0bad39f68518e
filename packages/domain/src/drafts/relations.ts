import { confirmationCovers } from '../access/confirmations.ts';
import { type Introductions, introductionsAmong, isMailbox, wordsFor } from '../access/introductions.ts';
import { COOLING, type KnownPerson, lastHeld, peopleBehind } from '../access/known-person.ts';
import { roleHas } from '../access/permissions.ts';
import { isFirstHand, mailboxOf } from '../access/proof.ts';

/** The part of `whoCounts` that depends only on the people; it is the same for all drafts in an organization. */
export type Relations = ReturnType<typeof relationsAmong>;

/**
 * Derives the relations among these people. At most O(n²) in people.
 * @param people everyone who may review or manage now, or could within the last 7 days, and every contributor.
 * Includes, transitively, everyone who gave them their roles, invited them or vouches for them
 * @param at the database's current time, in ms since 1970
 */
export function relationsAmong(people: readonly KnownPerson[], at: number) {
  const known: ReadonlyMap<string, KnownPerson> = new Map(people.map((person) => [person.id, person]));
  const introductions = introductionsAmong(people);
  const accountsAt = new Map<string, KnownPerson[]>();
  const introducedBy = new Map<string, KnownPerson[]>();
  for (const person of people) {
    addTo(accountsAt, mailboxOf(person.email), person);
    for (const mailbox of introductions.mailboxesOf(person.id)) addTo(introducedBy, mailbox, person);
  }
  return {
    people,
    at,
    known,
    ...introductions,
    ...vouchingAmong(known, introductions),
    /** Returns the ids of all accounts with these mailboxes, proved or not. */
    idsAt: (mailboxes: ReadonlySet<string>): string[] =>
      [...mailboxes].flatMap((mailbox) => accountsAt.get(mailbox) ?? []).map(({ id }) => id),
    /** Returns the accounts that have this mailbox behind them; see `mailboxesOf`. */
    introducedBy: (mailbox: string): readonly KnownPerson[] => introducedBy.get(mailbox) ?? [],
    managers: people.filter((person) => person.provedBy !== null && lastHeld(person, 'org.manage', at) !== null),
    /** People who got the role of a manager within the last 7 days, so that they may count as new managers. */
    appointed: people.filter((person) =>
      introductions.rolesGivenTo(person).some(({ role, since }) => roleHas(role, 'org.manage') && since + COOLING > at),
    ),
    yieldsTo: sharedVotes(people, known),
  };
}

/** Returns functions that answer who added, confirmed or vouches for another person. */
function vouchingAmong(
  known: ReadonlyMap<string, KnownPerson>,
  { mailboxesOf, accountsOf, rolesGivenTo }: Introductions,
) {
  return {
    isNobodysWord,
    vouchersOf,
    provingMailboxes,
    onlyVoucherOf,
    restOnOneMailbox,
    hasProvedAddress,
    isConfirmed,
    isAddedBy,
  };

  /**
   * True if only accounts without a proved mailbox are behind the person who gave the role, for example a founder
   * without a proof. The receiver's own mailboxes are ignored; false if there is nothing else.
   */
  function isNobodysWord(giver: string, to: KnownPerson): boolean {
    const own = new Set([...mailboxesOf(to.id)].filter(isMailbox));
    const words = [...mailboxesOf(giver)].filter((each) => !own.has(each));
    return words.length > 0 && !words.some(isMailbox);
  }

  function vouchersOf({ confirmedBy }: KnownPerson): KnownPerson[] {
    return confirmedBy.flatMap((id) => known.get(id) ?? []);
  }

  /** Returns the mailboxes that prove a person: their own, or those of the managers who vouch for them. */
  function provingMailboxes(person: KnownPerson): string[] {
    if (isFirstHand(person.provedBy)) return [mailboxOf(person.email)];
    return vouchersOf(person).flatMap(({ provedBy, email }) => (isFirstHand(provedBy) ? [mailboxOf(email)] : []));
  }

  /**
   * Returns the only mailbox that vouches for an account without a proof of its own, perhaps through others. Null if
   * there are several or none. With `asManager`, only confirmations as an owner or admin count, if there are any.
   */
  function onlyVoucherOf(person: KnownPerson, { asManager = false } = {}): string | null {
    const { provedBy, confirmedBy, confirmedAsManagerBy: asManagerBy } = person;
    if (provedBy !== 'manager') return null;
    const [word, ...others] = wordsFor(person, known, asManager && asManagerBy.length > 0 ? asManagerBy : confirmedBy);
    return word !== undefined && others.length === 0 && isMailbox(word) ? word : null;
  }

  /**
   * True if one mailbox vouches for both people: the same manager is the only one to vouch for each, one of the two is
   * the only one to vouch for the other, or both have the same mailbox.
   */
  function restOnOneMailbox(author: KnownPerson, reviewer: KnownPerson): boolean {
    return new Set([...provingMailboxes(author), ...provingMailboxes(reviewer)]).size === 1;
  }

  /** True if the person is proved first hand, or a manager who is vouches for them. */
  function hasProvedAddress(person: KnownPerson): boolean {
    return (
      isFirstHand(person.provedBy) ||
      (person.provedBy === 'manager' && vouchersOf(person).some(({ provedBy }) => isFirstHand(provedBy)))
    );
  }

  /**
   * True if an independent person has confirmed someone who proved their own mailbox. Then the person who added them,
   * the person and the confirming manager have three different mailboxes. A connected identity provider also suffices.
   */
  function isConfirmed(person: KnownPerson, adders: ReadonlySet<string>): boolean {
    if (!isFirstHand(person.provedBy)) return false;
    if (person.hasProvider) return true;
    const own = mailboxOf(person.email);
    // Another account of this person may have been confirmed with a role that has fewer permissions.
    const covers = ({ role }: KnownPerson): boolean =>
      role === person.role || person.role === null || (role !== null && confirmationCovers(role, person.role));
    return accountsOf(person)
      .filter(covers)
      .flatMap(vouchersOf)
      .some(
        ({ provedBy, email }) => isFirstHand(provedBy) && mailboxOf(email) !== own && !adders.has(mailboxOf(email)),
      );
  }

  /**
   * True if the reviewer added the author or gave them a role, and nobody else confirmed that. Also true if no manager
   * who vouches for the author is independent of the reviewer.
   */
  function isAddedBy(author: KnownPerson, reviewer: KnownPerson): boolean {
    if (isGivenBy(author, reviewer) && !isConfirmed(author, mailboxesOf(reviewer.id))) return true;
    return (
      author.provedBy === 'manager' &&
      !vouchersOf(author).some(
        (manager) =>
          isFirstHand(manager.provedBy) &&
          mailboxOf(manager.email) !== mailboxOf(reviewer.email) &&
          manager.id !== reviewer.id &&
          !isGivenBy(manager, reviewer) &&
          !isGivenBy(reviewer, manager),
      )
    );
  }

  /** True if someone got their membership or a role from an account that shares a mailbox with the other person. */
  function isGivenBy(person: KnownPerson, by: KnownPerson): boolean {
    const mailboxesBy = new Set(by.provedBy === 'manager' ? provingMailboxes(by) : mailboxesOf(by.id));
    const givers = new Set([
      ...accountsOf(person).flatMap(({ invitedBy }) => invitedBy ?? []),
      ...rolesGivenTo(person).map(({ givenBy }) => givenBy),
    ]);
    return [...givers].some((id) => id === by.id || [...mailboxesOf(id)].some((mailbox) => mailboxesBy.has(mailbox)));
  }
}

/** Returns, for each account, the accounts that vote in its place, see `DraftStanding`. */
function sharedVotes(
  people: readonly KnownPerson[],
  known: ReadonlyMap<string, KnownPerson>,
): Map<string, ReadonlySet<string>> {
  const isProved = new Set(people.filter(({ provedBy }) => isFirstHand(provedBy)).map(({ id }) => id));
  const yieldsTo = new Map(people.map(({ id }) => [id, new Set<string>()]));
  const add = (one: string, other: string): void => {
    if (one !== other && (isProved.has(other) || !isProved.has(one))) yieldsTo.get(one)?.add(other);
  };
  // People with the same mailbox, and people proved only by the same mailbox.
  const groups = new Map<string, string[]>();
  for (const person of people) {
    const { id } = person;
    for (const behind of peopleBehind(person, known)) {
      if (!known.has(behind)) continue;
      add(id, behind);
      add(behind, id);
    }
    const [word, second] = wordsFor(person, known);
    const isOnly = word !== undefined && second === undefined;
    for (const group of [`mailbox ${mailboxOf(person.email)}`, ...(isOnly ? [`word ${word}`] : [])]) {
      for (const other of groups.get(group) ?? []) {
        add(id, other);
        add(other, id);
      }
      addTo(groups, group, id);
    }
  }
  return yieldsTo;
}

function addTo<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
