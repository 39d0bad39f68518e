import { heldLately, roleHas } from '@stet/domain/access';
import { isOpen } from '@stet/domain/drafts';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handler } from '../../http/handler.ts';
import { by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { ALONE, notifyAlone } from '../confirmations/reads.ts';
import { touchWorkflow } from '../workflows/reads.ts';
import { endObjections } from './drafts.sql.ts';
import { type LoadedDraft, holdDraft } from './load-draft.ts';
import { recordOf } from './record-of.ts';

/** True once someone who objected can't end it themselves any more: they have left, or can't review. */
export const isAbandoned = ({ people }: LoadedDraft, reviewerId: string): boolean => {
  const role = people.find(({ id }) => id === reviewerId)?.role ?? null;
  return role === null || !roleHas(role, 'draft.review');
};

/**
 * Who may set an objection aside: an owner or admin who isn't an author of the draft. If every manager is one, now and
 * lately, an author does it, and the trail says `alone`.
 */
export function maySetAside({ people, standing }: LoadedDraft, actorId: string, at: number): { alone: boolean } | null {
  if (!standing.authors.has(actorId)) return { alone: false };
  const others = people.filter((person) => !standing.authors.has(person.id));
  const hasOther = others.some((person) => person.provedBy !== null && heldLately(person, 'org.manage', at) !== null);
  return hasOther ? null : { alone: true };
}

/** Sets the request for changes aside of someone who can't take it back any more. */
export const setAsideObjection: Handler<'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { reviewerId } = params;
    const draft = await holdDraft(tx, actor, params);
    const { row, objections } = draft;
    if (!isOpen(draft.state)) throw new Refused({ code: 'already_merged', version: row.version ?? 0 });
    const objection = objections.find(({ reviewer }) => reviewer.id === reviewerId);
    if (!objection) throw new Refused({ code: 'not_found', what: 'objection' });
    const { name } = objection.reviewer;
    if (!isAbandoned(draft, reviewerId)) throw new Refused({ code: 'reviewer_still_here', name });
    const may = maySetAside(draft, userId, draft.at);
    if (may === null) throw new Refused({ code: 'contributor_cannot_approve', others: [] });

    tx.write(endObjections, {
      orgId,
      draftId: row.id,
      contentHash: row.content_hash,
      reviewerId,
      endedBy: userId,
      because: body.reason,
    });
    tx.write(touchWorkflow, { orgId, id: row.workflow_id });
    if (may.alone) notifyAlone(tx, actor, `Set aside the request for changes of ${name}.`);
    const data = {
      key: params.key,
      contentHash: row.content_hash,
      reviewerId,
      comment: objection.comment,
      reason: body.reason,
      ...(may.alone && { note: ALONE }),
    };
    appendAudit(tx, [
      { ...by(actor), action: 'draft.objection_set_aside', subject: { type: 'version', id: row.id }, data },
    ]);
    return answer(recordOf(draft));
  });
