import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { reviewKeys } from './review-keys.ts';

export type DraftRef = { key: string; id: string };
export type Against = 'live' | 'base' | 'approved' | 'reviewed';

/** The draft with its reviews, comments and blockers. It is updated live. */
export function useReviewedDraft(ref: DraftRef) {
  return useQuery({
    queryKey: reviewKeys.whole(ref.id),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/drafts/{id}', { params: ref, signal }),
    meta: liveOn(
      { subject: 'version' },
      { subject: 'workflow' },
      { subject: 'organization' },
      { subject: 'user' },
      { subject: 'delegation' },
    ),
    refetchInterval: usePolling(),
  });
}

/**
 * The changes in the draft. They are only reloaded on request, because people approve the content that they have read.
 * It must not change while they read it.
 */
export function useDraftDiff(ref: DraftRef, against: Against, limit: number) {
  return useQuery({
    queryKey: reviewKeys.diff(ref.id, against, limit),
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/drafts/{id}/diff', { params: ref, query: { against, limit }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    // Show the previous changes until a longer list or a different comparison has loaded.
    placeholderData: keepPreviousData,
  });
}

/** The draft's steps in a review by the reader. They never change. */
export function useReviewedContent(ref: DraftRef, reviewId: string) {
  return useQuery({
    queryKey: reviewKeys.reviewed(ref.id, reviewId),
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/drafts/{id}/reviewed-content', { params: ref, query: { reviewId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDraftFindings(ref: DraftRef) {
  return useQuery({
    queryKey: reviewKeys.findings(ref.id),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/drafts/{id}/findings', { params: ref, signal }),
    meta: liveOn({ subject: 'version' }),
  });
}

export function useDraftImpact(ref: DraftRef) {
  return useQuery({
    queryKey: reviewKeys.impact(ref.id),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/drafts/{id}/impact', { params: ref, signal }),
    meta: liveOn({ subject: 'version' }, { subject: 'run' }),
  });
}

/** A merged version. Its id is also the id of its former draft. */
export function useVersion({ key, number }: { key: string; number: string }) {
  return useQuery({
    queryKey: ['version', key, number],
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/versions/{version}', { params: { key, version: number }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
