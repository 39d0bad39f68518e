import type { DelegationKind } from '@stet/domain/access';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { type Delegator, delegationOf, lentPermissions } from '../delegations/index.ts';
import { type StepAccess, stepAccess } from './step-access.ts';

/** An actor's abilities in a run as the delegate of one delegator. */
export type DelegatedAccess = {
  /** The delegator, with only the permissions that they lend the actor. */
  delegator: OrgActor;
  access: StepAccess;
  /** True if this kind of work is delegated in the run's workflow. */
  isDelegated: (kind: DelegationKind) => boolean;
};

/** The row also needs the key of the run's workflow, because a delegation can be limited to some workflows. */
type InRun = Omit<Parameters<typeof stepAccess>[1], 'delegate' | 'row'> & {
  row: Parameters<typeof stepAccess>[1]['row'] & { workflow_key: string };
};

/** Determines the actor's abilities for each delegator. Without delegations, this needs no query. */
export const delegatedAccess = (
  tx: Tx,
  delegators: readonly Delegator[],
  { actor, ...inRun }: InRun,
): Promise<DelegatedAccess[]> => Promise.all(delegators.map((each) => accessFor(tx, each, { actor, ...inRun })));

async function accessFor(tx: Tx, delegator: Delegator, { actor, ...inRun }: InRun): Promise<DelegatedAccess> {
  const { row, now: at } = inRun;
  const isDelegated = (kind: DelegationKind): boolean =>
    delegationOf(delegator, actor, { kind, workflowKey: row.workflow_key, at }) !== undefined;
  const kinds = (['tasks', 'votes'] as const).filter(isDelegated);
  const permissions = [...new Set(kinds.flatMap((kind) => lentPermissions(delegator, actor, kind)))];
  const lending = { ...delegator.actor, permissions };
  const access = await stepAccess(tx, { ...inRun, actor: lending, delegate: actor });
  return { delegator: lending, access, isDelegated };
}
