import type { VersionRecord } from '@stet/contract';
import { api } from '../../../lib/api/api.ts';
import type { Submission } from '../../../ui/submit-form.tsx';

type DraftRef = { key: string; draftId: string };

export const submitDraft = ({ key, draftId }: DraftRef, submission: Submission = {}): Promise<VersionRecord> =>
  api('POST /api/workflows/{key}/drafts/{id}/submit', { params: { key, id: draftId }, body: submission });

export const withdrawDraft = ({ key, draftId }: DraftRef): Promise<VersionRecord> =>
  api('POST /api/workflows/{key}/drafts/{id}/withdraw', { params: { key, id: draftId } });

/** Makes a draft live if nobody else has to approve it: submits it, unless that is done, and merges it. */
export async function publishDraft(ref: DraftRef & { submitted: boolean }): Promise<VersionRecord> {
  if (!ref.submitted) await submitDraft(ref);
  const { version } = await api('POST /api/workflows/{key}/drafts/{id}/merge', {
    params: { key: ref.key, id: ref.draftId },
  });
  return version;
}

/** A reason is required if a draft that is deleted has an open request for changes or a current approval. */
type Reason = { reason?: string | undefined };
const bodyOf = ({ reason }: Reason) => (reason === undefined ? {} : { body: { reason } });

export const discardDraft = ({ key, draftId }: DraftRef, reason: Reason): Promise<{ message: string }> =>
  api('DELETE /api/workflows/{key}/drafts/{id}', { params: { key, id: draftId }, ...bodyOf(reason) });

export const deleteWorkflow = (key: string, reason: Reason) =>
  api('DELETE /api/workflows/{key}', { params: { key }, ...bodyOf(reason) });
