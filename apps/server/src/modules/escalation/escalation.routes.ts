import type { Escalation } from '@stet/contract';
import { weakensEscalation } from '@stet/domain/sla';
import { assignedOrgRole, isEmail, isolated } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handlers } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { ALONE, propose, replaceWaiting } from '../confirmations/reads.ts';
import { type EscalationSettings, changeEscalation, settingsOf } from './apply-escalation.ts';
import { type EscalationRow, findEscalation, lockEscalation } from './escalation.sql.ts';

const isSame = (one: EscalationSettings, other: EscalationSettings): boolean =>
  JSON.stringify([one.tell, one.againAfterMinutes]) === JSON.stringify([other.tell, other.againAfterMinutes]);

/**
 * Set by those who may merge: who is told belongs to what was agreed on, but is no part of a version. A weaker one waits for
 * a second manager, or is marked if there is none.
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
    const tell = [...new Set(body.tell.map((name) => name.toLowerCase()))];
    const unknown = tell.find((name) => assignedOrgRole(name) === null && !isEmail(name));
    if (unknown !== undefined)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'tell', problem: `“${unknown}” is neither an email address nor a role` }],
      });
    return db.transaction(actor, async (tx) => {
      const { orgId, userId: id, name, email } = actor;
      const [, row] = await Promise.all([
        tx.maybeOne(lockEscalation, { orgId, key }),
        tx.maybeOne(findEscalation, { orgId, key, workflowId: null }),
      ]);
      if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
      const { pending, workflow_id: workflowId } = row;
      const before = settingsOf(row);
      const after = { tell, againAfterMinutes: body.againAfterMinutes };
      const isRepeated = pending !== null && pending.by.id === id && isSame(pending, after);
      if (isSame(before, after) || isRepeated) return answer(present(row, actor));

      const about: { note?: string } = {};
      if (weakensEscalation(before, after)) {
        const proposed = await propose(tx, actor, {
          kind: 'escalation',
          subjectId: workflowId,
          payload: { key, ...after },
          sentence: `Change who is notified when a step of ${isolated(row.title)} is overdue: ${inWords(before)} → ${inWords(after)}.`,
        });
        if (proposed.outcome === 'waits') {
          appendAudit(tx, [proposed.record]);
          const waiting = { ...after, by: { id, name, email }, at: proposed.at.toISOString() };
          return answer(present({ ...row, pending: waiting }, actor));
        }
        about.note = ALONE;
      } else if (pending) tx.write(replaceWaiting, { orgId, kind: 'escalation', subjectId: workflowId });
      appendAudit(tx, [changeEscalation(tx, actor, row, { key, ...after }, about)]);
      const { againAfterMinutes: again_after_minutes } = after;
      const saved = { tell, again_after_minutes, updated_at: row.now, updated_by: name, pending: null };
      return answer(present({ ...row, ...saved }, actor));
    });
  },
} satisfies Partial<Handlers>;

/** `owner and ada@x.example, again every 60 minutes`. */
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
