import { COOLING, heldLately, type KnownPerson, peopleBehind } from '../access/confirmations.ts';
import { roleHas } from '../access/permissions.ts';
import { isFirstHand, mailboxOf } from '../access/proof.ts';

/**
 * What has to be known about an approval that doesn't show two people by itself (who may act, rules 2 and 3). The product
 * knows accounts and mailboxes; a mark says where it can't tell two accounts from two people.
 */
export const APPROVAL_MARKS = [
  'added_by_author',
  'address_not_proved',
  'author_not_proved',
  'author_added_by_reviewer',
  'self_approved',
  'by_api_token',
] as const;
export type ApprovalMark = (typeof APPROVAL_MARKS)[number];

/** Why the approval of someone who may review doesn't count for a draft. */
export type NotCounted = {
  id: string;
  because: 'address_not_proved' | 'added_after_first_save' | 'behind_the_author' | 'strict';
  /** When it counts by itself, in ms since 1970; null if someone has to do something first. */
  from: number | null;
};

/** Who counts as a second person for a draft. */
export type DraftStanding = {
  /** Everyone who counts as an author: contributors, those behind them, and accounts of the same mailbox. */
  authors: ReadonlySet<string>;
  /** Whose approval counts, and with which marks. */
  counted: ReadonlyMap<string, readonly ApprovalMark[]>;
  notCounted: readonly NotCounted[];
  /** For each account the one that stands for its person: accounts of one mailbox, or one behind the other, have one vote. */
  personOf: ReadonlyMap<string, string>;
  /**
   * Whether an author may approve: if nobody else could review now or within the last 7 days. `from`: when that will be so,
   * in ms since 1970, if nobody else can now; null if someone can.
   */
  selfApproval: { allowed: true } | { allowed: false; from: number | null };
};

/** Someone who saved a draft, or, with `through`, stood behind an account that wasn't proved when it saved. */
export type Contributor = { id: string; through: string | null };

type StandingQuestion = {
  /** Everyone who may review or manage now or could within the last 7 days, and every contributor. */
  people: readonly KnownPerson[];
  contributors: readonly Contributor[];
  /** When the draft was first saved, in ms since 1970. */
  firstSavedAt: number;
  strict: boolean;
  /** The database's moment, in ms since 1970. */
  at: number;
};

