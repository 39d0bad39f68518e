import { newManagersOf, tokenOf } from '../access/introductions.ts';
import { COOLING, type KnownPerson, lastHeld, peopleBehind } from '../access/known-person.ts';
import { roleHas } from '../access/permissions.ts';
import { isFirstHand, mailboxOf } from '../access/proof.ts';
import type { OrgRole } from '../access/roles.ts';
import type { ApprovalMark } from './approval-marks.ts';
import type { Relations } from './relations.ts';

/** The reason why a reviewer's approval doesn't count for a draft. */
export type NotCounted = {
  id: string;
  because: 'address_not_proved' | 'added_after_first_save' | 'behind_the_author' | 'strict';
  /** When the approval counts without further action, in ms since 1970; null if someone has to do something first. */
  from: number | null;
};

/** The people who count as a second person for a draft. */
export type DraftStanding = {
  /** Everyone who could be an author: contributors, people behind them, and accounts with the same mailbox. */
  authors: ReadonlySet<string>;
  /** The tie between an account and the authors, by the account's id. Accounts without a tie aren't in the map. */
  ties: ReadonlyMap<string, AuthorTie>;
  /** People whose approval counts, with its marks. */
  counted: ReadonlyMap<string, readonly ApprovalMark[]>;
  notCounted: readonly NotCounted[];
  /** For each of the given delegates, by id: whether their approval counts, and the marks that they add to it. */
  delegates: ReadonlyMap<string, DelegateVerdict>;
  /**
   * People whose approval doesn't count, although another manager could change that: they aren't proved, or someone who
   * is certainly an author added them after the first save or is the only one who vouches for them. Actions of possible
   * authors are not considered.
   */
  unable: ReadonlySet<string>;
  /**
   * For each account, the accounts that vote in its place: those with the same mailbox, those behind it or that it is
   * behind, and those proved only by the same mailbox. An account that isn't proved first hand never votes in the place
   * of one that is. If two accounts share a vote, the first one to approve uses it.
   */
  yieldsTo: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * Accounts that could be an author: only their mailbox vouches, perhaps through others, for an author who has proved
   * no mailbox, and no other mailbox proves these accounts. Members whom they added to a group, or named as reviewers,
   * are marked as added by the author.
   */
  vouchersOfAuthors: ReadonlySet<string>;
  /**
   * `allowed`: whether a certain author may approve, because nobody else could review, now or within the last 7 days.
   * `from`: if nobody else can review now, the time from which the author may approve, in ms since 1970; otherwise
   * null.
   */
  selfApproval: SelfApproval;
};

/** Whether an approval by a delegate counts, with the marks that they add to those of the delegator. */
export type DelegateVerdict = { marks: readonly ApprovalMark[] } | NotCounted;
type SelfApproval = { allowed: true } | { allowed: false; from: number | null };

/**
 * The tie between an account and a draft's authors. `certain`: the account saved the draft, or has the mailbox of
 * someone who saved it and proved that mailbox. `rests`: the account isn't proved first hand, and it has an author's
 * mailbox, stood behind an author, or is invited or confirmed from an author's mailbox. `possible`: an unproved account
 * with this person's mailbox or invitation saved the draft, but anyone could have used it.
 */
type AuthorTie = 'certain' | 'rests' | 'possible';

const TIES = ['certain', 'rests', 'possible', undefined];

/**
 * Returns a function that checks whether `other` could decide instead of `one`, who has a tie to the authors. If so,
 * `one` may not make decisions that authors can't make alone. One reason is that `other` has a looser tie. The other
 * reason: neither is certainly an author, and `other` is proved by a mailbox that proves neither `one` nor anyone who
 * is certainly an author. An unproved account that saved the draft can then belong to only one of them. A founder needs
 * no proof, so as `other`, they count with the mailbox of their address.
 */
