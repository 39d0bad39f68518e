/** The decision that finished a review. */
export const REVIEW_DECISIONS = ['approved', 'changes_requested'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** The actions that begin, change or end a review of a draft. */
export const REVIEW_ACTIONS = [
  'draft.submitted',
  'draft.approved',
  'draft.approval_withdrawn',
  'draft.approval_dismissed',
  'draft.changes_requested',
  'draft.withdrawn',
  'draft.merged',
] as const;
/** The actions that can finish a review. */
export const REVIEW_ENDS = ['draft.changes_requested', 'draft.merged'] as const satisfies ReviewAction[];
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

/** An event of a draft from the audit trail. `at` is in epoch milliseconds; `data` is null if the event was erased. */
export type ReviewEvent = { action: ReviewAction; at: number; data: Readonly<Record<string, unknown>> | null };

/** Times are in epoch milliseconds. */
export type FinishedReview = { submittedAt: number; decidedAt: number; decision: ReviewDecision };

/**
 * Returns the finished reviews of a draft from its events, in order. A review begins when the draft is submitted. It
 * ends when someone requests changes or, if the draft goes live, with the last approval that was valid then: the time
 * until the author merges isn't the reviewers' time. A draft that was withdrawn, or that went live without an approval
 * or in an emergency, has no decision.
 */
export function finishedReviews(events: readonly ReviewEvent[]): FinishedReview[] {
  const finished: FinishedReview[] = [];
  let submittedAt: number | null = null;
  const approvals = new Map<string, number>();
  for (const [n, { action, at, data }] of events.entries()) {
    switch (action) {
      case 'draft.submitted':
        submittedAt ??= at;
        break;
      case 'draft.approved': {
        const id = data?.['reviewId'];
        approvals.set(typeof id === 'string' ? id : `event ${n}`, at);
        break;
      }
      case 'draft.approval_withdrawn':
        for (const id of (data?.['reviewIds'] ?? []) as string[]) approvals.delete(id);
        break;
      case 'draft.approval_dismissed':
        approvals.clear();
        break;
      case 'draft.changes_requested':
        if (submittedAt !== null) finished.push({ submittedAt, decidedAt: at, decision: 'changes_requested' });
        submittedAt = null;
        break;
      case 'draft.withdrawn':
        submittedAt = null;
        break;
      case 'draft.merged':
        // An approval can be older than the submission, if the draft was withdrawn and submitted again unchanged.
        if (submittedAt !== null && approvals.size > 0 && data?.['emergency'] !== true)
          finished.push({
            submittedAt,
            decidedAt: Math.max(submittedAt, ...approvals.values()),
            decision: 'approved',
          });
        submittedAt = null;
        break;
    }
  }
  return finished;
}
