import type { WorkflowContent } from '@stet/domain/workflows';
import { isStatus } from '../../../lib/api/api-error.ts';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { contentOf, recordOfDraft } from '../model/source.ts';
import type { ServerSide } from '../model/source.ts';
import { loadSource } from './load-source.ts';
import { getDraft } from './save-draft.ts';

type RefusedSave = { key: string; draftId: string | null; saved: WorkflowContent };

/**
 * The server's current content, if a save was refused because someone else saved the draft, the draft was merged or
 * deleted, or another version went live. Null after other refusals, or if loading fails.
 */
export async function findServerSide(
  refusal: ApiError,
  { key, draftId, saved }: RefusedSave,
): Promise<ServerSide | null> {
  if (refusal.code === 'stale_revision' && draftId !== null) {
    const draft = await getDraft(key, draftId).catch(() => null);
    return draft && { content: contentOf(draft), record: recordOfDraft(draft) };
  }
  const isGone = draftId !== null && (refusal.code === 'already_merged' || refusal.status === 404);
  if (!isGone && refusal.code !== 'live_changed') return null;
  try {
    return await getLiveSide(key);
  } catch (reading) {
    // If the draft was the only version, the whole workflow may have been deleted.
    return isStatus(reading, 404) ? { content: saved, record: { kind: 'unsaved' } } : null;
  }
}

/** The live version of a workflow or, without one, the draft that was changed last. */
export async function getLiveSide(key: string): Promise<ServerSide> {
  const { saved, record } = await loadSource({ open: 'workflow', key, draftId: null }, Date.now());
  return { content: saved, record };
}
