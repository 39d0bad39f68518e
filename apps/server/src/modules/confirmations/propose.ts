import { type ConfirmationKind, type OrgRole, decideProposal, mailboxOf, roleHas } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { findWaiting, insertConfirmation, lockConfirmations, replaceWaiting } from './confirmations.sql.ts';
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
 * replaced. An organization's token can't propose anything.
 */
export async function propose(tx: Tx, actor: OrgActor, proposal: Proposal): Promise<Proposed> {
  const { orgId, userId, token } = actor;
  // Its owners of all times know the token, and one of them could be the second person.
  if (token?.kind === 'organization') throw new Refused({ code: 'not_for_tokens', needsSecondPerson: true });
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
 * Asks the other managers to confirm someone who was given a role: everyone whose address isn't proved, and everyone who
 * can review now, unless a manager already has, or the identity provider vouches for them. `provesNow`: joining proves
 * the address. Returns its event, if any.
 */
export async function askToConfirm(
  tx: Tx,
  by: Proposer,
  member: { id: string; name: string; email: string; role: OrgRole; provesNow?: boolean },
): Promise<ProposedEvent[]> {
  const { orgId, proposer } = by;
  if (member.id === proposer.id) return [];
  const { id, name, email, role, provesNow = false } = member;
  const [{ people, at }, waiting] = await Promise.all([
    knownPeople(tx, { orgId, userIds: [id, proposer.id] }),
    tx.maybeOne(findWaiting, { orgId, kind: 'member', subjectId: id }),
  ]);
  const known = people.find((each) => each.id === id);
  const isProved = provesNow || (known !== undefined && known.provedBy !== null);
  if (isProved && !roleHas(role, 'draft.review')) return [];
  // Its proposer can't confirm the person, but this one could: a new proposal would exclude both.
  if (!isProved && waiting && waiting.proposer.id !== proposer.id) return [];
  // The person who gives the role now may have vouched before: that isn't a second person.
  const mailbox = mailboxOf(people.find((each) => each.id === proposer.id)?.email ?? '');
  const isConfirmed = people.some(
    (each) => known?.confirmedBy.includes(each.id) && each.id !== proposer.id && mailboxOf(each.email) !== mailbox,
  );
  if (known?.hasProvider || isConfirmed) return [];
  tx.write(replaceWaiting, { orgId, kind: 'member', subjectId: id });
  const sentence = `Confirm that you know ${isolated(name)} (${email}), whom ${isolated(proposer.name)} made ${article(role)}.`;
  return [
    addConfirmation(tx, by, { kind: 'member', subjectId: id, payload: { name, email, role }, sentence }, new Date(at)),
  ];
}

const article = (role: OrgRole): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
