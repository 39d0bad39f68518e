import type { ConfirmationKind } from '@stet/domain/access';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { applyEscalation } from '../escalation/index.ts';
import { applyRemoval } from '../groups/index.ts';
import { applyPolicy, applyWorkingHours } from '../organizations/index.ts';
import { applyPeople } from '../workflow-people/index.ts';
import type { ConfirmationRow } from './confirmations.sql.ts';
import { ratifyEmergency } from './emergency.ts';

/** Applies a confirmed change in the confirmation's transaction. Returns the events about the change. */
type Effect = (tx: Tx, actor: OrgActor, confirmation: ConfirmationRow) => Promise<RecordedEvent[]> | RecordedEvent[];

/** The payload's format depends on the route that proposed the change, so each effect parses its own. */
export const EFFECTS: Record<ConfirmationKind, Effect> = {
  member: (_tx, actor, { subject_id, payload, proposer }) => [
    {
      ...auditActor(actor),
      action: 'member.confirmed',
      subject: { type: 'user', id: subject_id },
      data: { ...payload, proposedBy: proposer.id },
    },
  ],
  policy: applyPolicy,
  working_hours: applyWorkingHours,
  escalation: applyEscalation,
  reviewers: applyPeople,
  group_members: applyRemoval,
  emergency: ratifyEmergency,
};