/** Decides whose approval counts for a draft, and with which marks (who may act, rules 1 to 4). O(n²) in people at most. */
export function whoCounts({ people, contributors, firstSavedAt, strict, at }: StandingQuestion): DraftStanding {
  const known = new Map(people.map((person) => [person.id, person]));
  const contributed = new Set(contributors.map(({ id }) => id));
  const direct = contributors.flatMap(({ id, through }) => (through === null ? (known.get(id) ?? []) : []));
  const mailboxes = new Set([...contributed].flatMap((id) => known.get(id)?.email ?? []).map(mailboxOf));
  const authors = new Set([
    ...contributed,
    ...people.filter(({ email }) => mailboxes.has(mailboxOf(email))).map(({ id }) => id),
  ]);
  const isOneOfAuthors = (id: string | null): boolean => {
    if (id === null) return false;
    const person = known.get(id);
    return (
      authors.has(id) || (person !== undefined && [...peopleBehind(person, known)].some((one) => authors.has(one)))
    );
  };

  const others = people.filter((person) => !authors.has(person.id));
  const managers = people.filter((person) => person.provedBy !== null && heldLately(person, 'org.manage', at) !== null);
  const independent = managers.filter((person) => !authors.has(person.id) && !wasMadeManagerLately(person));
  const counted = new Map<string, readonly ApprovalMark[]>();
  const notCounted: NotCounted[] = people
    .filter((person) => authors.has(person.id) && !direct.includes(person) && mayReview(person))
    .map(({ id }) => ({ id, because: 'behind_the_author', from: null }));
  for (const reviewer of others.filter(mayReview)) {
    const { marks, isAddedLate, isUnproved } = judge(reviewer);
    const behind = peopleBehind(reviewer, known);
    // Any other manager could prove an account; only an independent one could confirm whom an author added.
    const provers = reviewer.provedBy === null ? managers : independent;
    const could = (isUnproved ? provers : independent).filter(({ id }) => id !== reviewer.id && !behind.has(id));
    const from = whenNoneCould(could);
    if (isUnproved && could.length > 0) notCounted.push({ id: reviewer.id, because: 'address_not_proved', from });
    else if (isAddedLate && could.length > 0)
      notCounted.push({ id: reviewer.id, because: 'added_after_first_save', from });
    else if (strict && marks.length > 0) notCounted.push({ id: reviewer.id, because: 'strict', from: null });
    else counted.set(reviewer.id, marks);
  }
  return { authors, counted, notCounted, personOf: personsOf(people, known), selfApproval: selfApproval() };

  function wasMadeManagerLately({ history }: KnownPerson): boolean {
    return history.some(
      ({ role, givenBy, since }) => roleHas(role, 'org.manage') && isOneOfAuthors(givenBy) && since + COOLING > at,
    );
  }

  function judge(reviewer: KnownPerson): { marks: ApprovalMark[]; isAddedLate: boolean; isUnproved: boolean } {
    const given = reviewer.history.filter(
      ({ role, givenBy }) => roleHas(role, 'draft.review') && isOneOfAuthors(givenBy),
    );
    const isVouchedByAuthors =
      reviewer.provedBy === 'manager' && !vouchersOf(reviewer).some((manager) => isApartFromAuthors(manager));
    const isAdded = (given.length > 0 && !isConfirmed(reviewer, isOneOfAuthors)) || isVouchedByAuthors;
    const marks: ApprovalMark[] = [];
    if (isAdded) marks.push('added_by_author');
    if (!hasProvedAddress(reviewer)) marks.push('address_not_proved');
    const isUnknown = (author: KnownPerson): boolean =>
      hasProvedAddress(reviewer) && !isAddedBy(author, reviewer) && restOnOneMailbox(author, reviewer);
    if (direct.some((author) => !hasProvedAddress(author) || isUnknown(author))) marks.push('author_not_proved');
    if (direct.some((author) => isAddedBy(author, reviewer))) marks.push('author_added_by_reviewer');
    return {
      marks,
      isAddedLate: isAdded && given.some(({ since }) => since > firstSavedAt),
      isUnproved: reviewer.provedBy === null || isVouchedByAuthors,
    };
  }

  function vouchersOf({ confirmedBy }: KnownPerson): KnownPerson[] {
    return confirmedBy.flatMap((id) => known.get(id) ?? []);
  }

  /** The mailboxes that prove a person: their own, or those of the managers who vouch for them. */
  function provingMailboxes(person: KnownPerson): string[] {
    if (isFirstHand(person.provedBy)) return [mailboxOf(person.email)];
    return vouchersOf(person).flatMap(({ provedBy, email }) => (isFirstHand(provedBy) ? [mailboxOf(email)] : []));
  }

  /** True if two people are known by one mailbox: each only by the word of the same manager, or one by the other's. */
  function restOnOneMailbox(author: KnownPerson, reviewer: KnownPerson): boolean {
    return new Set([...provingMailboxes(author), ...provingMailboxes(reviewer)]).size === 1;
  }

  /** By mail or the identity provider, or by the word of a manager who is proved so. */
  function hasProvedAddress(person: KnownPerson): boolean {
    return (
      isFirstHand(person.provedBy) ||
      (person.provedBy === 'manager' && vouchersOf(person).some(({ provedBy }) => isFirstHand(provedBy)))
    );
  }

  function isApartFromAuthors(manager: KnownPerson): boolean {
    const wasGivenPower = manager.history.some(
      ({ role, givenBy }) => roleHas(role, 'org.manage') && isOneOfAuthors(givenBy),
    );
    return !isOneOfAuthors(manager.id) && !wasGivenPower;
  }

  /**
   * True if someone independent has confirmed a person who has shown their own mailbox: whoever added them, they, and the
   * manager who confirmed them then have three mailboxes.
   */
  function isConfirmed(person: KnownPerson, isAdder: (id: string) => boolean): boolean {
    if (!isFirstHand(person.provedBy)) return false;
    if (person.hasProvider) return true;
    const adders = people.filter(({ id }) => isAdder(id)).map(({ email }) => mailboxOf(email));
    const taken = new Set([...adders, mailboxOf(person.email)]);
    return vouchersOf(person).some(
      (manager) => !isAdder(manager.id) && isFirstHand(manager.provedBy) && !taken.has(mailboxOf(manager.email)),
    );
  }

  /** True if the reviewer made the author a member, or gave them a role, or the one who vouches for them theirs. */
  function isAddedBy(author: KnownPerson, reviewer: KnownPerson): boolean {
    const isReviewer = (id: string): boolean => id === reviewer.id;
    const isGivenBy = (person: KnownPerson, by: string): boolean =>
      person.invitedBy === by || person.history.some(({ givenBy }) => givenBy === by);
    if (isGivenBy(author, reviewer.id) && !isConfirmed(author, isReviewer)) return true;
    return (
      author.provedBy === 'manager' &&
      !vouchersOf(author).some(
        (manager) =>
          isFirstHand(manager.provedBy) &&
          manager.id !== reviewer.id &&
          mailboxOf(manager.email) !== mailboxOf(reviewer.email) &&
          !isGivenBy(manager, reviewer.id) &&
          !isGivenBy(reviewer, manager.id),
      )
    );
  }

  function whenNoneCould(could: readonly KnownPerson[]): number | null {
    const held = could.map((person) => heldLately(person, 'org.manage', at));
    const ended = held.filter((each) => typeof each === 'number');
    return ended.length === held.length && ended.length > 0 ? Math.max(...ended) + COOLING : null;
  }

  function selfApproval(): DraftStanding['selfApproval'] {
    if (strict) return { allowed: false, from: null };
    const held = others.map((person) => heldLately(person, 'draft.review', at)).filter((each) => each !== null);
    if (held.length === 0) return { allowed: true };
    const ended = held.filter((each) => typeof each === 'number');
    return { allowed: false, from: ended.length === held.length ? Math.max(...ended) + COOLING : null };
  }
}

