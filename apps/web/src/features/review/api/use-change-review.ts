import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { reviewKeys } from './review-keys.ts';
import type { Submission } from '../../../ui/submit-form.tsx';
import type { DraftRef } from './use-review.ts';

/**
 * The actions on a draft in its review. `revision` is the one that the person has read. With `onBehalfOf`, the id of a
 * delegator, they act as this member's delegate.
 */
export type ReviewChange =
  | { do: 'approve'; comment: string; revision: number; onBehalfOf?: string | undefined }
  | { do: 'withdraw-approval'; revision: number; onBehalfOf?: string | undefined }
  | { do: 'request-changes'; comment: string; revision: number; onBehalfOf?: string | undefined }
  | ({ do: 'submit' } & Submission)
  | { do: 'withdraw' }
  | { do: 'merge'; revision: number; emergency?: { reason: string } }
  | { do: 'set-aside'; reviewerId: string; reason: string }
  | { do: 'comment'; body: string; stepId: string | null }
  | { do: 'resolve' | 'reopen'; commentId: string };

const draftRoutes = async () => (await import('@stet/contract/drafts')).draftRoutes;
export const commentSchema = async () => (await draftRoutes())['POST /api/workflows/{key}/drafts/{id}/comments'].body;
export const requestChangesSchema = async () =>
  (await draftRoutes())['POST /api/workflows/{key}/drafts/{id}/request-changes'].body;
export const emergencySchema = async () =>
  (await draftRoutes())['POST /api/workflows/{key}/drafts/{id}/merge'].body.unwrap().shape.emergency.unwrap();
export const setAsideSchema = async () =>
  (await draftRoutes())['POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside'].body;

const delegatorIn = ({ onBehalfOf }: { onBehalfOf?: string | undefined }) =>
  onBehalfOf === undefined ? {} : { onBehalfOf };

async function send(params: DraftRef, change: ReviewChange, idempotencyKey: string): Promise<void> {
  const read = 'revision' in change ? { headers: { 'if-match': `"${change.revision}"` } } : {};
  switch (change.do) {
    case 'approve': {
      const body = { ...(change.comment !== '' && { comment: change.comment }), ...delegatorIn(change) };
      await api('POST /api/workflows/{key}/drafts/{id}/approve', { params, body, idempotencyKey, ...read });
      return;
    }
    case 'withdraw-approval':
      await api('POST /api/workflows/{key}/drafts/{id}/withdraw-approval', {
        params,
        body: delegatorIn(change),
        idempotencyKey,
        ...read,
      });
      return;
    case 'request-changes': {
      const body = { comment: change.comment, ...delegatorIn(change) };
      await api('POST /api/workflows/{key}/drafts/{id}/request-changes', { params, body, idempotencyKey, ...read });
      return;
    }
    case 'submit': {
      const { do: _submit, ...body } = change;
      await api('POST /api/workflows/{key}/drafts/{id}/submit', { params, body, idempotencyKey });
      return;
    }
    case 'withdraw':
      await api('POST /api/workflows/{key}/drafts/{id}/withdraw', { params, idempotencyKey });
      return;
    case 'merge':
      await api('POST /api/workflows/{key}/drafts/{id}/merge', {
        params,
        idempotencyKey,
        ...(change.emergency && { body: { emergency: change.emergency } }),
        ...read,
      });
      return;
    case 'set-aside':
      await api('POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside', {
        params: { ...params, reviewerId: change.reviewerId },
        body: { reason: change.reason },
        idempotencyKey,
      });
      return;
    case 'comment': {
      const body = { body: change.body, ...(change.stepId !== null && { stepId: change.stepId }) };
      await api('POST /api/workflows/{key}/drafts/{id}/comments', { params, body, idempotencyKey });
      return;
    }
    case 'resolve':
    case 'reopen': {
      const call = { params: { ...params, commentId: change.commentId }, idempotencyKey };
      if (change.do === 'resolve')
        await api('POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/resolve', call);
      else await api('POST /api/workflows/{key}/drafts/{id}/comments/{commentId}/reopen', call);
    }
  }
}

/**
 * Executes an action on a draft and reloads the draft, even if the action fails, because the draft may have changed in
 * the meantime.
 */
export function useChangeReview(ref: DraftRef) {
  const queryClient = useQueryClient();
  const intent = useIntent();
  return useMutation({
    mutationFn: (change: ReviewChange) => send(ref, change, intent.keyFor(change)),
    onSuccess: async (_, change) => {
      intent.finish();
      await queryClient.invalidateQueries({ queryKey: reviewKeys.whole(ref.id) });
      // The editor and the lists have cached data that is now outdated.
      for (const queryKey of [['workflows'], ['workflow', ref.key], ['draft', ref.key], ['confirmations']])
        void queryClient.invalidateQueries({ queryKey });
      if (change.do === 'merge') void queryClient.invalidateQueries({ queryKey: reviewKeys.draft(ref.id) });
    },
    onError: (error) => {
      intent.finish(error);
      return queryClient.invalidateQueries({ queryKey: reviewKeys.whole(ref.id) });
    },
  });
}
