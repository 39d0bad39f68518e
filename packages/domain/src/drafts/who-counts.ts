import { confirmationCovers } from '../access/confirmations.ts';
import { COOLING, lastHeld, type KnownPerson, peopleBehind } from '../access/known-person.ts';
import { type Introductions, introductionsAmong, isMailbox, newManagersOf, tokenOf } from '../access/introductions.ts';
import { roleHas } from '../access/permissions.ts';
import { isFirstHand, mailboxOf } from '../access/proof.ts';

/**
 * Caveats of an approval that doesn't by itself prove two people (docs/second-person.md). The product knows
 * accounts and mailboxes; a mark shows that it can't distinguish two accounts from two people.
 */
export const APPROVAL_MARKS = [
  'added_by_author',
  'added_by_one_not_proved',
  'address_not_proved',
  'author_not_proved',
  'author_added_by_reviewer',
  'self_approved',
  'by_api_token',
] as const;
export type ApprovalMark = (typeof APPROVAL_MARKS)[number];

/** Why a reviewer's approval doesn't count for a draft. */
export type NotCounted = {
  id: string;
  because: 'address_not_proved' | 'added_after_first_save' | 'behind_the_author' | 'strict';
  /** When it counts without further action, in ms since 1970; null if someone has to do something first. */
  from: number | null;
};

/** Who counts as a second person for a draft. */
export type DraftStanding = {
  /** Everyone who could be an author: contributors, people behind them, and accounts with the same mailbox. */
  authors: ReadonlySet<string>;
  /** By id, how an account is tied to the authors; people not in the map aren't. */
  ties: ReadonlyMap<string, AuthorTie>;
  /** People whose approval counts, with its marks. */
  counted: ReadonlyMap<string, readonly ApprovalMark[]>;
  notCounted: readonly NotCounted[];
  /**
   * People whose approval doesn't count because of someone who is certainly an author: that author added them after the
   * first save, or is the only one who vouches for them. Actions of possible authors are not considered.
   */
  unable: ReadonlySet<string>;
  /**
   * For each account, the accounts that vote in its place: those with the same mailbox, those behind it, and the only
   * one that vouches for it. If two accounts yield to each other, the first one votes.
   */
  yieldsTo: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Whether someone who is certainly an author may approve: only if nobody else could review, now or within the last 7
   * days. `from`: when that will be the case, in ms since 1970, if nobody else can review now; null if someone can.
   */
  selfApproval: SelfApproval;
};

type SelfApproval = { allowed: true } | { allowed: false; from: number | null };

/**
 * How an account is tied to a draft's authors. `certain`: it saved the draft, or has the mailbox of someone who did and
 * proved that mailbox. `rests`: it isn't proved first hand, and an author's mailbox vouches for it. `possible`: an
 * unproved account used this person's mailbox or invitation; anyone could have used that account.
 */
type AuthorTie = 'certain' | 'rests' | 'possible';

const TIES = ['certain', 'rests', 'possible', undefined];

/**
 * True if `one` is tied more closely to the authors than `other`, so that only `other` may decide what the authors
 * can't decide alone.
 */
export const isCloser = ({ ties }: Pick<DraftStanding, 'ties'>, one: string, other: string): boolean =>
  TIES.indexOf(ties.get(one)) < TIES.indexOf(ties.get(other));

/** Someone who saved a draft or, if `through` is set, stood behind an account that wasn't proved when it saved. */
export type Contributor = { id: string; through: string | null };

type StandingQuestion = {
  /**
   * Everyone who may review or manage now, or could within the last 7 days, and every contributor. Transitively also
   * everyone who gave them their roles, invited them or vouches for them.
   */
  people: readonly KnownPerson[];
  contributors: readonly Contributor[];
  /** When the draft was first saved, in ms since 1970. */
  firstSavedAt: number;
  strict: boolean;
  /** The database's current time, in ms since 1970. */
  at: number;
  /** The relations among `people`. Callers that judge many drafts derive them once. */
  relations?: Relations;
  /** If present, only these reviewers are judged; the others are neither in `counted` nor in `notCounted`. */
  reviewers?: ReadonlySet<string>;
};

/** What `whoCounts` derives from the people alone; it is the same for all drafts in an organization. */
export type Relations = {
  known: ReadonlyMap<string, KnownPerson>;
  introductions: Introductions;
  /** All accounts by mailbox, proved or not. */
  accountsAt: ReadonlyMap<string, readonly KnownPerson[]>;
  /** The accounts that a mailbox is behind, see `mailboxesOf`. */
  introducedBy: ReadonlyMap<string, readonly KnownPerson[]>;
  managers: readonly KnownPerson[];
  /** People who were given a manager's role so recently that they may be new managers. */
  appointed: readonly KnownPerson[];
  yieldsTo: DraftStanding['yieldsTo'];
};

