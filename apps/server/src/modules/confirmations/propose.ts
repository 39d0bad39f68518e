import {
  type ConfirmationKind,
  ORG_ROLES,
  type OrgRole,
  confirmationCovers,
  decideProposal,
  isFirstHand,
  mailboxOf,
  roleHas,
} from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused, unwrap } from '../../kernel/refused.ts';
import { insertConfirmation, listConfirmers, lockConfirmations, replaceWaiting } from './confirmations.sql.ts';
import { knownPeople } from './people.sql.ts';

/** A change that needs a second manager. `sentence` describes the change, and `payload` contains it. */
export type Proposal = {
  kind: ConfirmationKind;
  subjectId: string;
  payload: Record<string, unknown>;
  sentence: string;
};

/**
 * If the outcome is `alone`, nobody else can confirm the change, so the caller applies it immediately. If it is
 * `waits`, the caller appends `record` to the trail. If it is `repeated`, the same proposal still waits.
 */
export type Proposed =
  | { outcome: 'alone'; at: Date }
  | { outcome: 'repeated' }
  | { outcome: 'waits'; at: Date; record: ProposedEvent };
type ProposedEvent = EventOf<'confirmation.proposed'>;

/** The audit trail's note for a change that nobody else could confirm (docs/second-person.md). */
export const ALONE = 'alone: no other proved owner or admin';

/**
 * Proposes a change to the other managers. If there is no other proved manager, and there was none recently, the actor
 * can make the change alone. Locks the organization until the transaction ends. Replaces an earlier proposal for the
 * same subject, unless the actor repeats it (`isRepeated`) and it still has to wait. Refuses an organization's token, and
 * actors whom `decideProposal` refuses.
 */
export async function propose(
  tx: Tx,
  actor: OrgActor,
  proposal: Proposal,
  { isRepeated = false }: { isRepeated?: boolean } = {},
): Promise<Proposed> {
  const { orgId, userId, token } = actor;
  // Every current and former owner of the token may still have it, and one of them could be the second person.
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
  if (isRepeated && decision.change === 'waits') return { outcome: 'repeated' };
  tx.write(replaceWaiting, { orgId, kind: proposal.kind, subjectId: proposal.subjectId });
  const decidedAt = new Date(at);
  if (decision.change === 'alone') return { outcome: 'alone', at: decidedAt };
  return { outcome: 'waits', at: decidedAt, record: addConfirmation(tx, proposerOf(actor), proposal, decidedAt) };
}

/**
 * The proposer, and the actor recorded in the event about the proposal. If someone joins by invitation, these are
 * different people.
 */
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

/** Inserts a change that waits for a second manager, and returns the event about it. */
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

/**
 * Each manager has a separate proposal for the members of a group. This way, managers don't replace each other's
 * proposals, and no proposal contains someone else's changes.
 */
export const removalSubject = (groupId: string, proposerId: string): string => `${groupId}:${proposerId}`;
const groupOfRemoval = (subjectId: string): string => subjectId.split(':')[0] ?? subjectId;

/** The subject of events about a confirmation. */
export function confirmationSubject(
  { kind, subjectId }: { kind: ConfirmationKind; subjectId: string },
  orgId: string,
): ProposedEvent['subject'] {
  switch (kind) {
    case 'member':
      return { type: 'user', id: subjectId };
    case 'escalation':
    case 'reviewers':
      return { type: 'workflow', id: subjectId };
    case 'group_members':
      return { type: 'group', id: groupOfRemoval(subjectId) };
    case 'emergency':
      return { type: 'version', id: subjectId };
    case 'policy':
    case 'working_hours':
      return { type: 'organization', id: orgId };
  }
}

/**
 * Asks the other managers to confirm a person who was given a role, if the person's address isn't proved or if the role
 * can review. They aren't asked if one of them has already confirmed the person for such a role, or if an identity
 * provider vouches for the person. `provesNow` is true if joining proves the address. Ends a proposal about the person
 * that still waits. Returns the event about the new proposal, or none.
 */
export async function askToConfirm(
  tx: Tx,
  by: Proposer,
  member: { id: string; name: string; email: string; role: OrgRole; provesNow?: boolean },
): Promise<ProposedEvent[]> {
  const { orgId, proposer: giver } = by;
  if (member.id === giver.id) return [];
  const { id, name, email, role, provesNow = false } = member;
  const { people, at } = await knownPeople(tx, { orgId, userIds: [id, giver.id] });
  tx.write(replaceWaiting, { orgId, kind: 'member', subjectId: id });
  const known = people.find((each) => each.id === id);
  // Uses `role`, because the stored membership may still have the former role.
  const enough = ORG_ROLES.filter((confirmed) => confirmationCovers(confirmed, role));
  const confirmers = (await tx.many(listConfirmers, { orgId, subjectId: id, enough })).map((confirmer) => confirmer.id);
  const provedBy = known?.provedBy ?? null;
  const isProved = provesNow || confirmers.length > 0 || (provedBy !== null && provedBy !== 'manager');
  if (isProved && !roleHas(role, 'draft.review')) return [];
  // A confirmation by the person who gives the role, or by another account of their mailbox, isn't enough.
  const mailbox = mailboxOf(people.find((each) => each.id === giver.id)?.email ?? '');
  const isConfirmed = people.some(
    (each) => confirmers.includes(each.id) && each.id !== giver.id && mailboxOf(each.email) !== mailbox,
  );
  if (known?.hasProvider || isConfirmed) return [];
  // Until a member is proved, their inviter counts as the same person and can't confirm them. If someone else were the
  // proposer, that person couldn't confirm either, so the inviter becomes the proposer. The exception is an inviter who
  // left or was disabled without a proof, because anyone could be that person.
  const inviter = isProved
    ? undefined
    : people.find(
        (each) =>
          each.id === known?.invitedBy && ((each.role !== null && !each.isDisabled) || isFirstHand(each.provedBy)),
      );
  const proposer = inviter ? { id: inviter.id, name: inviter.name } : giver;
  const sentence = `Confirm that you know ${isolated(name)} (${email}), whom ${isolated(giver.name)} made ${article(role)}.`;
  const proposal = { kind: 'member' as const, subjectId: id, payload: { name, email, role }, sentence };
  return [addConfirmation(tx, { ...by, proposer }, proposal, new Date(at))];
}

const article = (role: OrgRole): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
