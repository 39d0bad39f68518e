import { contentHash } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { addDraft } from '../drafts/index.ts';
import { findShownVersion } from '../workflows/index.ts';
import { checkedFile, importedMetadata } from './checked-file.ts';

/**
 * Creates a draft from a file, and also the workflow if the key is new. The key comes from the URL, not from the file.
 */
export const importWorkflow: Handler<'POST /api/workflows/{key}/import-yaml'> = async (
  { db },
  { actor, params, query, body, once },
) => {
  const { file, leftOut } = await checkedFile(body, query.format);
  return db.changeOnce(actor, once, async (tx) => {
    const known = file.metadata
      ? undefined
      : await tx.maybeOne(findShownVersion, { orgId: actor.orgId, key: params.key });
    const content = { metadata: importedMetadata(file, known?.metadata ?? null), steps: file.steps };
    const added = await addDraft(
      tx,
      actor,
      { key: params.key, ...content, hash: contentHash(content) },
      { action: 'draft.imported' },
    );
    return answer({ ...added, leftOut }, revisionTag(added.revision));
  });
};
