import type { Review, WholeDraft } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';

/** The reader's abilities on a draft: their own or, with `onBehalfOf`, those as someone's delegate. */
export type ActingReviewer = Pick<WholeDraft['abilities'], 'approve' | 'requestChanges' | 'withdrawApproval'> & {
  onBehalfOf: WholeDraft['delegated'][number]['onBehalfOf'] | null;
  /** Why an approval for someone else wouldn't count. Null for the reader's own, because `ReviewNotes` explains it. */
  because: WholeDraft['delegated'][number]['because'];
};

/**
 * Everyone for whom the reader can review the draft, the reader first (`onBehalfOf` is null). Empty if they can't
 * review it for anyone.
 */
export function actingReviewers({
  abilities,
  delegated,
}: Pick<WholeDraft, 'abilities' | 'delegated'>): ActingReviewer[] {
  const { approve, requestChanges, withdrawApproval } = abilities;
  const canSelf = approve || requestChanges || withdrawApproval;
  return [
    ...(canSelf ? [{ onBehalfOf: null, approve, because: null, requestChanges, withdrawApproval }] : []),
    ...delegated,
  ];
}

/** For example `Sam Okafor for Mara Voss`. */
export const reviewerName = ({ reviewer, onBehalfOf }: Pick<Review, 'reviewer' | 'onBehalfOf'>): string =>
  onBehalfOf ? `${isolated(reviewer.name)} for ${isolated(onBehalfOf.name)}` : isolated(reviewer.name);

/**
 * The reader's latest approval that wasn't withdrawn or replaced. It may be one that they gave as a delegate, or one
 * that a delegate gave for them.
 */
export const approvalOf = ({ reviews }: Pick<WholeDraft, 'reviews'>, userId: string): Review | undefined =>
  reviews.findLast(
    ({ reviewer, onBehalfOf, verdict, standing }) =>
      verdict === 'approved' &&
      standing !== 'withdrawn' &&
      standing !== 'replaced' &&
      (reviewer.id === userId || onBehalfOf?.id === userId),
  );

/** For example `You approved for Mara Voss`, or `Sam Okafor approved for you`. */
export function approvedWords(approval: Review | undefined, userId: string): string {
  if (approval?.onBehalfOf?.id === userId) return `${isolated(approval.reviewer.name)} approved for you`;
  return approval?.onBehalfOf ? `You approved for ${isolated(approval.onBehalfOf.name)}` : 'You approved';
}
