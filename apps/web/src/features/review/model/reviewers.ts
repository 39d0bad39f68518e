import type { Review, WholeDraft } from '@stet/contract';

/** What a person has said of the draft last; `none` of someone who could and has not. */
type Stance = 'approved' | 'changes_requested' | 'dismissed' | 'not_counted' | 'none';
export type Reviewer = { id: string; name: string; stance: Stance; at: string | null };

const ORDER: readonly Stance[] = ['changes_requested', 'approved', 'dismissed', 'not_counted', 'none'];

/** Everyone who has reviewed the draft or could: who stands against it first, who said nothing last. */
export function reviewersOf({ reviews, reviewers }: Pick<WholeDraft, 'reviews' | 'reviewers'>): Reviewer[] {
  const last = new Map(reviews.map((review) => [review.reviewer.id, review]));
  const spoken = [...last.values()].map((review) => ({
    id: review.reviewer.id,
    name: review.reviewer.name,
    stance: stanceOf(review),
    at: review.at,
  }));
  const silent = reviewers
    .filter(({ id }) => !last.has(id))
    .map(({ id, name }) => ({ id, name, stance: 'none' as const, at: null }));
  return [...spoken, ...silent].toSorted((one, other) => ORDER.indexOf(one.stance) - ORDER.indexOf(other.stance));
}

function stanceOf({ verdict, standing }: Review): Stance {
  switch (standing) {
    case 'counts':
    // The last word of a person is replaced by nothing.
    case 'replaced':
      return verdict;
    case 'dismissed':
      return 'dismissed';
    case 'not_counted':
      return 'not_counted';
  }
}
