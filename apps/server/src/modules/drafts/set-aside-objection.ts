import { lastHeld, roleHas } from '@stet/domain/access';
import { decidersInstead, isOpen } from '@stet/domain/drafts';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE } from '../confirmations/index.ts';
import { touchWorkflow } from '../workflows/index.ts';
import { endObjections } from './drafts.sql.ts';
import { type LoadedDraft, type LoadedObjection, loadLockedDraft } from './load-draft.ts';
import { recordOf } from './record-of.ts';

/**
 * True if the person who objected has left, can no longer review, has a disabled account, can't approve because they
 * aren't proved or an author added or confirmed them, or is certainly an author who can neither approve nor edit the
 * draft. False if they are only possibly an author, or if their approval would count with a mark.
 */
export const isAbandoned = ({ people }: LoadedDraft, { reviewer, standing }: LoadedObjection): boolean => {
  const { id } = reviewer;
  const person = people.find((each) => each.id === id);
  const role = person?.role ?? null;
  if (role === null || person?.isDisabled || !roleHas(role, 'draft.review')) return true;
  if (standing.unable.has(id)) return true;
  if (standing.ties.get(id) !== 'certain' || roleHas(role, 'draft.edit')) return false;
  // An account with an author's mailbox never counts, even if the author may approve alone.
  const isBehind = standing.notCounted.some((each) => each.id === id && each.because === 'behind_the_author');
  return isBehind || !standing.selfApproval.allowed;
};

/**
 * Determines whether the actor, a manager, may set an objection aside. Returns null if not.
 *
 * A manager who isn't tied to an author of the content always may. A manager who is tied to one may only if nobody else
 * is or recently was a proved manager who could decide instead; `alone` is then true, and the trail records it. The
 * only manager who vouches for an author counts as tied to them, because the two could be one person.
 */
export function rightToSetAside(
  { people, relations, at }: LoadedDraft,
  { standing }: LoadedObjection,
  actorId: string,
): { alone: boolean } | null {
  const vouching = [...standing.vouchersOfAuthors].map((id) => [id, 'possible'] as const);
  const ties = new Map([...vouching, ...standing.ties]);
  if (!ties.has(actorId)) return { alone: false };
  const couldDecideInstead = decidersInstead(ties, relations);
  const others = people.filter(({ id }) => id !== actorId && couldDecideInstead(actorId, id));
  const hasOther = others.some((person) => person.provedBy !== null && lastHeld(person, 'org.manage', at) !== null);
  return hasOther ? null : { alone: true };
}

/** Sets aside an objection of a reviewer who can no longer end it themselves. */
export const setAsideObjection: Handler<'POST /api/workflows/{key}/drafts/{id}/objections/{reviewerId}/set-aside'> = (
  { db },
  { actor, params, body, once },
) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { reviewerId } = params;
    const draft = await loadLockedDraft(tx, actor, params);
    const { row, objections } = draft;
    if (!isOpen(draft.state)) throw new Refused({ code: 'already_merged', version: row.version ?? 0 });
    const objection = objections.find(({ reviewer }) => reviewer.id === reviewerId);
    if (!objection) throw new Refused({ code: 'not_found', what: 'objection' });
    const { name } = objection.reviewer;
    if (!isAbandoned(draft, objection)) throw new Refused({ code: 'reviewer_still_here', name });
    const right = rightToSetAside(draft, objection, userId);
    if (right === null) throw new Refused({ code: 'contributor_cannot_approve', others: [] });

    tx.write(endObjections, {
      orgId,
      draftId: row.id,
      contentHash: row.content_hash,
      reviewerId,
      endedBy: userId,
      because: body.reason,
      review: null,
    });
    tx.write(touchWorkflow, { orgId, id: row.workflow_id });
    const data = {
      key: params.key,
      contentHash: row.content_hash,
      reviewerId,
      comment: objection.comment,
      reason: body.reason,
      ...(right.alone && { note: ALONE }),
    };
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'draft.objection_set_aside',
        subject: { type: 'version', id: row.id },
        data,
        context: right.alone ? { alone: `Set aside ${name}’s request for changes.`, key: params.key } : {},
      },
    ]);
    return answer(recordOf(draft));
  });
