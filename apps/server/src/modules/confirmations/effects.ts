import type { ConfirmationKind } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { applyEscalation } from '../escalation/reads.ts';
import { applyPolicy, applyWorkingHours } from '../organizations/reads.ts';
import type { ConfirmationRow } from './confirmations.sql.ts';
import { ratifyEmergency } from './emergency.ts';

/** What a confirmed change does, within the transaction that confirms it; answers the events that say so. */
type Effect = (tx: Tx, actor: OrgActor, confirmation: ConfirmationRow) => Promise<AuditRecord[]> | AuditRecord[];

/** The payloads are those of the routes that proposed them, so each effect reads its own. */
export const EFFECTS: Record<ConfirmationKind, Effect> = {
  member: (_tx, actor, { subject_id, payload, proposer }) => [
    {
      ...by(actor),
      action: 'member.confirmed',
      subject: { type: 'user', id: subject_id },
      data: { ...payload, proposedBy: proposer.id },
    },
  ],
  policy: applyPolicy,
  working_hours: applyWorkingHours,
  escalation: applyEscalation,
  emergency: ratifyEmergency,
};