export function decidersInstead(
  ties: DraftStanding['ties'],
  { known, provingMailboxes }: Pick<Relations, 'known' | 'provingMailboxes'>,
): (one: string, other: string) => boolean {
  const mailboxesOf = (id: string): readonly string[] => {
    const person = known.get(id);
    return person ? provingMailboxes(person) : [];
  };
  const mailboxesOfOther = (id: string): readonly string[] => {
    const person = known.get(id);
    return person?.provedBy === 'founder' ? [mailboxOf(person.email)] : mailboxesOf(id);
  };
  const isCertain = (id: string): boolean => ties.get(id) === 'certain';
  const certain = new Set(
    [...ties.keys()].filter((id) => isCertain(id) && isFirstHand(known.get(id)?.provedBy ?? null)).flatMap(mailboxesOf),
  );
  return (one, other) => {
    if (TIES.indexOf(ties.get(one)) < TIES.indexOf(ties.get(other))) return true;
    if (isCertain(one) || isCertain(other)) return false;
    const own = mailboxesOf(one);
    return mailboxesOfOther(other).some((mailbox) => !own.includes(mailbox) && !certain.has(mailbox));
  };
}

/**
 * Someone who saved a draft or, if `through` is set, stood behind an account that wasn't proved when it saved the
 * draft.
 */
export type Contributor = { id: string; through: string | null };

type StandingQuestion = {
  /** The relations among everyone involved. Callers that check many drafts derive the relations only once. */
  relations: Relations;
  /** The people whose approvals are checked. All others are neither in `counted` nor in `notCounted`. */
  reviewers: readonly KnownPerson[];
  /** Members who may act for a reviewer. They need no reviewing role. */
  delegates?: readonly KnownPerson[];
  contributors: readonly Contributor[];
  /** When the draft was first saved, in ms since 1970. */
  firstSavedAt: number;
  strict: boolean;
};

