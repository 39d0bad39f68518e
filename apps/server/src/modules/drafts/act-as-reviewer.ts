import { assertMay } from '../../http/assert-may.ts';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { type Delegator, delegationOf, delegatorFor, lentPermissions } from '../delegations/index.ts';
import type { PersonRow } from '../workflows/index.ts';
import type { LoadedDraft } from './load-draft.ts';

const PERMISSION = 'draft.review';

/** Someone who reviews a draft in their own name or as a delegate. */
export type ActingReviewer = {
  /** The delegator. Null if the actor reviews in their own name. */
  onBehalfOf: PersonRow | null;
  /** The id of the person whose review it is: the delegator or, without one, the actor. */
  ownerId: string;
  /** The actor of the audit events, with the delegator if there is one. */
  by: ReturnType<typeof auditActor>;
  /** Must be called after the last write. The transaction fails if the delegation has ended. */
  recheck: () => void;
};

/**
 * Determines in whose name the actor reviews a draft. Refuses an actor without the permission or, with `onBehalfOf`,
 * without a delegation of reviews by someone who has the permission. The transaction checks this again at commit.
 */
export function actAsReviewer(
  tx: Pick<Tx, 'write' | 'needs'>,
  {
    actor,
    delegators,
    draft,
    onBehalfOf,
  }: {
    actor: OrgActor;
    delegators: readonly Delegator[];
    draft: Pick<LoadedDraft, 'row' | 'at'>;
    onBehalfOf: string | undefined;
  },
): ActingReviewer {
  const own = auditActor(actor);
  // A delegate's token must have the permission too.
  if (onBehalfOf === undefined || actor.token !== null) tx.needs(PERMISSION);
  if (onBehalfOf === undefined) {
    assertMay(actor, PERMISSION);
    return { onBehalfOf: null, ownerId: actor.userId, by: own, recheck: () => undefined };
  }
  const work = { kind: 'reviews', workflowKey: draft.row.key, at: draft.at } as const;
  const { delegator, recheck } = delegatorFor(tx, delegators, { actor, onBehalfOf, ...work });
  if (!canLendReviews(delegator, actor)) throw new Refused({ code: 'forbidden' });
  const person = personOf(delegator);
  return {
    onBehalfOf: person,
    ownerId: person.id,
    by: { ...own, actor: { ...own.actor, onBehalfOf: person } },
    recheck,
  };
}

/** Returns the people for whom the actor can currently review drafts of a workflow as a delegate. */
export const delegatorsOfReviews = (
  delegators: readonly Delegator[],
  actor: OrgActor,
  { workflowKey, at }: { workflowKey: string; at: number },
): PersonRow[] =>
  delegators
    .filter(
      (delegator) =>
        canLendReviews(delegator, actor) && delegationOf(delegator, actor, { kind: 'reviews', workflowKey, at }),
    )
    .map(personOf);

const canLendReviews = (delegator: Delegator, actor: OrgActor): boolean =>
  lentPermissions(delegator, actor, 'reviews').includes(PERMISSION);

const personOf = ({ actor: { userId: id, name, email } }: Delegator): PersonRow => ({ id, name, email });
