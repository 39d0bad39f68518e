import type { Comment, Diff, WholeDraft } from '@stet/contract';
import { grouped } from './grouped.ts';

/**
 * A review's comments: those on each step, even a removed one, and those on the whole draft or an unknown step. `open`
 * is the number of unresolved ones.
 */
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

/** A comment or decision about the whole draft. */
export type Said = { kind: 'comment'; at: string; comment: Comment } | { kind: 'review'; at: string; review: Review };
type Review = WholeDraft['reviews'][number];

export function draftDiscussion(general: readonly Comment[], reviews: readonly Review[]): Said[] {
  const entries: Said[] = [
    ...general.map((comment) => ({ kind: 'comment' as const, at: comment.at, comment })),
    ...reviews.map((review) => ({ kind: 'review' as const, at: review.at, review })),
  ];
  return entries.toSorted((one, other) => one.at.localeCompare(other.at));
}
