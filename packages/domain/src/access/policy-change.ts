/** Why a change of the review policy doesn't happen. */
export type PolicyRefusal =
  | { code: 'forbidden' }
  /** Nothing waits to be confirmed, or no longer. */
  | { code: 'no_policy_change' }
  /** What waits is not what the person was shown; both are numbers of approvals. */
  | { code: 'other_policy_change'; shown: number; waiting: number }
  | { code: 'proposer_cannot_confirm' }
  /** The only owner or admin wants fewer approvals while someone else was one a short time ago; moments in ms since 1970. */
  | { code: 'second_manager_lately'; name: string; since: number; until: number };

/** For so long after someone else ceased to be an owner or admin nobody lowers the approvals alone; in ms. */
export const POLICY_COOLING = 7 * 24 * 60 * 60 * 1000;

/** Someone who was an owner or admin and ceased to be, `at` ms since 1970. */
export type FormerManager = { id: string; name: string; at: number };

type Refused = { ok: false; refusal: PolicyRefusal };
const refused = (refusal: PolicyRefusal): Refused => ({ ok: false, refusal });

/** A lowering that waits for someone else's word. */
export type PendingPolicy = { requiredApprovals: number; proposedBy: string };

/** Who asks, and the ids of all owners and admins of the organization now, read under its lock. */
type Managers = { actorId: string; managers: readonly string[] };

/**
 * What becomes of a wish for another number of required approvals in a team (rulings, section 5). Raising it holds at once,
 * lowering it waits for a second owner or admin where there is one: a person alone could otherwise take the review away
 * from what they are about to merge. `alone` says that there is no second one, and was none for `POLICY_COOLING`: else the
 * only admin could be demoted for the moment that it takes. A raise ends what waited; a new proposal takes its place.
 * @param former who ceased to be an owner or admin, read under the same lock; those from before the cooling may be left out
 */
export function decidePolicyChange({
  actorId,
  managers,
  now,
  wanted,
  pending,
  former,
  at,
}: Managers & {
  now: number;
  wanted: number;
  pending: PendingPolicy | null;
  former: readonly FormerManager[];
  /** The database's moment, in ms since 1970. */
  at: number;
}):
  | { ok: true; change: 'none' }
  | { ok: true; change: 'applied'; alone: boolean }
  | { ok: true; change: 'proposed' }
  | Refused {
  if (!managers.includes(actorId)) return refused({ code: 'forbidden' });
  if (wanted === now) return { ok: true, change: 'none' };
  if (wanted > now) return { ok: true, change: 'applied', alone: false };
  if (managers.every((id) => id === actorId)) {
    const lately = former
      .filter((person) => person.id !== actorId && person.at + POLICY_COOLING > at)
      .toSorted((one, other) => other.at - one.at)[0];
    if (!lately) return { ok: true, change: 'applied', alone: true };
    const { name, at: since } = lately;
    return refused({ code: 'second_manager_lately', name, since, until: since + POLICY_COOLING });
  }
  const isRepeated = pending?.requiredApprovals === wanted && pending.proposedBy === actorId;
  return { ok: true, change: isRepeated ? 'none' : 'proposed' };
}

/**
 * Whether a person may confirm what waits: any owner or admin but the one who proposed it, whatever roles that one has had
 * since.
 * @param shown the number that the person was shown; null where they don't say
 */
export function decidePolicyConfirmation({
  actorId,
  managers,
  pending,
  shown,
}: Managers & { pending: PendingPolicy | null; shown: number | null }):
  | { ok: true; requiredApprovals: number; proposedBy: string }
  | Refused {
  if (!managers.includes(actorId)) return refused({ code: 'forbidden' });
  if (pending === null) return refused({ code: 'no_policy_change' });
  if (shown !== null && shown !== pending.requiredApprovals) {
    return refused({ code: 'other_policy_change', shown, waiting: pending.requiredApprovals });
  }
  if (pending.proposedBy === actorId) return refused({ code: 'proposer_cannot_confirm' });
  return { ok: true, ...pending };
}

/** Ends what waits: by its proposer it is withdrawn, by any other owner or admin refused. */
export function decidePolicyRefusal({
  actorId,
  managers,
  pending,
}: Managers & { pending: PendingPolicy | null }): { ok: true; end: 'withdrawn' | 'refused' } | Refused {
  if (!managers.includes(actorId)) return refused({ code: 'forbidden' });
  if (pending === null) return refused({ code: 'no_policy_change' });
  return { ok: true, end: pending.proposedBy === actorId ? 'withdrawn' : 'refused' };
}
