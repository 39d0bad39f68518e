import type { Confirmation } from '@stet/contract';
import {
  type ConfirmationKind,
  type ConfirmationRefusal,
  type KnownPerson,
  decideConfirmation,
  decideRefusal,
} from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { ConfirmationRow } from './confirmations.sql.ts';
import type { KnownPeople } from './people.sql.ts';

/** A confirmation with the actor's abilities on it. */
export function presentConfirmation(row: ConfirmationRow, actor: OrgActor, { people, at }: KnownPeople): Confirmation {
  const isWaiting = row.status === 'waiting';
  const isProposer = row.proposer.id === actor.userId;
  const known = new Map<string, KnownPerson>(people.map((person) => [person.id, person]));
  const question = { ...subjectOf(row), actorId: actor.userId, proposedBy: row.proposer.id, people: known, at };
  const decision = decideConfirmation(question);
  const refusal: ConfirmationRefusal | null = decision.ok ? null : decision.refusal;
  return {
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    sentence: sentenceWithGroups(row),
    payload: row.payload,
    proposedBy: row.proposer,
    proposedAt: row.proposed_at.toISOString(),
    status: row.status,
    decidedBy: row.decider,
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    abilities: {
      confirm: isWaiting && refusal === null,
      refuse: isWaiting && !isProposer && decideRefusal(question).ok,
      withdraw: isWaiting && isProposer && canWithdraw(row.kind),
    },
    because: isWaiting && refusal !== null ? answerTo(refusal).body.error : null,
    from:
      isWaiting && refusal?.code === 'reviewer_not_counted_yet' && refusal.from !== null
        ? new Date(refusal.from).toISOString()
        : null,
  };
}

/**
 * Adds a member's groups to the sentence, because the confirmation also affects them: group memberships that the member
 * got from someone who did the work of a run will count in that run.
 */
export function sentenceWithGroups({ sentence, groups }: Pick<ConfirmationRow, 'sentence' | 'groups'>): string {
  if (groups.length === 0) return sentence;
  return `${sentence} They are in the ${groups.length === 1 ? 'group' : 'groups'} ${groups.map(isolated).join(', ')}.`;
}

/**
 * True if the proposer can withdraw a change of this kind. An emergency has already happened. The confirmation of a
 * member must stay available to other managers, and its proposer is only the person who invited the member or gave them
 * the role.
 */
export const canWithdraw = (kind: ConfirmationKind): boolean => kind !== 'emergency' && kind !== 'member';

const PROPOSER_NEEDS = {
  member: null,
  emergency: null,
  policy: 'org.manage',
  working_hours: 'org.manage',
  escalation: 'draft.merge',
  reviewers: 'org.manage',
  group_members: 'org.manage',
} as const;

/** The person whom a confirmation concerns, and the permission that its proposer must have. Null if there is none. */
export const subjectOf = ({ kind, subject_id }: ConfirmationRow) => ({
  aboutId: kind === 'member' ? subject_id : null,
  proposerNeeds: PROPOSER_NEEDS[kind],
});
