import type { WorkflowContent } from '@stet/domain/workflows';
import { isStatus } from '../../../lib/api/api-error.ts';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { contentOf, recordOfDraft } from '../model/source.ts';
import type { ServerSide } from '../model/source.ts';
import { loadSource } from './load-source.ts';
import { getDraft } from './save-draft.ts';

type RefusedSave = { key: string; draftId: string; saved: WorkflowContent };

/** The server's current version, if a save was refused because of it. Null if the refusal had a different reason. */
export async function findServerSide(
  refusal: ApiError,
  { key, draftId, saved }: RefusedSave,
): Promise<ServerSide | null> {
  if (refusal.code === 'stale_revision') {
    const draft = await getDraft(key, draftId).catch(() => null);
    return draft && { content: contentOf(draft), record: recordOfDraft(draft) };
  }
  if (refusal.code !== 'already_merged' && refusal.status !== 404) return null;
  try {
    const now = await loadSource({ open: 'workflow', key, draftId: null }, Date.now());
    return { content: now.saved, record: now.record };
  } catch (reading) {
    // If the draft was the only version, the whole workflow may have been deleted.
    return isStatus(reading, 404) ? { content: saved, record: { kind: 'unsaved' } } : null;
  }
}
