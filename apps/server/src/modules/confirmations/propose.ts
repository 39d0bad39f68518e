import {
  type ConfirmationKind,
  ORG_ROLES,
  type OrgRole,
  PERMISSIONS,
  decideProposal,
  roleHas,
} from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import { isolated } from '@stet/domain/workflows';
import { leaveNotices } from '../../db/notices.ts';
import { type OrgActor, by } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import { granted } from '../../kernel/refused.ts';
import { insertConfirmation, lockStrictness, replaceWaiting } from './confirmations.sql.ts';
import { knownPeople } from './people.sql.ts';

/** A change that needs a second manager; `sentence` says what would change, `payload` holds it. */
export type Proposal = {
  kind: ConfirmationKind;
  subjectId: string;
  payload: Record<string, unknown>;
  sentence: string;
};

/** `alone`: nobody else can confirm it, so the caller makes it happen now. `waits`: the caller appends the event. */
export type Proposed = { outcome: 'alone' } | { outcome: 'waits'; at: Date; record: AuditRecord };

/** What the audit trail says of a change that nobody else could confirm (who may act, rule 4). */
export const ALONE = 'alone: no other proved owner or admin';

/**
 * Proposes a change to the other managers, or grants it to the actor alone if there is no other proved manager and was none
 * lately. The organization is locked until the transaction ends; an earlier proposal for the same subject is replaced.
 */
export async function propose(tx: Tx, actor: OrgActor, proposal: Proposal): Promise<Proposed> {
  const { orgId, userId } = actor;
  const strictness = await tx.maybeOne(lockStrictness, { orgId });
  const { people, at } = await knownPeople(tx, { orgId, userIds: [userId] });
  const decision = granted(
    decideProposal({
      actorId: userId,
      people: new Map(people.map((person) => [person.id, person])),
      at,
      strict: strictness?.strict ?? false,
    }),
  );
  tx.write(replaceWaiting, { orgId, kind: proposal.kind, subjectId: proposal.subjectId });
  if (decision.change === 'alone') {
    notifyAlone(tx, actor, proposal.sentence);
    return { outcome: 'alone' };
  }
  const waitsSince = new Date(at);
  return { outcome: 'waits', at: waitsSince, record: addConfirmation(tx, proposerOf(actor), proposal, waitsSince) };
}

/** Who proposes, and who the event of the proposal names: whoever joins by an invitation didn't write it. */
type Proposer = {
  orgId: string;
  proposer: { id: string; name: string };
  recordedBy: Pick<AuditRecord, 'actor' | 'sessionId'>;
};

export const proposerOf = (actor: OrgActor): Proposer => ({
  orgId: actor.orgId,
  proposer: { id: actor.userId, name: actor.name },
  recordedBy: by(actor),
});

/** Adds what waits for a second manager, notifies those who could confirm it, and answers the event that says so. */
export function addConfirmation(
  tx: Tx,
  { orgId, proposer, recordedBy }: Proposer,
  { kind, subjectId, payload, sentence }: Proposal,
  at: Date,
): AuditRecord {
  const id = newId();
  tx.write(insertConfirmation, {
    orgId,
    id,
    kind,
    subjectId,
    payload: JSON.stringify(payload),
    sentence,
    proposedBy: proposer.id,
    at,
  });
  leaveNotices(tx, orgId, [
    {
      source: `confirmation_requested:${id}`,
      kind: 'confirmation_requested',
      title: 'Waiting for a second person',
      body: `${isolated(proposer.name)} asks you to confirm: ${sentence}`,
      to: { roles: PERMISSIONS['org.manage'], exceptIds: [proposer.id] },
    },
  ]);
  return {
    ...recordedBy,
    action: 'confirmation.proposed',
    subject: confirmationSubject({ kind, subjectId }, orgId),
    data: { ...payload, confirmationId: id, kind, sentence, proposedBy: proposer.id },
  };
}

/** What the events of a confirmation are about. */
export function confirmationSubject(
  { kind, subjectId }: { kind: ConfirmationKind; subjectId: string },
  orgId: string,
): AuditRecord['subject'] {
  switch (kind) {
    case 'member':
      return { type: 'user', id: subjectId };
    case 'escalation':
      return { type: 'workflow', id: subjectId };
    case 'emergency':
      return { type: 'version', id: subjectId };
    case 'policy':
    case 'working_hours':
      return { type: 'organization', id: orgId };
  }
}

/**
 * Asks the other managers to confirm someone who was given the power to review, unless one has, or the identity provider
 * vouches for them; answers the event of it, if there is one.
 */
export async function askToConfirm(
  tx: Tx,
  by: Proposer,
  member: { id: string; name: string; email: string; role: OrgRole },
): Promise<AuditRecord[]> {
  const { orgId, proposer } = by;
  if (member.id === proposer.id || !roleHas(member.role, 'draft.review')) return [];
  const { people, at } = await knownPeople(tx, { orgId, userIds: [member.id, proposer.id] });
  const known = people.find(({ id }) => id === member.id);
  if (known?.hasProvider || (known?.confirmedBy.length ?? 0) > 0) return [];
  tx.write(replaceWaiting, { orgId, kind: 'member', subjectId: member.id });
  const { id, name, email, role } = member;
  const sentence = `Confirm that you know ${isolated(name)} (${email}), whom ${isolated(proposer.name)} made ${article(role)}.`;
  return [
    addConfirmation(tx, by, { kind: 'member', subjectId: id, payload: { name, email, role }, sentence }, new Date(at)),
  ];
}

const article = (role: OrgRole): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;

/** Notifies everyone of a change that one manager made alone. */
export function notifyAlone(tx: Tx, { orgId, userId, name }: OrgActor, sentence: string): void {
  leaveNotices(tx, orgId, [
    {
      source: `changed_alone:${newId()}`,
      kind: 'changed_alone',
      title: 'Changed without a second person',
      body: `${isolated(name)} is the only owner or admin who could decide this: ${sentence}`,
      to: { roles: ORG_ROLES, exceptIds: [userId] },
    },
  ]);
}
