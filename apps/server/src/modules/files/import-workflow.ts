import { contentHash } from '@stet/domain/workflows';
import type { Handler } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { addDraft } from '../drafts/reads.ts';
import { findShownVersion } from '../workflows/reads.ts';
import { checkedFile, importedMetadata } from './checked-file.ts';

/** Makes a draft of a file, and the workflow where the key is new (rulings, section 4). The address names it, not the file. */
export const importWorkflow: Handler<'POST /api/workflows/{key}/import-yaml'> = async (
  { db },
  { actor, params, query, body, once },
) => {
  const file = await checkedFile(body, query.format);
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
    return answer(added, revisionTag(added.revision));
  });
};
