import { submit, withdraw } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { granted } from '../../kernel/refused.ts';
import { touchWorkflow } from '../workflows/reads.ts';
import { setDraftStatus } from './drafts.sql.ts';
import { holdDraft } from './load-draft.ts';
import { holdDraftWithLosses, lossesInEvent } from './lost-controls.ts';
import { recordOf } from './record-of.ts';
import { askForReview, tellContributors } from './tell-of-draft.ts';

/** Asks for review. */
export const submitDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/submit'> = ({ db }, { actor, params, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { draft, losses } = await holdDraftWithLosses(tx, actor, params);
    granted(submit(draft.state, { by: userId, at: 0 }));
    const { id, workflow_id, content_hash } = draft.row;
    tx.write(setDraftStatus, { orgId, id, status: 'in_review', userId });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    askForReview(tx, actor, draft, losses);
    const data = { key: params.key, contentHash: content_hash, ...lossesInEvent(losses) };
    appendAudit(tx, [{ ...by(actor), action: 'draft.submitted', subject: { type: 'version', id }, data }]);
    return answer(recordOf(draft, { status: 'in_review' }));
  });

/** Takes a draft back from review. */
export const withdrawDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/withdraw'> = (
  { db },
  { actor, params, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const draft = await holdDraft(tx, actor, params);
    granted(withdraw(draft.state));
    const { id, workflow_id } = draft.row;
    tx.write(setDraftStatus, { orgId, id, status: 'draft', userId });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    tellContributors(
      tx,
      actor,
      draft,
      'draft_withdrawn',
      `${isolated(actor.name)} has taken this draft back from review.`,
    );
    appendAudit(tx, [
      { ...by(actor), action: 'draft.withdrawn', subject: { type: 'version', id }, data: { key: params.key } },
    ]);
    return answer(recordOf(draft, { status: 'draft' }));
  });
