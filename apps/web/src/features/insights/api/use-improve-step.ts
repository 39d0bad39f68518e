import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** Adds the figures or deviations of a step as a comment on this step of a draft. */
export function useCommentFigures() {
  return useMutation({
    mutationFn: ({ key, draftId, stepId, body }: { key: string; draftId: string; stepId: string; body: string }) =>
      api('POST /api/workflows/{key}/drafts/{id}/comments', { params: { key, id: draftId }, body: { body, stepId } }),
  });
}
