import type { WholeDraft } from '@stet/contract';
import type { WorkflowContent } from '@stet/domain/workflows';
import { api } from '../../../lib/api/api.ts';

type SaveInput = {
  key: string;
  /** The workflow is made by this: a key that another one has is refused. */
  isNew: boolean;
  content: WorkflowContent;
  /** The draft to write to and the revision it was loaded at; null makes a new draft. */
  draft: { draftId: string; revision: number } | null;
  idempotencyKey: string;
};
export type Saved = { draftId: string; revision: number };

/** Saves a document as a draft. Throws `ApiError`; status 409 where somebody saved the draft in the meantime. */
export async function saveDraft({ key, isNew, content, draft, idempotencyKey }: SaveInput): Promise<Saved> {
  const body = { key, metadata: content.metadata, steps: content.steps };
  if (draft === null) {
    const headers = isNew ? { 'if-none-match': '*' } : {};
    return api('POST /api/workflows/{key}/drafts', { params: { key }, body, headers, idempotencyKey });
  }
  return api('PATCH /api/workflows/{key}/drafts/{id}', {
    params: { key, id: draft.draftId },
    body,
    headers: { 'if-match': `"${draft.revision}"` },
  });
}

export const getDraft = (key: string, draftId: string): Promise<WholeDraft> =>
  api('GET /api/workflows/{key}/drafts/{id}', { params: { key, id: draftId } });
