import type { Confirmation, Group } from '@stet/contract';
import type { Person, Reply } from './server.ts';

/**
 * Replaces the members of a group. If the removal of some of them waits for a second manager, `second` confirms it.
 * Returns the reply to the change.
 */
export async function setGroupMembers(
  by: Person,
  { groupId, members, second }: { groupId: string; members: readonly Person[]; second?: Person | undefined },
): Promise<Reply<Group>> {
  const ids = members.map(({ user }) => user.id);
  const reply = await by.call<Group>('PATCH', `/api/groups/${groupId}`, { members: ids });
  const waiting = second && (await removalsBy(by, second)).find(({ payload }) => payload['groupId'] === groupId);
  if (waiting) await second.post(`/api/confirmations/${waiting.id}/confirm`);
  return reply;
}

/** The removals from groups that a person proposed and that wait for confirmation, as `seenBy` sees them. */
export const removalsBy = async (by: Person, seenBy: Person): Promise<Confirmation[]> =>
  (await seenBy.get<Confirmation[]>('/api/confirmations')).filter(
    ({ kind, proposedBy }) => kind === 'group_members' && proposedBy.id === by.user.id,
  );
