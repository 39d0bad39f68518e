import type { AuditRecord } from '@stet/domain/audit';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import type { ConfirmationRow } from '../confirmations/reads.ts';
import { type EscalationRow, findEscalation, saveEscalation } from './escalation.sql.ts';

export type EscalationSettings = { tell: string[]; againAfterMinutes: number | null };

export const settingsOf = ({ tell, again_after_minutes }: EscalationRow): EscalationSettings => ({
  tell: tell ?? [],
  againAfterMinutes: again_after_minutes,
});

/** Makes an escalation hold, and answers the event that says so. */
export function changeEscalation(
  tx: Tx,
  actor: OrgActor,
  row: EscalationRow,
  { key, ...after }: EscalationSettings & { key: string },
  about: Readonly<Record<string, unknown>>,
): AuditRecord {
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
    ...by(actor),
    action: 'escalation.changed',
    subject: { type: 'workflow', id: row.workflow_id },
    data: { key, before: settingsOf(row), after, ...about },
  };
}

/** Makes a confirmed escalation hold. */
export async function applyEscalation(tx: Tx, actor: OrgActor, confirmation: ConfirmationRow): Promise<AuditRecord[]> {
  // The organization is locked; locking the workflow behind it would wait for those who lock the two the other way round.
  const row = await tx.maybeOne(findEscalation, { orgId: actor.orgId, key: null, workflowId: confirmation.subject_id });
  if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
  const settings = confirmation.payload as EscalationSettings & { key: string };
  const proposal = { proposedBy: confirmation.proposer.id, proposedAt: confirmation.proposed_at.toISOString() };
  return [changeEscalation(tx, actor, row, settings, proposal)];
}
