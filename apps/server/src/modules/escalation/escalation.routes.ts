import type { Escalation } from '@stet/contract';
import { weakensEscalation } from '@stet/domain/sla';
import { isolated } from '@stet/domain/workflows';
import type { Handlers } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE, lockConfirmations, propose, replaceWaiting } from '../confirmations/index.ts';
import { type EscalationSettings, changeEscalation, settingsOf } from './apply-escalation.ts';
import { type EscalationRow, findEscalation, lockEscalation } from './escalation.sql.ts';

const isSame = (one: EscalationSettings, other: EscalationSettings): boolean =>
  JSON.stringify([one.tell, one.againAfterMinutes]) === JSON.stringify([other.tell, other.againAfterMinutes]);

/**
 * The escalation of a workflow. Everyone who can merge the workflow can set it, and it isn't part of a version. A
 * weaker escalation needs a second manager (see `propose`).
 */
export const escalationHandlers = {
  'GET /api/workflows/{key}/escalation': async ({ db }, { actor, params }) => {
    const row = await db.transaction(actor, (tx) =>
      tx.maybeOne(findEscalation, { orgId: actor.orgId, key: params.key, workflowId: null }),
    );
    if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
    return answer(present(row, actor));
  },

  'PATCH /api/workflows/{key}/escalation': async ({ db }, { actor, params, body }) => {
    const { key } = params;
    const recipients = [...new Set(body.tell)];
    return db.transaction(actor, async (tx) => {
      const { orgId, userId: id, name, email } = actor;
      // A stronger escalation replaces the pending one. The locks prevent a concurrent confirmation of the pending one.
      const [, , row] = await Promise.all([
        tx.maybeOne(lockEscalation, { orgId, key }),
        tx.maybeOne(lockConfirmations, { orgId }),
        tx.maybeOne(findEscalation, { orgId, key, workflowId: null }),
      ]);
      if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
      const { pending, workflow_id: workflowId } = row;
      const before = settingsOf(row);
      const after = { tell: recipients, againAfterMinutes: body.againAfterMinutes };
      if (isSame(before, after)) return answer(present(row, actor));

      const about: { note?: string } = {};
      let alone: string | undefined;
      if (weakensEscalation(before, after)) {
        const sentence = `Change who is notified when a step in ${isolated(row.title)} is overdue: ${inWords(before)} → ${inWords(after)}.`;
        const proposal = { kind: 'escalation' as const, subjectId: workflowId, payload: { key, ...after }, sentence };
        const isRepeated = pending !== null && pending.by.id === id && isSame(pending, after);
        const proposed = await propose(tx, actor, proposal, { isRepeated });
        if (proposed.outcome === 'repeated') return answer(present(row, actor));
        if (proposed.outcome === 'waits') {
          appendAudit(tx, [proposed.record]);
          const waiting = { ...after, by: { id, name, email }, at: proposed.at.toISOString() };
          return answer(present({ ...row, pending: waiting }, actor));
        }
        about.note = ALONE;
        alone = sentence;
      } else if (pending) tx.write(replaceWaiting, { orgId, kind: 'escalation', subjectId: workflowId });
      appendAudit(tx, [changeEscalation(tx, actor, row, { key, ...after }, about, alone)]);
      const { againAfterMinutes: again_after_minutes } = after;
      const saved = { tell: recipients, again_after_minutes, updated_at: row.now, updated_by: name, pending: null };
      return answer(present({ ...row, ...saved }, actor));
    });
  },
} satisfies Partial<Handlers>;

/** For example `owner, ada@x.example, again every 60 minutes`. */
function inWords({ tell, againAfterMinutes }: EscalationSettings): string {
  const who = tell.length === 0 ? 'nobody else' : tell.join(', ');
  return againAfterMinutes === null ? `${who}, once` : `${who}, again every ${againAfterMinutes} minutes`;
}

const present = (row: EscalationRow, actor: OrgActor): Escalation => ({
  ...settingsOf(row),
  pending: row.pending && {
    tell: row.pending.tell,
    againAfterMinutes: row.pending.againAfterMinutes,
    proposedBy: row.pending.by,
    proposedAt: new Date(row.pending.at).toISOString(),
  },
  updatedAt: row.updated_at?.toISOString() ?? null,
  updatedBy: row.updated_by,
  abilities: { change: actor.permissions.includes('draft.merge') },
});
