import { rollBackTo, versionStateOf } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { findVersion, versionOf } from '../workflows/index.ts';
import { addDraft } from './add-draft.ts';

/**
 * Opens an earlier version as a draft based on the live version. If this removes controls, the loss is reviewed like
 * any other change.
 */
export const restoreVersion: Handler<'POST /api/workflows/{key}/versions/{version}/restore'> = (
  { db },
  { actor, params, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { key } = params;
    const target = await tx.maybeOne(findVersion, { orgId: actor.orgId, key, ...versionOf(params) });
    if (!target || target.version === null) throw new Refused({ code: 'not_found', what: 'version' });
    unwrap(rollBackTo(versionStateOf(target), []));
    const { metadata, steps, content_hash: hash, version } = target;
    const about = { restoredVersion: version, restoredVersionId: target.id };
    const { draftId } = await addDraft(tx, actor, { key, hash, metadata, steps }, { action: 'draft.created', about });
    return answer({ draftId });
  });
