import { contentHash } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { addDraft } from '../drafts/index.ts';
import { findShownVersion } from '../workflows/index.ts';
import { checkedBpmn, importedMetadata } from './checked-file.ts';

/**
 * Creates a draft from a BPMN process, and also the workflow if the key is new. Returns a list of the elements that
 * were omitted.
 */
export const importBpmn: Handler<'POST /api/workflows/{key}/import-bpmn'> = async (
  { db },
  { actor, params, body, once },
) => {
  const { file, leftOut } = await checkedBpmn(body);
  return db.changeOnce(actor, once, async (tx) => {
    const known = file.metadata
      ? undefined
      : await tx.maybeOne(findShownVersion, { orgId: actor.orgId, key: params.key });
    const content = { metadata: importedMetadata(file, known?.metadata ?? null), steps: file.steps };
    const draft = { key: params.key, ...content, hash: contentHash(content) };
    const added = await addDraft(tx, actor, draft, { action: 'draft.imported' });
    return answer({ ...added, leftOut }, revisionTag(added.revision));
  });
};
