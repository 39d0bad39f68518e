/** Cache keys of a review. All keys of a draft share a prefix. */
export const reviewKeys = {
  draft: (draftId: string) => ['review', draftId] as const,
  whole: (draftId: string) => ['review', draftId, 'whole'] as const,
  diff: (draftId: string, against: string, limit: number) => ['review', draftId, 'diff', against, limit] as const,
  reviewed: (draftId: string, reviewId: string) => ['review', draftId, 'reviewed', reviewId] as const,
  findings: (draftId: string) => ['review', draftId, 'findings'] as const,
  impact: (draftId: string) => ['review', draftId, 'impact'] as const,
};
