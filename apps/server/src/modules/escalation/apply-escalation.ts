import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import type { ConfirmationRow } from '../confirmations/index.ts';
import { type EscalationRow, findEscalation, saveEscalation } from './escalation.sql.ts';

export type EscalationSettings = { tell: string[]; againAfterMinutes: number | null };

export const settingsOf = ({ tell, again_after_minutes }: EscalationRow): EscalationSettings => ({
  tell: tell ?? [],
  againAfterMinutes: again_after_minutes,
});

/** Applies an escalation and returns its event. `alone` describes a change that one manager made alone. */
export function changeEscalation(
  tx: Tx,
  actor: OrgActor,
  row: EscalationRow,
  { key, ...after }: EscalationSettings & { key: string },
  about: Readonly<Record<string, unknown>>,
  alone?: string,
): EventOf<'escalation.changed'> {
  const { tell, againAfterMinutes } = after;
  tx.write(saveEscalation, {
    orgId: actor.orgId,
    workflowId: row.workflow_id,
    tell: JSON.stringify(tell),
    againAfterMinutes,
    userId: actor.userId,
    at: row.now,
  });
  return {
    ...auditActor(actor),
    action: 'escalation.changed',
    subject: { type: 'workflow', id: row.workflow_id },
    data: { key, before: settingsOf(row), after, ...about },
    context: alone === undefined ? {} : { alone, key },
  };
}

/** Applies a confirmed escalation. */
export async function applyEscalation(
  tx: Tx,
  actor: OrgActor,
  confirmation: ConfirmationRow,
): Promise<EventOf<'escalation.changed'>[]> {
  // The workflow isn't locked. Locking it after the organization could deadlock with transactions that lock in the
  // opposite order.
  const row = await tx.maybeOne(findEscalation, { orgId: actor.orgId, key: null, workflowId: confirmation.subject_id });
  if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
  const settings = confirmation.payload as EscalationSettings & { key: string };
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [changeEscalation(tx, actor, row, settings, proposal)];
}
