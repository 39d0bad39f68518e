import type { WholeDraft } from '@stet/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { usePolling } from '../../../lib/events/live-updates.tsx';
import { NO_REVIEW, liveInsteadOf, otherDraftsOf, reviewOfDraft } from '../model/review-state.ts';
import type { ReviewState } from '../model/review-state.ts';
import type { SourceRecord } from '../model/source.ts';
import { editorKeys } from './query-keys.ts';

/** A workflow's versions and open drafts. */
export const versionsQuery = (key: string) =>
  queryOptions({
    queryKey: editorKeys.versions(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/versions', { params: { key }, signal }),
    meta: liveOn({ subject: 'version' }, { subject: 'workflow' }),
  });

/**
 * The review of the open document, updated live. `opened` is the draft as it was loaded with the document, so that it
 * isn't loaded twice.
 */
export function useReviewState(key: string, record: SourceRecord, opened: WholeDraft | undefined): ReviewState {
  const draftId = record.kind === 'draft' ? record.draftId : null;
  const openedId = record.kind === 'live' ? (record.versionId ?? null) : null;
  const polling = usePolling();
  const draft = useQuery({
    queryKey: editorKeys.draft(key, draftId ?? ''),
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/drafts/{id}', { params: { key, id: draftId ?? '' }, signal }),
    enabled: draftId !== null,
    ...(opened && opened.id === draftId && { initialData: opened }),
    select: reviewOfDraft,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: liveOn({ subject: 'version' }, { subject: 'workflow' }),
    refetchInterval: polling,
  }).data;
  const versions = useQuery({
    ...versionsQuery(key),
    enabled: record.kind !== 'unsaved',
    refetchInterval: polling,
  }).data;
  return useMemo(
    () => ({
      ...NO_REVIEW,
      ...(openedId !== null && { overtakenBy: liveInsteadOf(openedId, versions ?? []) }),
      ...draft,
      otherDrafts: otherDraftsOf(versions ?? [], draftId),
    }),
    [draft, versions, draftId, openedId],
  );
}
