import { decideDelegation, lendsDecisions } from '@stet/domain/access';
import type { Delegation as ShownDelegation } from '@stet/contract';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import {
  type DelegationRow,
  endDelegation,
  findDelegate,
  findUnknownKeys,
  insertDelegation,
  listDelegationsOf,
  lockDelegator,
  lockMembers,
  lockOwnDelegation,
} from './delegations.sql.ts';

/** More delegations than anyone has: at most 20 from a person, and 20 from each other member to them. */
const ALL = 100_000;

export const addDelegation: Handler<'POST /api/delegations'> = ({ db }, { actor, body, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { toUserId, reason, workflowKeys = null } = body;
    const [, delegator, found, place, rows] = await Promise.all([
      tx.maybeOne(lockMembers, { orgId }),
      tx.maybeOne(lockDelegator, { orgId, userId }),
      tx.maybeOne(findDelegate, { orgId, userId: toUserId }),
      tx.maybeOne(findUnknownKeys, { orgId, keys: workflowKeys ?? [] }),
      tx.many(listDelegationsOf, { orgId, userId, limit: ALL }),
    ]);
    if (!place) throw new Error('a statement without tables always has a row');
    if (!delegator) throw new Refused({ code: 'forbidden' });
    const own = rows.filter(({ delegator }) => delegator.id === userId).map(delegationOf);
    const wanted = { ...body, from: Date.parse(body.from), until: Date.parse(body.until), workflowKeys };
    const decided = decideDelegation(wanted, { actorId: userId, own, at: place.now });
    const invalid = !decided.ok && decided.refusal.code === 'invalid' ? decided.refusal.problems : [];
    const unknown = place.unknown.map((nth) => ({
      field: `workflowKeys.${nth - 1}`,
      problem: 'There is no workflow with this key',
    }));
    const whyNot = !found
      ? 'This person is not a member of the organization'
      : found.is_disabled
        ? `The account of ${found.name} is disabled`
        : null;
    const problems = [...(whyNot ? [{ field: 'toUserId', problem: whyNot }] : []), ...invalid, ...unknown];
    if (problems.length > 0 || !found) throw new Refused({ code: 'invalid', problems });
    if (!decided.ok) throw new Refused(decided.refusal);
    const { delegation } = decided;
    const delegate = { id: found.id, name: found.name, email: found.email };
    const row: DelegationRow = {
      id: newId(),
      delegator: { id: userId, name: actor.name, email: actor.email },
      delegate,
      starts_at: new Date(delegation.from),
      ends_at: new Date(delegation.until),
      kinds: [...delegation.kinds],
      workflow_keys: delegation.workflowKeys && [...delegation.workflowKeys],
      reason,
      is_active: delegation.from <= place.now,
    };
    tx.write(insertDelegation, {
      orgId,
      id: row.id,
      fromUserId: userId,
      toUserId,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      kinds: row.kinds,
      workflowKeys: row.workflow_keys,
      reason,
    });
    const { id: _, isActive: __, ...data } = presentDelegation(row);
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'delegation.created',
        subject: { type: 'delegation', id: row.id },
        data,
        context: contextOf(row),
      },
    ]);
    return answer(presentDelegation(row));
  });

/** Ends the actor's own delegation. Waits for transactions that use it, and their work still counts. */
export const removeDelegation: Handler<'DELETE /api/delegations/{id}'> = ({ db }, { actor, params: { id } }) =>
  db.transaction(actor, async (tx) => {
    const { orgId, userId } = actor;
    const [, row, place] = await Promise.all([
      tx.maybeOne(lockMembers, { orgId }),
      tx.maybeOne(lockOwnDelegation, { orgId, id, userId }),
      tx.maybeOne(findUnknownKeys, { orgId, keys: [] }),
    ]);
    if (!row || !place) throw new Refused({ code: 'not_found', what: 'delegation' });
    const at = new Date(place.now);
    tx.write(endDelegation, { orgId, id, at });
    appendAudit(tx, [delegationEnded(actor, row, { endedAt: at.toISOString() })]);
    return answer({ message: 'Delegation ended' });
  });

/**
 * Returns one event for each open delegation from or to a person whose membership ends in this transaction. The
 * database deletes the rows with the membership.
 */
export async function leaveDelegations(
  tx: Tx,
  actor: OrgActor,
  { userId, because }: { userId: string; because: 'member_left' | 'member_removed' },
): Promise<EventOf<'delegation.ended'>[]> {
  const rows = await tx.many(listDelegationsOf, { orgId: actor.orgId, userId, limit: ALL });
  return rows.map((row) => delegationEnded(actor, row, { because }));
}

const contextOf = (row: DelegationRow): EventOf<'delegation.created'>['context'] => ({
  ...presentDelegation(row),
  lendsDecisions: lendsDecisions(row),
});

function delegationEnded(
  actor: OrgActor,
  row: DelegationRow,
  details: { endedAt: string } | { because: string },
): EventOf<'delegation.ended'> {
  const { delegator, delegate } = row;
  return {
    ...auditActor(actor),
    action: 'delegation.ended',
    subject: { type: 'delegation', id: row.id },
    data: { delegator, delegate, ...details },
    context: contextOf(row),
  };
}

const delegationOf = ({ id, delegator, delegate, starts_at, ends_at, kinds, workflow_keys }: DelegationRow) => ({
  id,
  fromUserId: delegator.id,
  toUserId: delegate.id,
  from: starts_at.getTime(),
  until: ends_at.getTime(),
  endedAt: null,
  kinds,
  workflowKeys: workflow_keys,
});

export function presentDelegation(row: DelegationRow): ShownDelegation {
  const { id, delegator, delegate, starts_at, ends_at, kinds, workflow_keys, reason, is_active } = row;
  return {
    id,
    delegator,
    delegate,
    from: starts_at.toISOString(),
    until: ends_at.toISOString(),
    kinds,
    workflowKeys: workflow_keys,
    reason,
    isActive: is_active,
  };
}
