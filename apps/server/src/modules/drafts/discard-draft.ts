import { discard } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { touchWorkflow } from '../workflows/reads.ts';
import { deleteDraft } from './drafts.sql.ts';
import { loadDraft } from './load-draft.ts';

/** Discards an open draft that one has contributed to. Its workflow stays, also where it was the only draft. */
export const discardDraft: Handler<'DELETE /api/workflows/{key}/drafts/{id}'> = ({ db }, { actor, params }) =>
  db.transaction(actor, async (tx) => {
    const { orgId, userId } = actor;
    const { row, state, contributorIds } = await loadDraft(
      tx,
      { orgId, key: params.key, draftId: params.id },
      { lock: true },
    );
    granted(discard(state, userId, contributorIds));
    tx.write(deleteDraft, { orgId, id: row.id });
    tx.write(touchWorkflow, { orgId, id: row.workflow_id });
    const data = { key: params.key, contentHash: row.content_hash, title: row.metadata.title };
    appendAudit(tx, [{ ...by(actor), action: 'draft.discarded', subject: { type: 'version', id: row.id }, data }]);
    return answer({ message: 'Draft discarded' });
  });
