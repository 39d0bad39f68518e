import type { WholeDraft } from '@stet/contract';
import type { WorkflowContent } from '@stet/domain/workflows';
import { api } from '../../../lib/api/api.ts';

type SaveInput = {
  key: string;
  /** Whether the save creates the workflow. If so, the server refuses a key that is already used. */
  isNew: boolean;
  content: WorkflowContent;
  /** The draft to save to, with the revision that was loaded. Null creates a draft. */
  draft: { draftId: string; revision: number } | null;
  /** The version that a new draft was edited from. The server refuses the draft if another version is live. */
  liveVersionId?: string;
  idempotencyKey: string;
};
export type Saved = { draftId: string; revision: number };

/**
 * Saves a document as a draft. Throws `ApiError`, with status 409 if someone else has saved the draft, or another
 * version went live, in the meantime.
 */
export async function saveDraft({
  key,
  isNew,
  content,
  draft,
  liveVersionId,
  idempotencyKey,
}: SaveInput): Promise<Saved> {
  const body = { key, metadata: content.metadata, steps: content.steps };
  if (draft === null) {
    const headers = isNew ? { 'if-none-match': '*' } : {};
    const whole = { ...body, ...(liveVersionId !== undefined && { liveVersionId }) };
    return api('POST /api/workflows/{key}/drafts', { params: { key }, body: whole, headers, idempotencyKey });
  }
  return api('PATCH /api/workflows/{key}/drafts/{id}', {
    params: { key, id: draft.draftId },
    body,
    headers: { 'if-match': `"${draft.revision}"` },
  });
}

/** The ids that the workflow's saved steps use. */
export const getStepIds = async (key: string): Promise<string[]> =>
  (await api('GET /api/workflows/{key}/step-ids', { params: { key } })).stepIds;

export const getDraft = (key: string, draftId: string): Promise<WholeDraft> =>
  api('GET /api/workflows/{key}/drafts/{id}', { params: { key, id: draftId } });
