import { type ConfirmationKind, type OrgRole, decideProposal, mailboxOf, roleHas } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { unwrap } from '../../kernel/refused.ts';
import { insertConfirmation, lockConfirmations, replaceWaiting } from './confirmations.sql.ts';
import { knownPeople } from './people.sql.ts';

/** A change that needs a second manager; `sentence` describes the change, `payload` contains it. */
export type Proposal = {
  kind: ConfirmationKind;
  subjectId: string;
  payload: Record<string, unknown>;
  sentence: string;
};

/** `alone`: nobody else can confirm it, so the caller applies it now. `waits`: the caller appends the event. */
export type Proposed = { outcome: 'alone' } | { outcome: 'waits'; at: Date; record: ProposedEvent };
type ProposedEvent = EventOf<'confirmation.proposed'>;

/** The audit trail's words for a change that nobody else could confirm (who may act, rule 4). */
export const ALONE = 'alone: no other proved owner or admin';

/**
 * Proposes a change to the other managers, or lets the actor make it alone if there is no other proved manager now or
 * recently. The organization is locked until the transaction ends; an earlier proposal for the same subject is
 * replaced.
 */
export async function propose(tx: Tx, actor: OrgActor, proposal: Proposal): Promise<Proposed> {
  const { orgId, userId } = actor;
  await tx.maybeOne(lockConfirmations, { orgId });
  const { people, at } = await knownPeople(tx, { orgId, userIds: [userId] });
  const decision = unwrap(
    decideProposal({
      actorId: userId,
      people: new Map(people.map((person) => [person.id, person])),
      at,
    }),
  );
  tx.write(replaceWaiting, { orgId, kind: proposal.kind, subjectId: proposal.subjectId });
  if (decision.change === 'alone') return { outcome: 'alone' };
  const waitsSince = new Date(at);
  return { outcome: 'waits', at: waitsSince, record: addConfirmation(tx, proposerOf(actor), proposal, waitsSince) };
}

/** The proposer, and the actor of the proposal's event; they differ if someone joins by an invitation. */
type Proposer = {
  orgId: string;
  proposer: { id: string; name: string };
  recordedBy: Pick<ProposedEvent, 'actor' | 'sessionId'>;
};

export const proposerOf = (actor: OrgActor): Proposer => ({
  orgId: actor.orgId,
  proposer: { id: actor.userId, name: actor.name },
  recordedBy: auditActor(actor),
});

/** Inserts a change that waits for a second manager, and returns its event. */
export function addConfirmation(
  tx: Tx,
  { orgId, proposer, recordedBy }: Proposer,
  { kind, subjectId, payload, sentence }: Proposal,
  at: Date,
  emergency: ProposedEvent['context']['emergency'] = null,
): ProposedEvent {
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
  return {
    ...recordedBy,
    action: 'confirmation.proposed',
    subject: confirmationSubject({ kind, subjectId }, orgId),
    data: { ...payload, confirmationId: id, kind, sentence, proposedBy: proposer.id },
    context: { id, proposer, sentence, emergency },
  };
}

/** The subject of a confirmation's events. */
export function confirmationSubject(
  { kind, subjectId }: { kind: ConfirmationKind; subjectId: string },
  orgId: string,
): ProposedEvent['subject'] {
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
 * Asks the other managers to confirm someone who was given the power to review, unless one already has, or the identity
 * provider vouches for them. Returns its event, if any.
 */
export async function askToConfirm(
  tx: Tx,
  by: Proposer,
  member: { id: string; name: string; email: string; role: OrgRole },
): Promise<ProposedEvent[]> {
  const { orgId, proposer } = by;
  if (member.id === proposer.id || !roleHas(member.role, 'draft.review')) return [];
  const { people, at } = await knownPeople(tx, { orgId, userIds: [member.id, proposer.id] });
  const known = people.find(({ id }) => id === member.id);
  // The person who gives the role now may have vouched before: that isn't a second person.
  const mailbox = mailboxOf(people.find(({ id }) => id === proposer.id)?.email ?? '');
  const isConfirmed = people.some(
    ({ id, email }) => known?.confirmedBy.includes(id) && id !== proposer.id && mailboxOf(email) !== mailbox,
  );
  if (known?.hasProvider || isConfirmed) return [];
  tx.write(replaceWaiting, { orgId, kind: 'member', subjectId: member.id });
  const { id, name, email, role } = member;
  const sentence = `Confirm that you know ${isolated(name)} (${email}), whom ${isolated(proposer.name)} made ${article(role)}.`;
  return [
    addConfirmation(tx, by, { kind: 'member', subjectId: id, payload: { name, email, role }, sentence }, new Date(at)),
  ];
}

const article = (role: OrgRole): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
