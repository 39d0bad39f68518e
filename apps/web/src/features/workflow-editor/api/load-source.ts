import { editorCopyKey, findTemplate, TEMPLATES, listCopyKey } from '@stet/domain/workflows';
import type { Template } from '@stet/domain/workflows';
import { api } from '../../../lib/api/api.ts';
import { isStatus } from '../../../lib/api/api-error.ts';
import type { DocumentAddress } from '../model/editor-address.ts';
import {
  EMPTY_SOURCE,
  sourceFromDraft,
  sourceFromDuplicate,
  sourceFromLive,
  sourceFromTemplate,
} from '../model/source.ts';
import type { EditorSource } from '../model/source.ts';

/** Loads the document at an address. `now` is in milliseconds and makes the keys of new workflows unique. */
export async function loadSource(address: DocumentAddress, now: number, signal?: AbortSignal): Promise<EditorSource> {
  const options = signal ? { signal } : {};
  switch (address.open) {
    case 'empty':
      return EMPTY_SOURCE;
    case 'template':
      return sourceFromTemplate(templateOf(address.template), { timestamp: now });
    case 'duplicate': {
      const { source, from } = address;
      const [detail, key] = await Promise.all([
        api('GET /api/workflows/{key}', { params: { key: source }, ...options }),
        from === 'list' ? freeCopyKey(source) : editorCopyKey(source, now),
      ]);
      return sourceFromDuplicate(detail, key);
    }
    case 'workflow':
      return loadWorkflow(address.key, address.draftId, options);
  }
}

async function loadWorkflow(
  key: string,
  draftId: string | null,
  options: { signal?: AbortSignal },
): Promise<EditorSource> {
  if (draftId !== null) {
    try {
      return await loadDraft(key, draftId, options);
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
      // The draft no longer exists, so open the current version. Unsaved changes to the draft can be restored onto it.
      return { ...(await loadWorkflow(key, null, options)), lostDraftId: draftId };
    }
  }
  const detail = await api('GET /api/workflows/{key}', { params: { key }, ...options });
  if (detail.version && detail.draftId === null) return sourceFromLive(detail, detail.version.number);
  // If nothing is live yet, load the draft that was changed last, with its abilities.
  return detail.draftId === null ? sourceFromLive(detail, 0) : loadDraft(key, detail.draftId, options);
}

async function loadDraft(key: string, id: string, options: { signal?: AbortSignal }): Promise<EditorSource> {
  return sourceFromDraft(await api('GET /api/workflows/{key}/drafts/{id}', { params: { key, id }, ...options }));
}

/** The template with this id, or the blank one if the id is unknown. */
function templateOf(id: string): Template {
  const template = findTemplate(id) ?? TEMPLATES[0];
  if (!template) throw new Error('no templates');
  return template;
}

/** A free key for a copy: `{key}-copy`, or `{key}-copy-2` and so on if it is taken. */
async function freeCopyKey(key: string): Promise<string> {
  const wanted = listCopyKey(key, () => false);
  const found = await api('GET /api/workflows', { query: { q: wanted.slice(0, 100), limit: 200 } });
  const taken = new Set(found.map((workflow) => workflow.key));
  return listCopyKey(key, (candidate) => taken.has(candidate));
}
