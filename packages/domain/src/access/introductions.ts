import { COOLING, invitersOf, type KnownPerson, type RolePeriod } from './known-person.ts';
import { roleHas } from './permissions.ts';
import { isFirstHand, mailboxOf } from './proof.ts';

/**
 * How the accounts of an organization joined it: the mailboxes behind them, and the people who gave them their roles.
 * The product knows mailboxes, not people, so the rules about second people use these (docs/second-person.md).
 */
export type Introductions = {
  /**
   * The mailboxes behind an account: its own if it is proved first hand, otherwise those of its inviter and of the
   * managers who vouch for it. If there are none, it is a token for the account itself (see `tokenOf`).
   */
  mailboxesOf: (id: string) => ReadonlySet<string>;
  /** The accounts of one person: this one, and the accounts proved first hand with one of its mailboxes. */
  accountsOf: (person: KnownPerson) => readonly KnownPerson[];
  /** The roles that someone gave to any account of this person. */
  rolesGivenTo: (person: KnownPerson) => readonly (RolePeriod & { givenBy: string })[];
};

/** Returns the token that represents an unproved account. */
export const tokenOf = (id: string): string => `account:${id}`;

/** True for a mailbox, false for the token of an unproved account. */
export const isMailbox = (token: string): boolean => token.includes('@');

/**
 * Derives the introductions among these people.
 * @param people everyone in question and, transitively, their inviters and everyone who gave them a role or vouches
 * for them
 */
export function introductionsAmong(people: readonly KnownPerson[]): Introductions {
  const known = new Map(people.map((person) => [person.id, person]));
  const firstHand = new Map<string, KnownPerson[]>();
  for (const person of people.filter(({ provedBy }) => isFirstHand(provedBy))) {
    const mailbox = mailboxOf(person.email);
    firstHand.set(mailbox, [...(firstHand.get(mailbox) ?? []), person]);
  }
  const answered = new Map<string, ReadonlySet<string>>();

  function mailboxesOf(id: string): ReadonlySet<string> {
    const mailboxes = answered.get(id) ?? findMailboxes(id);
    answered.set(id, mailboxes);
    return mailboxes;
  }

  function findMailboxes(id: string): ReadonlySet<string> {
    const found = new Set<string>();
    const reached = new Set([id]);
    for (const each of reached) {
      const person = known.get(each);
      if (person && isFirstHand(person.provedBy)) found.add(mailboxOf(person.email));
      else {
        const next = person
          ? [...(person.provedBy === 'manager' ? person.confirmedBy : []), ...invitersOf(person)]
          : [];
        for (const by of next) reached.add(by);
        if (next.length === 0) found.add(tokenOf(each));
      }
    }
    return found;
  }

  function accountsOf(person: KnownPerson): readonly KnownPerson[] {
    const twins = [...mailboxesOf(person.id)].flatMap((mailbox) => firstHand.get(mailbox) ?? []);
    return [person, ...twins.filter(({ id }) => id !== person.id)];
  }

  return {
    mailboxesOf,
    accountsOf,
    rolesGivenTo: (person) =>
      accountsOf(person).flatMap(({ history }) =>
        history.flatMap((period) => (period.givenBy === null ? [] : [{ ...period, givenBy: period.givenBy }])),
      ),
  };
}

/**
 * Returns the mailboxes that prove a person: their own, or those of the managers who vouch for them, also through others.
 * Only those count for someone who confirms others who vouch for them as a manager. Only unproved accounts have the
 * mailboxes of their inviters. A founder without a proof has a token (see `tokenOf`).
 * @param confirmedBy those who vouch for the person, if not `KnownPerson.confirmedBy`
 */
export function wordsFor(
  person: KnownPerson,
  known: ReadonlyMap<string, KnownPerson>,
  confirmedBy: readonly string[] = person.confirmedBy,
): ReadonlySet<string> {
  const words = new Set<string>();
  const reached = new Set([person]);
  for (const each of reached) {
    if (isFirstHand(each.provedBy)) words.add(mailboxOf(each.email));
    else if (each.provedBy === 'founder') words.add(tokenOf(each.id));
    else {
      const vouchers = each === person ? confirmedBy : each.confirmedAsManagerBy;
      const by = each.provedBy === 'manager' ? vouchers : invitersOf(each);
      for (const id of by) {
        const voucher = known.get(id);
        if (voucher) reached.add(voucher);
      }
    }
  }
  return words;
}

/**
 * Returns, for each new manager by id, when they can start to confirm changes by the manager who appointed them
 * (matched by `isFirst`), in ms since 1970. Managers appointed by a new manager wait until the same time, so a further
 * invitation doesn't shorten the wait.
 */
export function newManagersOf(
  isFirst: (id: string) => boolean,
  { people, introductions, at }: { people: readonly KnownPerson[]; introductions: Introductions; at: number },
): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  const given = people.map((person) => ({
    id: person.id,
    periods: introductions
      .rolesGivenTo(person)
      .filter(({ role, since }) => roleHas(role, 'org.manage') && since + COOLING > at),
  }));
  // Each round follows one more link in a chain of promotions. A wait never becomes shorter, and never longer than the
  // first one.
  for (let changed = true; changed;) {
    changed = false;
    for (const { id, periods } of given)
      for (const { givenBy, since } of periods) {
        const until = isFirst(givenBy) ? since + COOLING : Math.min(since + COOLING, waits.get(givenBy) ?? 0);
        if (until <= Math.max(at, waits.get(id) ?? 0)) continue;
        waits.set(id, until);
        changed = true;
      }
  }
  return waits;
}
