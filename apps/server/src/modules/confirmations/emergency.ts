import type { Emergency } from '@stet/contract';
import { decideProposal } from '@stet/domain/access';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { type ConfirmationRow, replaceWaiting } from './confirmations.sql.ts';
import type { KnownPeople } from './people.sql.ts';
import { ALONE, addConfirmation, proposerOf } from './propose.ts';

/** A version that goes live without a review. `sentence` asks the other managers to ratify it. */
type EmergencyAct = {
  act: 'merge' | 'rollback';
  versionId: string;
  key: string;
  reason: string;
  sentence: string;
  title: string;
};

/** Refuses an emergency unless the actor is a signed-in owner. With strict review, every emergency is refused. */
export function assertEmergency({ userId, token }: OrgActor, { people }: KnownPeople, strict: boolean): void {
  if (token !== null) throw new Refused({ code: 'not_for_tokens' });
  // Uses the role that was read after the organization was locked, because it may have changed since the request
  // arrived.
  const role = people.find(({ id }) => id === userId)?.role;
  if (role !== 'owner') throw new Refused({ code: 'emergency_needs_owner' });
  if (strict) throw new Refused({ code: 'strict_refuses_emergency' });
}

/**
 * Asks the other managers to ratify an owner's emergency. The emergency has already taken effect, and is marked until
 * one of them ratifies it.
 */
export function recordEmergency(
  tx: Tx,
  actor: OrgActor,
  { people, at }: KnownPeople,
  { act, versionId, key, reason, sentence, title }: EmergencyAct,
): EventOf<'confirmation.proposed'> {
  const { orgId, userId } = actor;
  const known = new Map(people.map((person) => [person.id, person]));
  const decision = decideProposal({ actorId: userId, people: known, at });
  const isAlone = decision.ok && decision.change === 'alone';
  tx.write(replaceWaiting, { orgId, kind: 'emergency', subjectId: versionId });
  const payload = { act, key, reason, ...(isAlone && { note: ALONE }) };
  return addConfirmation(
    tx,
    proposerOf(actor),
    { kind: 'emergency', subjectId: versionId, payload, sentence },
    new Date(at),
    { title, key, reason, isAlone },
  );
}

export const begunEmergency = ({ userId: id, name, email }: OrgActor, at: number, reason: string): Emergency => ({
  by: { id, name, email },
  at: new Date(at).toISOString(),
  reason,
  ratified: null,
  refused: null,
});

/** Records that another manager has ratified an emergency. */
export const ratifyEmergency = (
  _tx: Tx,
  actor: OrgActor,
  { id, subject_id, payload, proposer }: ConfirmationRow,
): EventOf<'emergency.ratified'>[] => [
  {
    ...auditActor(actor),
    action: 'emergency.ratified',
    subject: { type: 'version', id: subject_id },
    data: { ...payload, confirmationId: id, proposedBy: proposer.id },
  },
];
