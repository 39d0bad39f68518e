import { submit, withdraw } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { unwrap } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { touchWorkflow } from '../workflows/index.ts';
import { setDraftStatus } from './drafts.sql.ts';
import { draftContext, loadLockedDraft, reviewersOf } from './load-draft.ts';
import { loadLockedDraftWithLosses, lossesInEvent } from './lost-controls.ts';
import { recordOf } from './record-of.ts';

/** Submits a draft for review. */
export const submitDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/submit'> = ({ db }, { actor, params, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { draft, losses } = await loadLockedDraftWithLosses(tx, actor, params);
    const { state } = unwrap(submit(draft.state));
    const { id, workflow_id, content_hash } = draft.row;
    tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const data = { key: params.key, contentHash: content_hash, ...lossesInEvent(losses) };
    const context = { ...draftContext(draft), reviewers: reviewersOf(draft), losses };
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.submitted', subject: { type: 'version', id }, data, context },
    ]);
    return answer(recordOf(draft, { status: state.state }));
  });

/** Withdraws a draft from review. */
export const withdrawDraft: Handler<'POST /api/workflows/{key}/drafts/{id}/withdraw'> = (
  { db },
  { actor, params, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const draft = await loadLockedDraft(tx, actor, params);
    const { state } = unwrap(withdraw(draft.state));
    const { id, workflow_id } = draft.row;
    tx.write(setDraftStatus, { orgId, id, status: state.state, userId });
    tx.write(touchWorkflow, { orgId, id: workflow_id });
    const [data, context] = [{ key: params.key }, draftContext(draft)];
    appendAudit(tx, [
      { ...auditActor(actor), action: 'draft.withdrawn', subject: { type: 'version', id }, data, context },
    ]);
    return answer(recordOf(draft, { status: state.state }));
  });
