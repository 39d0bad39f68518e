import type { Escalation } from '@stet/contract';
import { assignedOrgRole, isEmail } from '@stet/domain/workflows';
import { appendAudit } from '../../db/append-audit.ts';
import type { Handlers } from '../../http/handler.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { type EscalationRow, findEscalation, lockEscalation, saveEscalation } from './escalation.sql.ts';

const NOT_THERE = { code: 'not_found', what: 'workflow' } as const;

/** Set by those who may merge: who is told belongs to what was agreed on, but is no part of a version. */
export const escalationHandlers = {
  'GET /api/workflows/{key}/escalation': async ({ db }, { actor, params }) => {
    const row = await db.transaction(actor, (tx) =>
      tx.maybeOne(findEscalation, { orgId: actor.orgId, key: params.key }),
    );
    if (!row) throw new Refused(NOT_THERE);
    return answer(present(row, actor));
  },

  'PATCH /api/workflows/{key}/escalation': async ({ db }, { actor, params, body }) => {
    const tell = [...new Set(body.tell.map((name) => name.toLowerCase()))];
    const unknown = tell.find((name) => assignedOrgRole(name) === null && !isEmail(name));
    if (unknown !== undefined)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'tell', problem: `“${unknown}” is neither an email address nor a role` }],
      });
    return db.transaction(actor, async (tx) => {
      const { orgId, userId } = actor;
      const row = await tx.maybeOne(lockEscalation, { orgId, key: params.key });
      if (!row) throw new Refused(NOT_THERE);
      const { againAfterMinutes } = body;
      const before = { tell: row.tell ?? [], againAfterMinutes: row.again_after_minutes };
      const after = { tell, againAfterMinutes };
      if (JSON.stringify(before) === JSON.stringify(after)) return answer(present(row, actor));
      const at = row.now;
      tx.write(saveEscalation, {
        orgId,
        workflowId: row.workflow_id,
        tell: JSON.stringify(tell),
        againAfterMinutes,
        userId,
        at,
      });
      const subject = { type: 'workflow' as const, id: row.workflow_id };
      appendAudit(tx, [
        { ...by(actor), action: 'escalation.changed', subject, data: { key: params.key, before, after } },
      ]);
      return answer(
        present(
          { ...row, tell, again_after_minutes: againAfterMinutes, updated_at: at, updated_by: actor.name },
          actor,
        ),
      );
    });
  },
} satisfies Partial<Handlers>;

const present = (row: EscalationRow, actor: OrgActor): Escalation => ({
  tell: row.tell ?? [],
  againAfterMinutes: row.again_after_minutes,
  updatedAt: row.updated_at?.toISOString() ?? null,
  updatedBy: row.updated_by,
  abilities: { change: actor.permissions.includes('draft.merge') },
});
