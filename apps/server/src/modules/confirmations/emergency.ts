import type { Emergency } from '@stet/contract';
import { ORG_ROLES, decideProposal } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { isolated } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { type ConfirmationRow, replaceWaiting } from './confirmations.sql.ts';
import type { KnownPeople } from './people.sql.ts';
import { ALONE, addConfirmation, notifyAlone, proposerOf } from './propose.ts';

/** A version that goes live past the review. `sentence` says what happened, for a person. */
type EmergencyAct = { versionId: string; key: string; reason: string; sentence: string; title: string };

/** Refuses an emergency to everyone but an owner who signed in, and to everyone while review is strict. */
export function assertEmergency({ userId, token }: OrgActor, { people }: KnownPeople, strict: boolean): void {
  if (token !== null) throw new Refused({ code: 'not_for_tokens' });
  // Read behind the organization's lock: the role may have changed since the request came in.
  const role = people.find(({ id }) => id === userId)?.role;
  if (role !== 'owner') throw new Refused({ code: 'emergency_needs_owner' });
  if (strict) throw new Refused({ code: 'strict_refuses_emergency' });
}

/**
 * Asks the other managers to ratify what an owner did past the review, and notifies everyone. It has happened by then:
 * nothing waits for them, but until one of them has ratified it, it stays marked.
 */
export function recordEmergency(
  tx: Tx,
  actor: OrgActor,
  { people, at }: KnownPeople,
  { versionId, key, reason, sentence, title }: EmergencyAct,
): AuditRecord {
  const { orgId, userId, name } = actor;
  const known = new Map(people.map((person) => [person.id, person]));
  const decision = decideProposal({ actorId: userId, people: known, at, strict: false });
  const isAlone = decision.ok && decision.change === 'alone';
  tx.write(replaceWaiting, { orgId, kind: 'emergency', subjectId: versionId });
  if (isAlone) notifyAlone(tx, actor, `${sentence} ${isolated(reason)}`);
  else
    leaveNotices(tx, orgId, [
      {
        source: `emergency:${newId()}`,
        kind: 'emergency',
        title,
        body: `Emergency, not ratified: ${isolated(name)} put a version live past the review. ${sentence} ${isolated(reason)}`,
        to: { roles: ORG_ROLES, exceptIds: [userId] },
      },
    ]);
  const payload = { key, reason, ...(isAlone && { note: ALONE }) };
  return addConfirmation(
    tx,
    proposerOf(actor),
    { kind: 'emergency', subjectId: versionId, payload, sentence },
    new Date(at),
  );
}

/** An emergency as it begins: nobody has said anything of it yet. */
export const begunEmergency = ({ userId: id, name, email }: OrgActor, at: number, reason: string): Emergency => ({
  by: { id, name, email },
  at: new Date(at).toISOString(),
  reason,
  ratified: null,
  refused: null,
});

/** Says in the trail that another manager has ratified an emergency. */
export const ratifyEmergency = (
  _tx: Tx,
  actor: OrgActor,
  { id, subject_id, payload, proposer }: ConfirmationRow,
): AuditRecord[] => [
  {
    ...by(actor),
    action: 'emergency.ratified',
    subject: { type: 'version', id: subject_id },
    data: { ...payload, confirmationId: id, proposedBy: proposer.id },
  },
];
