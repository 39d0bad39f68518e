import {
  type Delegation,
  type DelegationKind,
  type Permission,
  delegationFor,
  LENT_PERMISSIONS,
} from '@stet/domain/access';
import { memberActor } from '../../http/authenticate.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import {
  type ActiveDelegationRow,
  lockDelegation,
  listActiveDelegations,
  listReviewDelegates,
  recheckDelegation,
} from './delegations.sql.ts';

/** A member for whom the actor currently acts as a delegate. */
export type Delegator = {
  /** The delegator as an actor, with all their permissions. */
  actor: OrgActor;
  delegations: readonly Delegation[];
};

/** A member who currently reviews drafts for a delegator. */
export type ReviewDelegate = { delegateId: string; delegator: { id: string; name: string } };

type Reads = Pick<Tx, 'many'>;

/**
 * Returns the actor's current delegators, in the order of their delegations. Empty for a token of the organization, and
 * in an individual organization.
 */
export async function listDelegators(tx: Reads, actor: OrgActor): Promise<Delegator[]> {
  const { orgId, userId, token } = actor;
  if (token?.kind === 'organization' || actor.organization?.type === 'individual') return [];
  const rows = await tx.many(listActiveDelegations, { orgId, userId });
  const ids = [...new Set(rows.map(({ id }) => id))];
  return ids.flatMap((id): Delegator[] => {
    const own = rows.filter((row) => row.id === id);
    const [row] = own;
    if (!row) return [];
    return [{ actor: memberActor(row, { orgId, sessionId: '' }), delegations: own.map(delegationIn(userId)) }];
  });
}

/** Lists everyone who currently reviews drafts of a workflow as a delegate. */
export const listDelegatesOfReviews = async (
  tx: Reads,
  at: { orgId: string; workflowKey: string },
): Promise<ReviewDelegate[]> =>
  (await tx.many(listReviewDelegates, at)).map(
    ({ delegator_id: id, delegator_name: name, delegate_id: delegateId }) => ({
      delegateId,
      delegator: { id, name },
    }),
  );

const delegationIn =
  (toUserId: string) =>
  ({ delegation_id, id, starts_at, ends_at, kinds, workflow_keys }: ActiveDelegationRow): Delegation => ({
    id: delegation_id,
    fromUserId: id,
    toUserId,
    from: starts_at.getTime(),
    until: ends_at.getTime(),
    endedAt: null,
    kinds,
    workflowKeys: workflow_keys,
  });

/** Work of one kind in a workflow, at a time in epoch milliseconds. */
type Work = { kind: DelegationKind; workflowKey: string; at: number };

/**
 * Returns the permissions that a delegator lends the actor for this kind of work. If the actor uses a token, returns
 * only permissions that the token has too.
 */
export const lentPermissions = ({ actor: delegator }: Delegator, actor: OrgActor, kind: DelegationKind): Permission[] =>
  delegator.permissions.filter(
    (name) => LENT_PERMISSIONS[kind].includes(name) && (actor.token === null || actor.permissions.includes(name)),
  );

/** Returns the delegation that lets the actor do this work for the delegator, or undefined. */
export const delegationOf = (
  { actor: { userId: onBehalfOf }, delegations }: Delegator,
  { userId: actorId }: OrgActor,
  work: Work,
): Delegation | undefined => delegationFor(delegations, { actorId, onBehalfOf, ...work });

/**
 * Returns the delegator for whom the actor does this work. Refuses if there is no such delegation. `recheck` must be
 * called after the last write: it makes the transaction fail unless the delegation is still active at the commit.
 */
export function delegatorFor(
  tx: Pick<Tx, 'write'>,
  delegators: readonly Delegator[],
  { actor, onBehalfOf, ...work }: Work & { actor: OrgActor; onBehalfOf: string },
): { delegator: Delegator; recheck: () => void } {
  const delegator = delegators.find((each) => each.actor.userId === onBehalfOf);
  const delegation = delegator && delegationOf(delegator, actor, work);
  if (!delegation) throw new Refused({ code: 'not_delegated' });
  const at = {
    orgId: actor.orgId,
    id: delegation.id,
    delegatorId: onBehalfOf,
    role: delegator.actor.orgRole,
  };
  tx.write(lockDelegation, at);
  return { delegator, recheck: () => tx.write(recheckDelegation, at) };
}
