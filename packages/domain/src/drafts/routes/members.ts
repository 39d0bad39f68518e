import type { KnownPerson } from '../../access/known-person.ts';
import { isFirstHand, mailboxOf } from '../../access/proof.ts';
import type { Relations } from '../relations.ts';
import type { DraftStanding } from '../who-counts.ts';

/**
 * A member of a routed group. `addedAt` is in epoch milliseconds; `addedBy` contains everyone to whom the addition is
 * attributed, first the account that made it.
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
 * last 7 days. If an account for which only they vouch added them, they don't count if there is a manager who
 * isn't such an account, or was one in the last 7 days. Under strict review, marked members don't count either.
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
    relations: Pick<Relations, 'managers' | 'known' | 'onlyVoucherOf'>;
    firstSavedAt: number;
    strict: boolean;
  },
): AcceptedMembers {
  const { managers, known, onlyVoucherOf } = relations;
  const addedThemselves = (id: string, addedBy: readonly string[]): boolean => {
    const own = known.get(id);
    const mailbox = own && mailboxOf(own.email);
    const others = managers.filter((manager) => manager.id !== id && mailboxOf(manager.email) !== mailbox);
    if (addedBy.includes(id)) return others.length > 0;
    if (!own || !isFirstHand(own.provedBy)) return false;
    const isTheirs = (person: KnownPerson): boolean => onlyVoucherOf(person, { asManager: true }) === mailbox;
    const adder = known.get(addedBy[0] ?? '');
    return adder !== undefined && isTheirs(adder) && others.some((manager) => !isTheirs(manager));
  };
  const accepted = new Map<string, { isMarked: boolean }>();
  for (const { id, addedAt, addedBy } of members) {
    const isMarked = addedBy.some((by) => standing.ties.has(by) || standing.vouchersOfAuthors.has(by));
    if (addedAt > firstSavedAt || (strict && isMarked) || addedThemselves(id, addedBy)) continue;
    accepted.set(id, { isMarked });
  }
  return accepted;
}
