import type { Handler } from '../../http/handler.ts';
import { answer, revisionTag } from '../../kernel/answer.ts';
import { refuseUnknownGroups } from '../groups/index.ts';
import { addDraft } from './add-draft.ts';
import { checkedContent } from './check-content.ts';

/**
 * Creates a draft based on the live version, and also the workflow if the key is new. If the request has
 * `If-None-Match: *`, the key has to be new. With `liveVersionId`, that version must still be live, so that the draft
 * can't undo a version that its author hasn't seen.
 */
export const createDraft: Handler<'POST /api/workflows/{key}/drafts'> = async (
  { db },
  { actor, params, body, once, ifNew },
) => {
  const content = { key: params.key, ...checkedContent(body, params.key) };
  return db.changeOnce(actor, once, async (tx) => {
    await refuseUnknownGroups(tx, actor.orgId, content.steps);
    const added = await addDraft(tx, actor, content, {
      action: 'draft.created',
      ifNew,
      liveVersionId: body.liveVersionId,
    });
    return answer(added, revisionTag(added.revision));
  });
};