/** Derives the relations among these people, at a time in ms since 1970. At most O(n²) in people. */
export function relationsAmong(people: readonly KnownPerson[], at: number): Relations {
  const known = new Map(people.map((person) => [person.id, person]));
  const introductions = introductionsAmong(people);
  const accountsAt = new Map<string, KnownPerson[]>();
  const introducedBy = new Map<string, KnownPerson[]>();
  for (const person of people) {
    addTo(accountsAt, mailboxOf(person.email), person);
    for (const mailbox of introductions.mailboxesOf(person.id)) addTo(introducedBy, mailbox, person);
  }
  return {
    known,
    introductions,
    accountsAt,
    introducedBy,
    managers: people.filter((person) => person.provedBy !== null && lastHeld(person, 'org.manage', at) !== null),
    appointed: people.filter((person) =>
      introductions.rolesGivenTo(person).some(({ role, since }) => roleHas(role, 'org.manage') && since + COOLING > at),
    ),
    yieldsTo: sharedVotes(people, known),
  };
}

/**
 * Decides whose approval counts for a draft, and with which marks (docs/second-person.md). At most O(n²) in people.
 */
export function whoCounts({
  people,
  contributors,
  firstSavedAt,
  strict,
  at,
  relations = relationsAmong(people, at),
  reviewers,
}: StandingQuestion): DraftStanding {
  const { known, introductions, accountsAt, introducedBy, managers, appointed, yieldsTo } = relations;
  const idsAt = (mailboxes: ReadonlySet<string>): string[] =>
    [...mailboxes].flatMap((mailbox) => accountsAt.get(mailbox) ?? []).map(({ id }) => id);
  const contributed = new Set(contributors.map(({ id }) => id));
  const direct = contributors.flatMap(({ id, through }) => (through === null ? (known.get(id) ?? []) : []));
  const mailboxes = new Set([...contributed].flatMap((id) => known.get(id)?.email ?? []).map(mailboxOf));
  const authors = new Set([...contributed, ...idsAt(mailboxes)]);
  const { mailboxesOf, accountsOf, rolesGivenTo } = introductions;
  const authorMailboxes = new Set([...mailboxes, ...[...authors].map((id) => tokenOf(id))]);
  /** True for an author's account, or one that only an author's mailbox vouches for. */
  const isOneOfAuthors = (id: string): boolean => authors.has(id) || intersects(mailboxesOf(id), authorMailboxes);
  const all: AuthorGroup = { has: isOneOfAuthors, mailboxes: authorMailboxes };
  const newManagers = newManagersOf(isOneOfAuthors, { people: appointed, introductions, at });

  // Only proved mailboxes count here. An unproved account could tie anyone to a draft, because the person who uses its
  // link chose neither its address nor its inviter.
  const mailboxesProvedBy = (some: readonly KnownPerson[]): ReadonlySet<string> =>
    new Set(some.filter(({ provedBy }) => isFirstHand(provedBy)).map(({ email }) => mailboxOf(email)));
  const provedMailboxes = mailboxesProvedBy(direct);
  const certain = new Set([...direct.map(({ id }) => id), ...idsAt(provedMailboxes)]);
  const certainGroup: AuthorGroup = {
    has: (id) =>
      certain.has(id) || (mailboxesOf(id).size > 0 && [...mailboxesOf(id)].every((each) => provedMailboxes.has(each))),
    mailboxes: new Set([...provedMailboxes, ...[...certain].map((id) => tokenOf(id))]),
  };
  const mailboxesBehind = mailboxesProvedBy([...contributed].flatMap((id) => known.get(id) ?? []));
  const behindAuthors = new Set([...contributed, ...idsAt(mailboxesBehind)]);
  const ties = new Map<string, AuthorTie>();
  const tied = [...authors].flatMap((id) => known.get(id) ?? []);
  for (const mailbox of authorMailboxes) tied.push(...(introducedBy.get(mailbox) ?? []));
  for (const { id, provedBy } of tied)
    ties.set(id, certain.has(id) ? 'certain' : isFirstHand(provedBy) ? 'possible' : 'rests');

  const independent = managers.filter((person) => !certain.has(person.id) && !newManagers.has(person.id));
  const counted = new Map<string, readonly ApprovalMark[]>();
  const notCounted: NotCounted[] = [];
  const unable = new Set<string>();
  const judged = reviewers ? [...reviewers].flatMap((id) => known.get(id) ?? []) : people;
  for (const reviewer of judged.filter((person) => mayReview(person) && !direct.includes(person))) {
    const { id } = reviewer;
    if (certain.has(id) || behindAuthors.has(id)) {
      const own = certain.has(id) ? NEVER : selfApprovalOf(id);
      if (own.allowed) counted.set(id, ['self_approved']);
      else notCounted.push({ id, because: 'behind_the_author', from: own.from });
      continue;
    }
    const { marks, isAddedLate, isUnproved } = judge(reviewer, all);
    const could = whoCouldConfirm(reviewer, isUnproved);
    const from = whenNoneCould(could);
    if (isUnproved && could.length > 0) notCounted.push({ id, because: 'address_not_proved', from });
    else if (isAddedLate && could.length > 0) notCounted.push({ id, because: 'added_after_first_save', from });
    else if (strict && marks.length > 0) notCounted.push({ id, because: 'strict', from: null });
    else counted.set(id, marks);
    const surely = judge(reviewer, certainGroup);
    if ((surely.isUnproved || surely.isAddedLate) && whoCouldConfirm(reviewer, surely.isUnproved).length > 0)
      unable.add(id);
  }
  return {
    authors,
    ties,
    counted,
    notCounted,
    unable,
    yieldsTo,
    selfApproval: selfApprovalOf(null),
  };

  function whoCouldConfirm(reviewer: KnownPerson, isUnproved: boolean): KnownPerson[] {
    const behind = peopleBehind(reviewer, known);
    const given = rolesGivenTo(reviewer).map(({ givenBy }) => givenBy);
    const adders = new Set([...given, ...reviewer.confirmedBy, reviewer.invitedBy]);
    // Any other manager can prove an account, but only an independent one can confirm someone added by an author.
    return (isUnproved && reviewer.provedBy === null ? managers : independent).filter(
      ({ id }) => id !== reviewer.id && !behind.has(id) && !(authors.has(id) && adders.has(id)),
    );
  }

  function judge(
    reviewer: KnownPerson,
    group: AuthorGroup,
  ): { marks: ApprovalMark[]; isAddedLate: boolean; isUnproved: boolean } {
    const powers = rolesGivenTo(reviewer).filter(({ role }) => roleHas(role, 'draft.review'));
    const given = powers.filter(({ givenBy }) => group.has(givenBy));
    const isVouchedByAuthors =
      reviewer.provedBy === 'manager' && !vouchersOf(reviewer).some((manager) => isApartFrom(manager, group));
    // A manager who vouches for the author isn't an independent third person for the reviewer.
    const involved = new Set([...group.mailboxes, ...direct.flatMap(provingMailboxes)]);
    const isAdded = (given.length > 0 && !isConfirmed(reviewer, involved)) || isVouchedByAuthors;
    const marks: ApprovalMark[] = [];
    if (isAdded) marks.push('added_by_author');
    else if (powers.some(({ givenBy }) => isNobodysWord(givenBy, reviewer)) && !isConfirmed(reviewer, involved))
      marks.push('added_by_one_not_proved');
    if (!hasProvedAddress(reviewer)) marks.push('address_not_proved');
    const isUnknown = (author: KnownPerson): boolean =>
      hasProvedAddress(reviewer) && !isAddedBy(author, reviewer) && restOnOneMailbox(author, reviewer);
    if (authors.has(reviewer.id) || direct.some((author) => !hasProvedAddress(author) || isUnknown(author)))
      marks.push('author_not_proved');
    if (direct.some((author) => isAddedBy(author, reviewer))) marks.push('author_added_by_reviewer');
    return {
      marks,
      isAddedLate: isAdded && given.some(({ since }) => since > firstSavedAt),
      isUnproved: reviewer.provedBy === null || isVouchedByAuthors,
    };
  }

  /** True if the person who gave the role has no mailbox except the receiver's own, like a founder without a proof. */
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
   * True if one mailbox vouches for both people: the same manager is the only one to vouch for each, or one of the two
   * vouches for the other.
   */
  function restOnOneMailbox(author: KnownPerson, reviewer: KnownPerson): boolean {
    return new Set([...provingMailboxes(author), ...provingMailboxes(reviewer)]).size === 1;
  }

  /** True if the address was proved by mail or the identity provider, or a manager with such a proof vouches for it. */
  function hasProvedAddress(person: KnownPerson): boolean {
    return (
      isFirstHand(person.provedBy) ||
      (person.provedBy === 'manager' && vouchersOf(person).some(({ provedBy }) => isFirstHand(provedBy)))
    );
  }

  function isApartFrom(manager: KnownPerson, group: AuthorGroup): boolean {
    const wasGivenPower = rolesGivenTo(manager).some(
      ({ role, givenBy }) => roleHas(role, 'org.manage') && group.has(givenBy),
    );
    return !group.has(manager.id) && !wasGivenPower;
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
   * True if the reviewer added the author or gave them a role, and nobody else confirmed that, or if no manager who
   * vouches for the author is independent of the reviewer.
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

  function whenNoneCould(could: readonly KnownPerson[]): number | null {
    const lastManaged = could.map((person) => lastHeld(person, 'org.manage', at));
    const ended = lastManaged.filter((each) => typeof each === 'number');
    return ended.length === lastManaged.length && ended.length > 0 ? Math.max(...ended) + COOLING : null;
  }

  /**
   * Returns whether a person may approve alone. If `id` is null, the person is certainly an author, and everyone else
   * counts as another possible reviewer. If `id` names someone behind an author, the others behind the authors count
   * only if their tie is looser.
   */
  function selfApprovalOf(id: string | null): SelfApproval {
    if (strict) return NEVER;
    const isOwn = (other: string): boolean =>
      certain.has(other) || other === id || (id !== null && behindAuthors.has(other) && !isCloser({ ties }, id, other));
    let last: number | null = null;
    for (const person of people) {
      const held = isOwn(person.id) ? null : lastHeld(person, 'draft.review', at);
      if (held === 'now') return NEVER;
      if (held !== null) last = Math.max(last ?? held, held);
    }
    return last === null ? { allowed: true } : { allowed: false, from: last + COOLING };
  }
}

function addTo<T>(groups: Map<string, T[]>, key: string, value: T): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

function intersects(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

const NEVER = { allowed: false, from: null } as const;

/** The accounts that count as authors, and their mailboxes. */
type AuthorGroup = { has: (id: string) => boolean; mailboxes: ReadonlySet<string> };

function sharedVotes(
  people: readonly KnownPerson[],
  known: ReadonlyMap<string, KnownPerson>,
): Map<string, ReadonlySet<string>> {
  const isProved = new Set(people.filter(({ provedBy }) => isFirstHand(provedBy)).map(({ id }) => id));
  const yieldsTo = new Map(people.map(({ id }) => [id, new Set<string>()]));
  const add = (one: string, other: string): void => {
    if (one !== other && (isProved.has(other) || !isProved.has(one))) yieldsTo.get(one)?.add(other);
  };
  // People with the same mailbox, and people with the same only voucher.
  const groups = new Map<string, string[]>();
  for (const person of people) {
    const { id } = person;
    for (const behind of peopleBehind(person, known)) {
      if (!known.has(behind)) continue;
      add(id, behind);
      add(behind, id);
    }
    const word = onlyWordFor(person, known);
    for (const group of [`mailbox ${mailboxOf(person.email)}`, ...(word === null ? [] : [`word ${word}`])]) {
      for (const other of groups.get(group) ?? []) {
        add(id, other);
        add(other, id);
      }
      addTo(groups, group, id);
    }
  }
  return yieldsTo;
}

/**
 * Returns the only mailbox that proves a person: their own, or that of the managers who vouch for them, or null if
 * there are several.
 */
function onlyWordFor(person: KnownPerson, known: ReadonlyMap<string, KnownPerson>): string | null {
  const words = new Set<string>();
  const reached = new Set([person]);
  for (const each of reached) {
    if (isFirstHand(each.provedBy)) words.add(mailboxOf(each.email));
    else if (each.provedBy === 'founder') words.add(tokenOf(each.id));
    else {
      const by = each.provedBy === 'manager' ? each.confirmedBy : [each.invitedBy ?? ''];
      for (const id of by) {
        const voucher = known.get(id);
        if (voucher) reached.add(voucher);
      }
    }
  }
  const [word, second] = words;
  return second === undefined ? (word ?? null) : null;
}

const mayReview = ({ role }: KnownPerson): boolean => role !== null && roleHas(role, 'draft.review');

const MARK_WORDS: Record<ApprovalMark, string> = {
  added_by_author: 'reviewer added by the author',
  added_by_one_not_proved: 'reviewer added by someone whose address is not proved',
  address_not_proved: 'address not proved',
  author_not_proved: "author's address not proved",
  author_added_by_reviewer: 'author added by the reviewer',
  self_approved: 'self-approved: no other reviewer',
  by_api_token: 'by API token',
};

/** Returns the marks of an approval in words: 'reviewer added by the author, address not proved'. */
export const markWords = (marks: readonly ApprovalMark[]): string => marks.map((mark) => MARK_WORDS[mark]).join(', ');
