import type { Permission } from './permissions.ts';

/**
 * The work that a person can delegate while they are away. `tasks`: manual steps. `votes`: approval steps, and input
 * that waits for approval. `reviews`: approvals of drafts and requests for changes. Nothing else is ever delegated: no
 * managing, confirming, signing, merging or skipping.
 */
export const DELEGATION_KINDS = ['tasks', 'votes', 'reviews'] as const;
export type DelegationKind = (typeof DELEGATION_KINDS)[number];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest delegation, and how far ahead it can start, in days. */
export const DELEGATION_DAYS = { longest: 180, ahead: 365 } as const;

/** The maximum number of a person's delegations that haven't ended, including planned ones. */
export const MAX_DELEGATIONS = 20;

/** A start at most this long ago, in ms, still means 'from now on', because a browser's clock may be slow. */
const CLOCK_TOLERANCE = 5 * MINUTE_MS;

/**
 * A delegation: for some time, the delegate (`toUserId`) does the work of the delegator (`fromUserId`). Times are in ms
 * since 1970; `until` is exclusive. `endedAt` is set if it was ended early. `workflowKeys` null means all.
 */
export type Delegation = {
  id: string;
  fromUserId: string;
  toUserId: string;
  from: number;
  until: number;
  endedAt: number | null;
  kinds: readonly DelegationKind[];
  workflowKeys: readonly string[] | null;
};

/** True while the delegate may act. */
export const isActiveAt = ({ from, until, endedAt }: Pick<Delegation, 'from' | 'until' | 'endedAt'>, at: number) =>
  endedAt === null && from <= at && at < until;

/** The work that someone wants to do for another person. */
export type DelegatedWork = {
  actorId: string;
  onBehalfOf: string;
  kind: DelegationKind;
  workflowKey: string;
  at: number;
};

/**
 * Returns the delegation by which the actor may do this work for the other person, or undefined. Only a delegation from
 * this person to the actor counts, so a delegate can't pass the work on.
 */
export function delegationFor<D extends Delegation>(
  delegations: readonly D[],
  { actorId, onBehalfOf, kind, workflowKey, at }: DelegatedWork,
): D | undefined {
  return delegations.find(
    (each) =>
      each.toUserId === actorId &&
      each.fromUserId === onBehalfOf &&
      isActiveAt(each, at) &&
      each.kinds.includes(kind) &&
      (each.workflowKeys === null || each.workflowKeys.includes(workflowKey)),
  );
}

/** True if a delegation lends decisions. Owners are notified of such delegations. */
export const lendsDecisions = ({ kinds }: Pick<Delegation, 'kinds'>): boolean =>
  kinds.includes('votes') || kinds.includes('reviews');

/**
 * Permissions that a delegator's role lends to the delegate. Those for steps apply only to steps that name the
 * delegator, and to steps without names. A delegate never helps or stands in on the delegator's behalf.
 */
export const LENT_PERMISSIONS: Readonly<Record<DelegationKind, readonly Permission[]>> = {
  tasks: ['step.act_assigned', 'step.act_any'],
  votes: ['step.act_assigned', 'step.act_any', 'step.act_approval'],
  reviews: ['draft.review'],
};

/** The reason why someone can't delegate their work. */
export type DelegationRefusal =
  | { code: 'invalid'; problems: { field: string; problem: string }[] }
  /**
   * At an overlapping time, another delegation already gives the same kind of work of the same workflow to `toUserId`.
   */
  | { code: 'delegation_overlaps'; delegationId: string; toUserId: string }
  | { code: 'too_many_delegations'; most: number };

/** A delegation as entered. Times are in ms since 1970. */
export type WantedDelegation = Pick<Delegation, 'toUserId' | 'from' | 'until' | 'kinds' | 'workflowKeys'>;

/**
 * Decides whether a person may delegate their work. At most one person does each kind of work of a workflow for them at
 * a time, and someone can have at most `MAX_DELEGATIONS`. Also refused: delegating to oneself, no kind of work, an
 * empty list of workflows, a start in the past, an end that isn't after the start, and more than `DELEGATION_DAYS`.
 * @param own the person's delegations that haven't ended
 * @param at the database's time, in ms since 1970
 * @returns the delegation to save: each kind and workflow once, and `at` as the start if the given one has just passed
 */
export function decideDelegation(
  wanted: WantedDelegation,
  { actorId, own, at }: { actorId: string; own: readonly Delegation[]; at: number },
): { ok: true; delegation: WantedDelegation } | { ok: false; refusal: DelegationRefusal } {
  const problems = problemsOf(wanted, actorId, at);
  if (problems.length > 0) return { ok: false, refusal: { code: 'invalid', problems } };
  const delegation: WantedDelegation = {
    ...wanted,
    from: Math.max(wanted.from, at),
    kinds: DELEGATION_KINDS.filter((kind) => wanted.kinds.includes(kind)),
    workflowKeys: wanted.workflowKeys && [...new Set(wanted.workflowKeys)].toSorted(),
  };
  const open = own.filter(({ endedAt, until }) => endedAt === null && until > at);
  const other = open.find((each) => overlaps(each, delegation));
  if (other) {
    const { id: delegationId, toUserId } = other;
    return { ok: false, refusal: { code: 'delegation_overlaps', delegationId, toUserId } };
  }
  return open.length < MAX_DELEGATIONS
    ? { ok: true, delegation }
    : { ok: false, refusal: { code: 'too_many_delegations', most: MAX_DELEGATIONS } };
}

function problemsOf({ toUserId, from, until, kinds, workflowKeys }: WantedDelegation, actorId: string, at: number) {
  const problems: { field: string; problem: string }[] = [];
  const add = (field: string, problem: string): void => void problems.push({ field, problem });
  if (toUserId === actorId) add('toUserId', 'Choose someone else: you can’t do your own work while you are away');
  if (from < at - CLOCK_TOLERANCE) add('from', 'The start must not be in the past');
  else if (from > at + DELEGATION_DAYS.ahead * DAY_MS)
    add('from', `The start must be within the next ${DELEGATION_DAYS.ahead} days`);
  if (until <= Math.max(from, at)) add('until', 'The end must be after the start and in the future');
  else if (until - from > DELEGATION_DAYS.longest * DAY_MS)
    add('until', `The end must be at most ${DELEGATION_DAYS.longest} days after the start`);
  if (kinds.length === 0) add('kinds', 'Choose what to delegate');
  if (workflowKeys?.length === 0) add('workflowKeys', 'Choose a workflow, or all of them');
  return problems;
}

/** True if two delegations overlap: in time, in a kind of work, and in a workflow. */
function overlaps(one: WantedDelegation, other: WantedDelegation): boolean {
  const isSameTime = one.from < other.until && other.from < one.until;
  const isSameKind = one.kinds.some((kind) => other.kinds.includes(kind));
  const isSameWorkflow =
    one.workflowKeys === null ||
    other.workflowKeys === null ||
    one.workflowKeys.some((key) => other.workflowKeys?.includes(key));
  return isSameTime && isSameKind && isSameWorkflow;
}
