import type { WorkflowPeople } from '@stet/contract';
import { roleHas, weakensReviewers } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Handlers } from '../../http/handler.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RecordedEvent } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE, lockConfirmations, propose, replaceWaiting } from '../confirmations/index.ts';
import { type Lists, changePeople, listsOf, personOf, without } from './apply-people.ts';
import {
  type MemberRow,
  type PersonRow,
  type WorkflowPeopleRow,
  findWorkflowPeople,
  listMembersNamed,
  lockWorkflowOfPeople,
} from './workflow-people.sql.ts';

type Pending = WorkflowPeopleRow['pending'];

/**
 * The owners and reviewers of a workflow. They aren't part of a version. The removal of a reviewer needs a second
 * manager (see `propose`).
 */
export const workflowPeopleHandlers = {
  'GET /api/workflows/{key}/people': async ({ db }, { actor, params: { key } }) => {
    const row = await db.transaction(actor, (tx) =>
      tx.maybeOne(findWorkflowPeople, { orgId: actor.orgId, key, workflowId: null }),
    );
    if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
    return answer(present(listsOf(row), row.pending, actor));
  },

  'PATCH /api/workflows/{key}/people': ({ db }, { actor, params: { key }, body }) =>
    db.transaction(actor, async (tx) => {
      const { orgId } = actor;
      const userIds = [...(body.owners ?? []), ...(body.reviewers ?? [])];
      const [, , row, members] = await Promise.all([
        tx.maybeOne(lockWorkflowOfPeople, { orgId, key }),
        tx.maybeOne(lockConfirmations, { orgId }),
        tx.maybeOne(findWorkflowPeople, { orgId, key, workflowId: null }),
        tx.many(listMembersNamed, { orgId, userIds }),
      ]);
      if (!row) throw new Refused({ code: 'not_found', what: 'workflow' });
      if (row.type === 'individual' && (body.reviewers ?? []).length > 0)
        throw new Refused({ code: 'individual_organization' });
      const before = listsOf(row);
      let after: Lists = { ...before, owners: body.owners ? namedIn('owners', body.owners, members) : before.owners };
      let { pending } = row;
      let alone: string | undefined;
      const records: RecordedEvent[] = [];
      const reviewers = body.reviewers && namedIn('reviewers', body.reviewers, members);
      if (reviewers) assertCanReview(reviewers, members, row);
      if (reviewers && (!isSame(before.reviewers, reviewers) || before.needsReviewer !== reviewers.length > 0)) {
        const outcome = await proposeReviewers(tx, actor, row, reviewers);
        if (outcome.is === 'waits') {
          records.push(outcome.record);
          pending = outcome.pending;
        } else if (outcome.is === 'applies') {
          after = { ...after, reviewers, needsReviewer: reviewers.length > 0 };
          pending = null;
          alone = outcome.alone;
        }
      }
      if (after.reviewers === reviewers || !isSame(before.owners, after.owners))
        records.push(changePeople(tx, actor, row, after, alone === undefined ? {} : { alone, note: ALONE }));
      if (records.length > 0) appendAudit(tx, records);
      return answer(present(after, pending, actor));
    }),
} satisfies Partial<Handlers>;

type Outcome =
  | { is: 'applies'; alone?: string }
  | { is: 'waits'; record: RecordedEvent; pending: Pending }
  /** The same person has already proposed this list. */
  | { is: 'repeated' };

async function proposeReviewers(
  tx: Tx,
  actor: OrgActor,
  row: WorkflowPeopleRow,
  reviewers: readonly PersonRow[],
): Promise<Outcome> {
  const { orgId, userId: id, name, email } = actor;
  const { pending, workflow_id: subjectId, key } = row;
  const before = { reviewers: row.reviewers.map((each) => each.id), needsReviewer: row.needs_reviewer };
  if (
    !weakensReviewers(
      before,
      reviewers.map((each) => each.id),
    )
  ) {
    if (pending) tx.write(replaceWaiting, { orgId, kind: 'reviewers', subjectId });
    return { is: 'applies' };
  }
  const sentence = sentenceOf(row, reviewers);
  const proposal = { kind: 'reviewers' as const, subjectId, payload: { key, reviewers }, sentence };
  const isRepeated = pending?.by.id === id && isSame(pending.reviewers, reviewers);
  const proposed = await propose(tx, actor, proposal, { isRepeated });
  if (proposed.outcome === 'repeated') return { is: 'repeated' };
  if (proposed.outcome === 'alone') return { is: 'applies', alone: sentence };
  return {
    is: 'waits',
    record: proposed.record,
    pending: { reviewers: [...reviewers], by: { id, name, email }, at: proposed.at.toISOString() },
  };
}

/** Returns the members with these ids, each once, in this order. Refuses ids of people who aren't members. */
function namedIn(field: string, ids: readonly string[], members: readonly MemberRow[]): PersonRow[] {
  const found = ids.map((id) => members.find((member) => member.id === id));
  const stranger = found.indexOf(undefined);
  if (stranger !== -1)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: `${field}.${stranger}`, problem: 'This person is not a member of the organization' }],
    });
  return [...new Set(found)].flatMap((member) => (member ? personOf(member) : []));
}

/** Refuses new reviewers who can't review because of their role or a disabled account. Earlier reviewers can stay. */
function assertCanReview(reviewers: readonly PersonRow[], members: readonly MemberRow[], row: WorkflowPeopleRow): void {
  const added = without(reviewers, row.reviewers);
  const problems = reviewers.flatMap(({ id }, at) => {
    const member = added.includes(id) ? members.find((each) => each.id === id) : undefined;
    const problem = member && whyNotReviewer(member);
    return problem ? [{ field: `reviewers.${at}`, problem }] : [];
  });
  if (problems.length > 0) throw new Refused({ code: 'invalid', problems });
}

function whyNotReviewer({ name, role, is_disabled: isDisabled }: MemberRow): string | null {
  if (isDisabled) return `The account of ${name} is disabled`;
  return roleHas(role, 'draft.review') ? null : 'This person’s role can’t review drafts';
}

const isSame = (one: readonly PersonRow[], other: readonly PersonRow[]): boolean =>
  without(one, other).length === 0 && without(other, one).length === 0;

/** For example `Change the reviewers of Payroll, one of whom has to approve each draft: Ada, Ben → Ben.` */
function sentenceOf({ title, reviewers: before }: WorkflowPeopleRow, after: readonly PersonRow[]): string {
  const names = (people: readonly PersonRow[]): string => people.map(({ name }) => isolated(name)).join(', ');
  const was = before.length === 0 ? 'nobody who is still here' : names(before);
  if (after.length === 0)
    return `Stop requiring an approval by a reviewer of ${isolated(title)}. The reviewers now: ${was}.`;
  return `Change the reviewers of ${isolated(title)}, one of whom has to approve each draft: ${was} → ${names(after)}.`;
}

const present = (
  { owners, reviewers, needsReviewer }: Lists,
  pending: Pending,
  { permissions }: OrgActor,
): WorkflowPeople => ({
  owners: [...owners],
  reviewers: [...reviewers],
  needsReviewer,
  pending: pending && {
    reviewers: pending.reviewers,
    proposedBy: pending.by,
    proposedAt: new Date(pending.at).toISOString(),
  },
  abilities: { change: permissions.includes('org.manage') },
});
