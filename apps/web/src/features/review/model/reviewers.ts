import type { Review, WholeDraft } from '@stet/contract';

/**
 * A person's latest review. `none`: they haven't reviewed yet. `not_counted`: their approval doesn't count. `not_yet`:
 * they haven't reviewed yet, and their approval wouldn't count.
 */
type Stance = 'approved' | 'changes_requested' | 'dismissed' | 'not_counted' | 'none' | 'not_yet';
type NotCounted = WholeDraft['notCounted'][number];
export type Reviewer = {
  id: string;
  name: string;
  stance: Stance;
  at: string | null;
  /** The approval's marks. */
  marks: Review['marks'];
  /** The reason why the person's approval doesn't count for this draft. Null if it does. */
  notCounted: NotCounted | null;
};

const ORDER: readonly Stance[] = ['changes_requested', 'approved', 'dismissed', 'not_counted', 'none', 'not_yet'];

/**
 * Everyone who has reviewed the draft or can do so. Requests for changes come first, and people whose approval
 * wouldn't count come last.
 */
export function reviewersOf({
  reviews,
  reviewers,
  notCounted,
}: Pick<WholeDraft, 'reviews' | 'reviewers' | 'notCounted'>): Reviewer[] {
  const inForce = reviews.filter(({ standing }) => standing !== 'withdrawn');
  const last = new Map(inForce.map((review) => [review.reviewer.id, review]));
  const outside = new Map(notCounted.map((person) => [person.id, person]));
  const spoken = [...last.values()].map((review): Reviewer => {
    const { id, name } = review.reviewer;
    const stance = stanceOf(review);
    return { id, name, stance, at: review.at, marks: review.marks, notCounted: outside.get(id) ?? null };
  });
  const silent = reviewers
    .filter(({ id }) => !last.has(id))
    .map(({ id, name }): Reviewer => ({ id, name, stance: 'none', at: null, marks: [], notCounted: null }));
  const notYet = notCounted
    .filter(({ id }) => !last.has(id))
    .map((person): Reviewer => ({ ...person, stance: 'not_yet', at: null, marks: [], notCounted: person }));
  return [...spoken, ...silent, ...notYet].toSorted(
    (one, other) => ORDER.indexOf(one.stance) - ORDER.indexOf(other.stance),
  );
}

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
    // A person's latest review can't have been replaced.
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
