import { copyForChanges } from '@stet/domain/workflows';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useIntent } from '../../../lib/api/intent.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { ownDraft } from '../model/version-facts.ts';
import { docsKeys } from './docs-keys.ts';

type NewDraft = {
  key: string;
  /**
   * `change`: always creates a new draft, whose description is marked as a copy. `version`: uses the user's own draft
   * (`ownDraft`), and creates one if there is none. A new draft has the steps of the live version or, without one, of
   * the draft that was changed last.
   */
  as: 'change' | 'version';
};
type OpenedDraft = { key: string; draftId: string; isNew: boolean };

/** Finds or creates the draft for changing a workflow. The caller opens it. */
export function useNewDraft() {
  const queryClient = useQueryClient();
  const { id: userId } = useUser();
  const intent = useIntent();
  return useMutation({
    mutationFn: async ({ key, as }: NewDraft): Promise<OpenedDraft> => {
      const source = await api('GET /api/workflows/{key}', { params: { key } });
      const own = as === 'version' ? ownDraft(source.versions, userId) : null;
      if (own) return { key, draftId: own.id, isNew: false };
      const content = { metadata: source.metadata, steps: source.steps };
      const body = { key, ...(as === 'change' ? copyForChanges(content) : content) };
      const { draftId } = await api('POST /api/workflows/{key}/drafts', {
        params: { key },
        body,
        idempotencyKey: intent.keyFor(body),
      });
      return { key, draftId, isNew: true };
    },
    onSettled: (_opened, error, { key }) => {
      intent.finish(error ?? undefined);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      void queryClient.invalidateQueries({ queryKey: docsKeys.workflow(key) });
    },
  });
}