function personsOf(people: readonly KnownPerson[], known: ReadonlyMap<string, KnownPerson>): Map<string, string> {
  const personOf = new Map<string, string>();
  const join = (one: string, other: string): void => {
    const [kept, gone] = [personOf.get(one) ?? one, personOf.get(other) ?? other];
    for (const [id, stands] of personOf) if (stands === gone) personOf.set(id, kept);
    personOf.set(one, kept).set(other, kept);
  };
  const byMailbox = new Map<string, string>();
  for (const person of people) {
    join(byMailbox.get(mailboxOf(person.email)) ?? person.id, person.id);
    byMailbox.set(mailboxOf(person.email), person.id);
    for (const id of peopleBehind(person, known)) join(id, person.id);
  }
  return personOf;
}

const mayReview = ({ role }: KnownPerson): boolean => role !== null && roleHas(role, 'draft.review');

const MARK_WORDS: Record<ApprovalMark, string> = {
  added_by_author: 'reviewer added by the author',
  address_not_proved: 'address not proved',
  author_not_proved: "author's address not proved",
  author_added_by_reviewer: 'author added by the reviewer',
  self_approved: 'self-approved: no other reviewer',
  by_api_token: 'by API token',
};

/** The marks of an approval as people read them: 'reviewer added by the author, address not proved'. */
export const markWords = (marks: readonly ApprovalMark[]): string => marks.map((mark) => MARK_WORDS[mark]).join(', ');
