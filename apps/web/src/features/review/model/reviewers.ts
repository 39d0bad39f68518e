import type { Review, WholeDraft } from '@stet/contract';

/**
 * A person's latest review. `dismissed`: the content has changed since then. `not_counted`: their approval doesn't
 * count. `none`: they haven't reviewed yet. `not_yet`: they haven't reviewed yet, and their approval wouldn't count.
 */
type Stance = 'approved' | 'changes_requested' | 'dismissed' | 'not_counted' | 'none' | 'not_yet';
type NotCounted = WholeDraft['notCounted'][number];
export type Reviewer = {
  id: string;
  name: string;
  /** The name of the delegator, if they reviewed as a delegate. */
  onBehalfOf: string | null;
  stance: Stance;
  at: string | null;
  /** The approval's marks. */
  marks: Review['marks'];
  /** The reason why the person's approval doesn't count for this draft. Null if it does. */
  notCounted: NotCounted | null;
};

const ORDER: readonly Stance[] = ['changes_requested', 'approved', 'dismissed', 'not_counted', 'none', 'not_yet'];

/**
 * Everyone who has reviewed the draft or can do so. Requests for changes come first, and people whose approval wouldn't
 * count come last.
 */
export function reviewersOf({
  reviews,
  reviewers,
  notCounted,
}: Pick<WholeDraft, 'reviews' | 'reviewers' | 'notCounted'>): Reviewer[] {
  const inForce = reviews.filter(({ standing }) => standing !== 'withdrawn');
  // A review by a delegate is listed in the delegator's place, because it is their review. It can replace an earlier
  // one of the delegate.
  const latest = new Map(inForce.map((review) => [ownerOf(review).id, review]));
  const last = new Map([...latest].filter(([, { standing }]) => standing !== 'replaced'));
  const outside = new Map(notCounted.map((person) => [person.id, person]));
  const spoken = [...last].map(([id, review]): Reviewer => ({
    id,
    name: review.reviewer.name,
    onBehalfOf: review.onBehalfOf?.name ?? null,
    stance: stanceOf(review),
    at: review.at,
    marks: review.marks,
    notCounted: outside.get(id) ?? null,
  }));
  const silent = reviewers
    .filter(({ id }) => !last.has(id))
    .map(({ id, name }): Reviewer => ({ ...nobody, id, name, stance: 'none', notCounted: null }));
  const notYet = notCounted
    .filter(({ id }) => !last.has(id))
    .map((person): Reviewer => ({
      ...nobody,
      id: person.id,
      name: person.name,
      stance: 'not_yet',
      notCounted: person,
    }));
  return [...spoken, ...silent, ...notYet].toSorted(
    (one, other) => ORDER.indexOf(one.stance) - ORDER.indexOf(other.stance),
  );
}

/** The values for someone who hasn't reviewed. */
const nobody = { onBehalfOf: null, at: null, marks: [] };

const ownerOf = ({ reviewer, onBehalfOf }: Review): Review['reviewer'] => onBehalfOf ?? reviewer;

const BECAUSE = {
  address_not_proved: 'Address not proved',
  added_after_first_save:
    'An author made them a reviewer after the draft was first saved; another owner or admin must confirm them',
  behind_the_author: 'An author’s actions also count as theirs',
  strict: 'Their approval would be marked, and strict reviews don’t count marked approvals',
} satisfies Record<NotCounted['because'], string>;

/** The reason why a person's approval doesn't count for the draft. */
export const becauseWords = ({ because }: NotCounted): string => BECAUSE[because];

function stanceOf({ verdict, standing }: Review): Stance {
  switch (standing) {
    case 'counts':
    // `reviewersOf` leaves out replaced reviews.
    case 'replaced':
      return verdict;
    case 'dismissed':
    // `reviewersOf` leaves out withdrawn approvals.
    case 'withdrawn':
      return 'dismissed';
    case 'not_counted':
      return 'not_counted';
  }
}
