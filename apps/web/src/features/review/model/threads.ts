import type { Comment, Diff, WholeDraft } from '@stet/contract';
import { grouped } from './grouped.ts';

/** The comments of a review: by the step they are about, and those about the whole, or a step that is nowhere any more. */
type Threads = { byStep: ReadonlyMap<string, Comment[]>; general: Comment[]; open: number };

export function threadsOf(
  { comments, steps }: Pick<WholeDraft, 'comments' | 'steps'>,
  removed: Diff['summary']['removed'],
): Threads {
  const known = new Set([...steps.map(({ id }) => id), ...removed]);
  const isGeneral = ({ stepId }: Comment) => stepId === null || !known.has(stepId);
  const byStep = grouped(
    comments.filter((comment) => !isGeneral(comment)),
    ({ stepId }) => stepId ?? '',
  );
  return {
    byStep,
    general: comments.filter(isGeneral),
    open: comments.filter(({ resolvedAt }) => resolvedAt === null).length,
  };
}

/** What was said of the draft as a whole, comments and decisions together, oldest first. */
export type Said = { kind: 'comment'; at: string; comment: Comment } | { kind: 'review'; at: string; review: Review };
type Review = WholeDraft['reviews'][number];

export function saidOfDraft(general: readonly Comment[], reviews: readonly Review[]): Said[] {
  const said: Said[] = [
    ...general.map((comment) => ({ kind: 'comment' as const, at: comment.at, comment })),
    ...reviews.map((review) => ({ kind: 'review' as const, at: review.at, review })),
  ];
  return said.toSorted((one, other) => one.at.localeCompare(other.at));
}
