import { isolated } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Tx } from '../../kernel/database.ts';
import type { EventOf, RecordedEvent } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { addConfirmation, type ConfirmationRow, propose, proposerOf, removalSubject } from '../confirmations/index.ts';
import { groupChanged } from './group-changed.ts';
import { type GroupRow, type PersonRow, deleteGroupMembers, findGroup, listMembersSince } from './groups.sql.ts';
import { namedBy } from './named-groups.ts';

type Removals = GroupRow['removals'];
/**
 * `alone` is set if the group is named and nobody else could confirm the removal. If an earlier proposal by the same
 * person included others too, `record` is then the event about these others, whose removal still waits.
 */
type Removal =
  | { is: 'applies'; removals: Removals; alone?: string; record?: RecordedEvent }
  | { is: 'waits'; removals: Removals; record: RecordedEvent }
  /** The same person has already proposed it. */
  | { is: 'repeated'; removals: Removals };

/**
 * Decides whether a removal of members from a group takes effect. If a workflow, a route or a run names the group, or a
 * draft needs its approval, its members are a control. The removal is then proposed to a second manager, unless nobody
 * else could confirm it. The proposal includes the people in an earlier proposal by the same person.
 */
export async function proposeRemoval(
  tx: Tx,
  actor: OrgActor,
  group: GroupRow,
  leavers: readonly PersonRow[],
): Promise<Removal> {
  const { orgId, userId, name, email } = actor;
  const { id: groupId, slug, removals } = group;
  const named = leavers.length === 0 ? null : await namedBy(tx, orgId, slug);
  if (named === null) return { is: 'applies', removals };
  const isIn = ({ id }: PersonRow, people: readonly PersonRow[]): boolean => people.some((person) => person.id === id);
  const own = removals.find(({ by }) => by.id === userId)?.removed ?? [];
  const rest = own.filter((person) => group.members.includes(person.id) && !isIn(person, leavers));
  const proposalOf = (people: readonly PersonRow[]) => {
    const removed = people.map((person) => ({ id: person.id, name: person.name, email: person.email }));
    const names = removed.map((person) => isolated(person.name)).join(', ');
    return {
      kind: 'group_members' as const,
      subjectId: removalSubject(groupId, userId),
      payload: { groupId, slug, name: group.name, removed },
      sentence: `Remove ${names} from the group ${isolated(group.name)}, which ${named.words}.`,
    };
  };
  const proposal = proposalOf([...rest, ...leavers]);
  const proposed = await propose(tx, actor, proposal, { isRepeated: leavers.every((leaver) => isIn(leaver, own)) });
  if (proposed.outcome === 'repeated') return { is: 'repeated', removals };
  const others = removals.filter(({ by }) => by.id !== userId);
  const waiting = (removed: readonly PersonRow[]): Removals => [
    ...others,
    { removed: [...removed], by: { id: userId, name, email }, at: proposed.at.toISOString() },
  ];
  if (proposed.outcome === 'waits')
    return { is: 'waits', removals: waiting(proposal.payload.removed), record: proposed.record };
  const { sentence: alone } = proposalOf(leavers);
  if (rest.length === 0) return { is: 'applies', removals: others, alone };
  const record = addConfirmation(tx, proposerOf(actor), proposalOf(rest), proposed.at);
  return { is: 'applies', removals: waiting(rest), alone, record };
}

/** Applies a confirmed removal, except for those who left the group in the meantime, even if they were added again. */
export async function applyRemoval(
  tx: Tx,
  actor: OrgActor,
  { id: confirmationId, payload, proposer, proposed_at: proposedAt }: ConfirmationRow,
): Promise<EventOf<'group.changed'>[]> {
  const { orgId } = actor;
  const { groupId, removed } = payload as { groupId: string; removed: PersonRow[] };
  const userIds = removed.map(({ id }) => id);
  const [group, members] = await Promise.all([
    tx.maybeOne(findGroup, { orgId, id: groupId }),
    tx.many(listMembersSince, { orgId, groupId, userIds, confirmationId }),
  ]);
  if (!group) throw new Refused({ code: 'not_found', what: 'group' });
  if (members.length === 0) return [];
  tx.write(deleteGroupMembers, { orgId, groupId, userIds: members.map(({ id }) => id) });
  const proposal = { proposedBy: proposer.id, proposedAt: proposedAt.toISOString() };
  return [groupChanged(actor, group, { removed: members, ...proposal })];
}
