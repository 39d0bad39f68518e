import { type OrgActor, auditActor, peopleOf } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import type { ConfirmationRow } from '../confirmations/index.ts';
import {
  type PersonRow,
  type WorkflowPeopleRow,
  deleteWorkflowPeople,
  findWorkflowPeople,
  insertWorkflowPeople,
  listMembersNamed,
  listWorkflowsOf,
  saveReviewRule,
} from './workflow-people.sql.ts';

const PARTS = { owners: 'owner', reviewers: 'reviewer' } as const;
export type Lists = { owners: readonly PersonRow[]; reviewers: readonly PersonRow[]; needsReviewer: boolean };

/** Details about a change, for its event. */
type About = { note?: string; proposedBy?: string; proposedAt?: string; because?: string };

/**
 * Replaces the owners and reviewers of a workflow, and returns the event. People who stay keep their joining time.
 * `alone` describes a change that one manager made alone.
 */
export function changePeople(
  tx: Tx,
  actor: OrgActor,
  row: WorkflowPeopleRow,
  after: Lists,
  { addedBy = peopleOf(actor), alone, ...about }: About & { addedBy?: readonly string[]; alone?: string } = {},
): EventOf<'workflow.people_changed'> {
  const at = { orgId: actor.orgId, workflowId: row.workflow_id };
  tx.write(saveReviewRule, { ...at, needsReviewer: after.needsReviewer });
  for (const name of ['owners', 'reviewers'] as const) {
    const [part, removed, added] = [PARTS[name], without(row[name], after[name]), without(after[name], row[name])];
    if (removed.length > 0) tx.write(deleteWorkflowPeople, { ...at, part, userIds: removed });
    if (added.length > 0) tx.write(insertWorkflowPeople, { ...at, part, userIds: added, addedBy, at: row.now });
  }
  return peopleChanged(actor, row, after, { ...about, addedBy, alone });
}

function peopleChanged(
  actor: OrgActor,
  row: WorkflowPeopleRow,
  after: Lists,
  { addedBy, alone, ...about }: About & { addedBy: readonly string[]; alone?: string | undefined },
): EventOf<'workflow.people_changed'> {
  const before = listsOf(row);
  return {
    ...auditActor(actor),
    action: 'workflow.people_changed',
    subject: { type: 'workflow', id: row.workflow_id },
    data: { key: row.key, before, after, addedBy, addedAt: row.now.toISOString(), ...about },
    context: {
      key: row.key,
      title: row.title,
      reviewers: {
        added: without(after.reviewers, row.reviewers),
        removed: 'because' in about ? [] : without(row.reviewers, after.reviewers),
      },
      owners: {
        added: without(after.owners, row.owners),
        removed: 'because' in about ? [] : without(row.owners, after.owners),
      },
      ...(alone !== undefined && { alone }),
    },
  };
}

/** Returns the ids of the people in `some` who aren't in `others`. */
export const without = (some: readonly PersonRow[], others: readonly PersonRow[]): string[] =>
  some.filter(({ id }) => !others.some((other) => other.id === id)).map(({ id }) => id);

export const personOf = ({ id, name, email }: PersonRow): PersonRow => ({ id, name, email });

export const listsOf = ({ owners, reviewers, needs_reviewer }: WorkflowPeopleRow): Lists => ({
  owners: owners.map(personOf),
  reviewers: reviewers.map(personOf),
  needsReviewer: needs_reviewer,
});

/**
 * Applies a confirmed list of reviewers, without those who have left the organization in the meantime. The added people
 * count as added by the manager who confirms the list or, if this manager is one of them, by the proposer.
 */
export async function applyPeople(
  tx: Tx,
  actor: OrgActor,
  { subject_id: workflowId, payload, proposer, proposed_at }: ConfirmationRow,
): Promise<EventOf<'workflow.people_changed'>[]> {
  const { orgId } = actor;
  const proposed = payload['reviewers'] as PersonRow[];
  // The workflow isn't locked. Locking it after the organization could deadlock with a merge.
  const [row, members] = await Promise.all([
    tx.maybeOne(findWorkflowPeople, { orgId, key: null, workflowId }),
    tx.many(listMembersNamed, { orgId, userIds: proposed.map(({ id }) => id) }),
  ]);
  if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
  const reviewers = members.map(personOf);
  const own = peopleOf(actor);
  const addedBy = without(reviewers, row.reviewers).some((id) => own.includes(id)) ? [proposer.id] : own;
  const after = { ...listsOf(row), reviewers, needsReviewer: proposed.length > 0 };
  const proposal = { proposedBy: proposer.id, proposedAt: proposed_at.toISOString() };
  return [changePeople(tx, actor, row, after, { ...proposal, addedBy })];
}

/**
 * Creates the events for the workflows of which a person is no longer an owner or reviewer, because their membership in
 * the organization ends in this transaction. The database deletes the rows with the membership. A workflow whose last
 * reviewer leaves still requires an approval by a reviewer.
 */
export async function leaveWorkflows(
  tx: Tx,
  actor: OrgActor,
  { userId, because }: { userId: string; because: 'member_left' | 'member_removed' },
): Promise<EventOf<'workflow.people_changed'>[]> {
  const rows = await tx.many(listWorkflowsOf, { orgId: actor.orgId, userId });
  const isOther = ({ id }: PersonRow): boolean => id !== userId;
  return rows.map((row) => {
    const { owners, reviewers, needsReviewer } = listsOf(row);
    const after = { owners: owners.filter(isOther), reviewers: reviewers.filter(isOther), needsReviewer };
    return peopleChanged(actor, row, after, { because, addedBy: [] });
  });
}