/** Decides whose approval counts for a draft, and with which marks (docs/second-person.md). At most O(n²) in people. */
export function whoCounts({
  relations,
  reviewers,
  delegates = [],
  contributors,
  firstSavedAt,
  strict,
}: StandingQuestion): DraftStanding {
  const { people, at, known, idsAt, mailboxesOf, rolesGivenTo, managers, appointed, yieldsTo } = relations;
  const { provingMailboxes, onlyVoucherOf, vouchersOf, isConfirmed, isAddedBy, hasProvedAddress } = relations;
  const contributed = new Set(contributors.map(({ id }) => id));
  const direct = contributors.flatMap(({ id, through }) => (through === null ? (known.get(id) ?? []) : []));
  const mailboxes = new Set([...contributed].flatMap((id) => known.get(id)?.email ?? []).map(mailboxOf));
  const authors = new Set([...contributed, ...idsAt(mailboxes)]);
  const authorMailboxes = new Set([...mailboxes, ...[...authors].map((id) => tokenOf(id))]);
  /** True for an author's account, or one that only an author's mailbox vouches for. */
  const isOneOfAuthors = (id: string): boolean => authors.has(id) || intersects(mailboxesOf(id), authorMailboxes);
  const all: AuthorGroup = { has: isOneOfAuthors, mailboxes: authorMailboxes };
  const newManagers = newManagersOf(isOneOfAuthors, { people: appointed, introductions: relations, at });

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
  for (const mailbox of authorMailboxes) tied.push(...relations.introducedBy(mailbox));
  for (const { id, provedBy } of tied)
    ties.set(id, certain.has(id) ? 'certain' : isFirstHand(provedBy) ? 'possible' : 'rests');

  const isProvedOnlyBy = (mailbox: string, person: KnownPerson): boolean =>
    person.provedBy === 'manager'
      ? onlyVoucherOf(person, { asManager: true }) === mailbox
      : provingMailboxes(person).every((own) => own === mailbox);
  const vouchersOfAuthors = new Set(
    direct
      .flatMap((author) => onlyVoucherOf(author) ?? [])
      .flatMap((mailbox) => relations.introducedBy(mailbox).filter((person) => isProvedOnlyBy(mailbox, person)))
      .map(({ id }) => id),
  );
  const couldDecideInstead = decidersInstead(ties, relations);

  const independent = managers.filter((person) => !certain.has(person.id) && !newManagers.has(person.id));
  const counted = new Map<string, readonly ApprovalMark[]>();
  const notCounted: NotCounted[] = [];
  const unable = new Set<string>();
  for (const reviewer of reviewers.filter((person) => canReview(person) && !direct.includes(person))) {
    const { id } = reviewer;
    if (certain.has(id) || behindAuthors.has(id)) {
      const own = certain.has(id) ? NEVER : selfApprovalOf(id);
      if (own.allowed) counted.set(id, ['self_approved']);
      else notCounted.push({ id, because: 'behind_the_author', from: own.from });
      continue;
    }
    const verdict = verdictOn(reviewer, isReviewingRole);
    if ('because' in verdict) notCounted.push(verdict);
    else counted.set(id, verdict.marks);
    const surely = judge(reviewer, certainGroup, isReviewingRole);
    if ((surely.isUnproved || surely.isAddedLate) && whoCouldConfirm(reviewer, surely.isUnproved).length > 0)
      unable.add(id);
  }
  return {
    authors,
    ties,
    counted,
    notCounted,
    delegates: new Map(delegates.map((delegate) => [delegate.id, verdictOnDelegate(delegate)])),
    unable,
    yieldsTo,
    vouchersOfAuthors,
    selfApproval: selfApprovalOf(null),
  };

  function verdictOn(reviewer: KnownPerson, isPower: (role: OrgRole) => boolean): DelegateVerdict {
    const { id } = reviewer;
    const { marks, isAddedLate, isUnproved } = judge(reviewer, all, isPower);
    const could = whoCouldConfirm(reviewer, isUnproved);
    const from = whenNoneCould(could);
    if (isUnproved && could.length > 0) return { id, because: 'address_not_proved', from };
    if (isAddedLate && could.length > 0) return { id, because: 'added_after_first_save', from };
    return strict && marks.length > 0 ? { id, because: 'strict', from: null } : { marks };
  }

  /**
   * Judges someone who acts for a reviewer. They can do so with any role, so they are marked as added by an author
   * whatever role the author gave them. Their address must be proved first hand, because managers confirmed them only
   * for their own role.
   */
  function verdictOnDelegate(delegate: KnownPerson): DelegateVerdict {
    const { id, role, isDisabled, provedBy } = delegate;
    if (certain.has(id) || behindAuthors.has(id) || direct.includes(delegate))
      return { id, because: 'behind_the_author', from: null };
    if (role === null || isDisabled || !isFirstHand(provedBy)) return { id, because: 'address_not_proved', from: null };
    return verdictOn(delegate, () => true);
  }

  function whoCouldConfirm(reviewer: KnownPerson, isUnproved: boolean): KnownPerson[] {
    const behind = peopleBehind(reviewer, known);
    const given = rolesGivenTo(reviewer).map(({ givenBy }) => givenBy);
    const adders = new Set([...given, ...reviewer.confirmedBy, reviewer.invitedBy]);
    const isOther = ({ id }: KnownPerson): boolean => id !== reviewer.id && !behind.has(id);
    // Any other manager can prove an account, but only an independent one can confirm someone added by an author.
    if (!isUnproved || reviewer.provedBy !== null)
      return independent.filter((person) => isOther(person) && !(authors.has(person.id) && adders.has(person.id)));
    return [
      ...managers.filter((person) => isOther(person) && !(authors.has(person.id) && adders.has(person.id))),
      ...secondManagersAmong(managers.filter(({ id }) => behind.has(id))),
    ];
  }

  /**
   * If all managers are behind an account, it can belong to only one of them. Returns the managers whose mailbox
   * differs from that of the first one. Current managers come before former ones, the latest to leave first.
   */
  function secondManagersAmong(some: readonly KnownPerson[]): KnownPerson[] {
    const until = (person: KnownPerson): number => {
      const held = lastHeld(person, 'org.manage', at);
      return held === 'now' ? Infinity : (held ?? 0);
    };
    const [first, ...others] = some.toSorted((one, other) => until(other) - until(one) || (one.id < other.id ? -1 : 1));
    return others.filter(({ email }) => first !== undefined && mailboxOf(email) !== mailboxOf(first.email));
  }

  function judge(
    reviewer: KnownPerson,
    group: AuthorGroup,
    isPower: (role: OrgRole) => boolean,
  ): { marks: ApprovalMark[]; isAddedLate: boolean; isUnproved: boolean } {
    const powers = rolesGivenTo(reviewer).filter(({ role }) => isPower(role));
    const given = powers.filter(({ givenBy }) => group.has(givenBy));
    const isVouchedByAuthors =
      reviewer.provedBy === 'manager' && !vouchersOf(reviewer).some((manager) => isApartFrom(manager, group));
    // A manager who vouches for the author isn't an independent third person for the reviewer.
    const involved = new Set([...group.mailboxes, ...direct.flatMap(provingMailboxes)]);
    const isAdded = (given.length > 0 && !isConfirmed(reviewer, involved)) || isVouchedByAuthors;
    const marks: ApprovalMark[] = [];
    if (isAdded) marks.push('added_by_author');
    else if (
      powers.some(({ givenBy }) => relations.isNobodysWord(givenBy, reviewer)) &&
      !isConfirmed(reviewer, involved)
    )
      marks.push('added_by_one_not_proved');
    if (!hasProvedAddress(reviewer)) marks.push('address_not_proved');
    const isUnknown = (author: KnownPerson): boolean =>
      hasProvedAddress(reviewer) && !isAddedBy(author, reviewer) && relations.restOnOneMailbox(author, reviewer);
    if (authors.has(reviewer.id) || direct.some((author) => !hasProvedAddress(author) || isUnknown(author)))
      marks.push('author_not_proved');
    if (direct.some((author) => isAddedBy(author, reviewer))) marks.push('author_added_by_reviewer');
    return {
      marks,
      isAddedLate: isAdded && given.some(({ since }) => since > firstSavedAt),
      isUnproved: reviewer.provedBy === null || isVouchedByAuthors,
    };
  }

  function isApartFrom(manager: KnownPerson, group: AuthorGroup): boolean {
    const wasGivenPower = rolesGivenTo(manager).some(
      ({ role, givenBy }) => roleHas(role, 'org.manage') && group.has(givenBy),
    );
    return !group.has(manager.id) && !wasGivenPower;
  }

  function whenNoneCould(could: readonly KnownPerson[]): number | null {
    const lastManaged = could.map((person) => lastHeld(person, 'org.manage', at));
    const ended = lastManaged.filter((each) => typeof each === 'number');
    return ended.length === lastManaged.length && ended.length > 0 ? Math.max(...ended) + COOLING : null;
  }

  /**
   * Returns whether a person may approve alone. If `id` is null, the person is certainly an author, and everyone who
   * isn't counts as another possible reviewer. If `id` names someone behind an author, other people behind the authors
   * count only if they could decide instead.
   */
  function selfApprovalOf(id: string | null): SelfApproval {
    if (strict) return NEVER;
    const isOwn = (other: string): boolean =>
      certain.has(other) || other === id || (id !== null && behindAuthors.has(other) && !couldDecideInstead(id, other));
    let last: number | null = null;
    for (const person of people) {
      const held = isOwn(person.id) ? null : lastHeld(person, 'draft.review', at);
      if (held === 'now') return NEVER;
      if (held !== null) last = Math.max(last ?? held, held);
    }
    return last === null ? { allowed: true } : { allowed: false, from: last + COOLING };
  }
}

function intersects(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

const NEVER = { allowed: false, from: null } as const;

/** The accounts that count as authors, and their mailboxes. */
type AuthorGroup = { has: (id: string) => boolean; mailboxes: ReadonlySet<string> };

const isReviewingRole = (role: OrgRole): boolean => roleHas(role, 'draft.review');
const canReview = ({ role, isDisabled }: KnownPerson): boolean => role !== null && !isDisabled && isReviewingRole(role);
