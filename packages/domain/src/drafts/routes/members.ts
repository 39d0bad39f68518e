import type { KnownPerson } from '../../access/known-person.ts';
import { isFirstHand, mailboxOf } from '../../access/proof.ts';
import type { Relations } from '../relations.ts';
import type { DraftStanding } from '../who-counts.ts';

/**
 * A member of a routed group. `addedAt` is in epoch milliseconds; `addedBy` contains everyone to whom the addition is
 * attributed.
 */
export type RoutedMember = { id: string; addedAt: number; addedBy: readonly string[] };

/**
 * The members whose approval the group's requirement accepts, by id. `isMarked`: someone with a tie to the authors, or
 * an author's only voucher, added the member.
 */
export type AcceptedMembers = ReadonlyMap<string, { isMarked: boolean }>;

/**
 * Returns the members whose approval of a draft counts for their group. They must have joined the group before the
 * draft was first saved. Members who added themselves don't count if there is another proved manager, or was one in the
 * last 7 days. Under strict review, marked members don't count either.
 */
export function acceptedMembers(
  members: readonly RoutedMember[],
  {
    standing,
    relations,
    firstSavedAt,
    strict,
  }: {
    standing: Pick<DraftStanding, 'ties' | 'vouchersOfAuthors'>;
    relations: Pick<Relations, 'managers' | 'known'>;
    firstSavedAt: number;
    strict: boolean;
  },
): AcceptedMembers {
  const { managers, known } = relations;
  const hasOtherManager = (id: string): boolean => {
    const own = known.get(id);
    // Two accounts of one mailbox belong to one person. If only the manager has proved it, the member may be someone else.
    const isOne = (manager: KnownPerson): boolean =>
      own !== undefined &&
      mailboxOf(manager.email) === mailboxOf(own.email) &&
      (isFirstHand(own.provedBy) || !isFirstHand(manager.provedBy));
    return managers.some((manager) => manager.id !== id && !isOne(manager));
  };
  const accepted = new Map<string, { isMarked: boolean }>();
  for (const { id, addedAt, addedBy } of members) {
    const isMarked = addedBy.some((by) => standing.ties.has(by) || standing.vouchersOfAuthors.has(by));
    if (addedAt > firstSavedAt || (strict && isMarked)) continue;
    if (addedBy.includes(id) && hasOtherManager(id)) continue;
    accepted.set(id, { isMarked });
  }
  return accepted;
}
