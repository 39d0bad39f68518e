import { GROUP_LIMITS } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor, peopleOf } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf, RecordedEvent } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { ALONE, replaceWaitingForGroup } from '../confirmations/index.ts';
import { groupChanged, presentGroup, subject } from './group-changed.ts';
import { proposeRemoval } from './remove-members.ts';
import { namedByEach, workflowsNaming } from './named-groups.ts';
import {
  type PersonRow,
  deleteGroup,
  deleteGroupMembers,
  findGroup,
  findGroupPlace,
  insertGroup,
  insertGroupMembers,
  listDraftsRequiring,
  listGroupsInRoutes,
  listGroupsOf,
  listPeopleConcerned,
  lockGroup,
  lockGroups,
  renameGroup,
} from './groups.sql.ts';

type People = Awaited<ReturnType<typeof peopleConcerned>>;

/** Members of the organization: those with these ids, and those already in the group. */
async function peopleConcerned(tx: Tx, orgId: string, groupId: string, userIds: readonly string[]) {
  const rows = await tx.many(listPeopleConcerned, { orgId, groupId, userIds });
  return new Map(rows.map((person) => [person.id, person]));
}

/**
 * Refuses ids that don't belong to members of the organization, and disabled accounts that aren't in the group yet.
 * `field` is the request field that contains the ids.
 */
function assertMembers(
  userIds: readonly string[],
  people: People,
  { field = 'members', before = [] }: { field?: string; before?: readonly string[] } = {},
): void {
  const problems = userIds.flatMap((id, at) => {
    const person = people.get(id);
    const problem = !person
      ? 'This person is not a member of the organization'
      : person.is_disabled && !before.includes(id)
        ? `The account of ${person.name} is disabled`
        : null;
    return problem ? [{ field: `${field}.${at}`, problem }] : [];
  });
  if (problems.length > 0) throw new Refused({ code: 'invalid', problems });
}

/** Shortens a time of the database, which has microseconds, to the milliseconds of the trail. */
const msOf = (at: string): string => new Date(at).toISOString();

const named = (ids: readonly string[], people: People): PersonRow[] =>
  ids.flatMap((each) => {
    const person = people.get(each);
    return person ? [{ id: person.id, name: person.name, email: person.email }] : [];
  });

export const addGroup: Handler<'POST /api/groups'> = ({ db }, { actor, body, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId } = actor;
    const { name, slug } = body;
    const members = [...new Set(body.members)];
    const id = newId();
    const [organization, place, people] = await Promise.all([
      tx.maybeOne(lockGroups, { orgId }),
      tx.maybeOne(findGroupPlace, { orgId, slug }),
      peopleConcerned(tx, orgId, id, members),
    ]);
    assertMembers(members, people);
    if (organization?.type !== 'team' || !place) throw new Refused({ code: 'no_groups_alone' });
    if (place.is_taken) throw new Refused({ code: 'group_slug_taken' });
    if (place.count >= GROUP_LIMITS.groups) throw new Refused({ code: 'too_many_groups', most: GROUP_LIMITS.groups });
    const added = { by: peopleOf(actor), at: place.at };
    tx.write(insertGroup, { orgId, id, slug, name, at: added.at });
    if (members.length > 0)
      tx.write(insertGroupMembers, { orgId, groupId: id, userIds: members, addedBy: added.by, at: added.at });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'group.created',
        subject: subject(id),
        data: { slug, name, added: named(members, people), addedBy: added.by, addedAt: msOf(added.at) },
        context: { name, added: members, removed: [] },
      },
    ]);
    return answer({ id, slug, name, members, pendingRemovals: [] });
  });

/**
 * Renames a group, replaces its members, or adds and removes some. Members who stay keep their joining time. If two
 * managers add or remove people at the same time, both changes apply. If something names the group, removals wait for a
 * second manager, unless nobody else could confirm them. Everything else takes effect immediately.
 */
export const changeGroup: Handler<'PATCH /api/groups/{id}'> = ({ db }, { actor, params: { id }, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const given = [...new Set(body.members ?? body.addMembers)];
    const [, row, place, people] = await Promise.all([
      tx.maybeOne(lockGroups, { orgId }),
      tx.maybeOne(findGroup, { orgId, id }),
      tx.maybeOne(findGroupPlace, { orgId, slug: '' }),
      peopleConcerned(tx, orgId, id, given),
    ]);
    if (!row || !place) throw new Refused({ code: 'not_found', what: 'group' });
    if (body.slug !== undefined && body.slug !== row.slug)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'slug', problem: 'A group’s slug never changes, because workflows name it' }],
      });
    assertMembers(given, people, { field: body.members ? 'members' : 'addMembers', before: row.members });
    const leaving = body.removeMembers ?? [];
    const members = body.members
      ? given
      : [...new Set([...row.members.filter((member) => !leaving.includes(member)), ...given])];
    const name = body.name ?? row.name;
    const added = members.filter((member) => !row.members.includes(member));
    const leavers = row.members.filter((member) => !members.includes(member));
    const removal = await proposeRemoval(tx, actor, row, named(leavers, people));
    const removed = removal.is === 'applies' ? leavers : [];
    const group = {
      ...row,
      name,
      members: [...row.members.filter((member) => !removed.includes(member)), ...added],
      removals: removal.removals,
    };
    // Members whose removal is waiting for confirmation still belong to the group.
    if (group.members.length > GROUP_LIMITS.members)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'addMembers', problem: `A group can have at most ${GROUP_LIMITS.members} members` }],
      });
    const records: RecordedEvent[] = removal.is !== 'repeated' && removal.record ? [removal.record] : [];
    if (name !== row.name) tx.write(renameGroup, { orgId, id, name });
    if (removed.length > 0) tx.write(deleteGroupMembers, { orgId, groupId: id, userIds: removed });
    const addedBy = peopleOf(actor);
    if (added.length > 0) tx.write(insertGroupMembers, { orgId, groupId: id, userIds: added, addedBy, at: place.at });
    const alone = removal.is === 'applies' ? removal.alone : undefined;
    if (name !== row.name || added.length > 0 || removed.length > 0)
      records.push(
        groupChanged(
          actor,
          row,
          {
            ...(name !== row.name && { before: { name: row.name }, after: { name } }),
            ...(added.length > 0 && { added: named(added, people), addedBy, addedAt: msOf(place.at) }),
            ...(removed.length > 0 && { removed: named(removed, people) }),
            ...(alone !== undefined && { note: ALONE }),
          },
          alone === undefined ? {} : { alone },
        ),
      );
    if (records.length > 0) appendAudit(tx, records);
    return answer(presentGroup(group));
  });

/**
 * Deletes a group, unless a live version, an open draft, a route or an open run names it, or a draft needs its
 * approval.
 */
export const removeGroup: Handler<'DELETE /api/groups/{id}'> = ({ db }, { actor, params: { id } }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const [, , row, people] = await Promise.all([
      tx.maybeOne(lockGroups, { orgId }),
      tx.maybeOne(lockGroup, { orgId, id }),
      tx.maybeOne(findGroup, { orgId, id }),
      peopleConcerned(tx, orgId, id, []),
    ]);
    if (!row) throw new Refused({ code: 'not_found', what: 'group' });
    const slugs = [row.slug];
    const [route] = await tx.many(listGroupsInRoutes, { orgId, slugs });
    if (route) throw new Refused({ code: 'group_routed', name: row.name });
    const [draft] = await tx.many(listDraftsRequiring, { orgId, slugs });
    if (draft) throw new Refused({ code: 'group_approves', name: row.name, title: draft.title });
    const workflows = await workflowsNaming(tx, orgId, row.slug);
    if (workflows.length > 0) throw new Refused({ code: 'group_in_use', name: row.name, workflows });
    const { slug, name, members } = row;
    // Proposals to remove members of a deleted group can no longer be applied, so they must not wait for confirmation.
    tx.write(replaceWaitingForGroup, { orgId, groupId: id });
    tx.write(deleteGroupMembers, { orgId, groupId: id, userIds: members });
    tx.write(deleteGroup, { orgId, id });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'group.deleted',
        subject: subject(id),
        data: { slug, name, removed: named(members, people) },
        context: { name, added: [], removed: members },
      },
    ]);
    return answer({ message: 'Group deleted' });
  });

/**
 * Prepares the events for the groups of a person whose membership in the organization ends in this transaction. Returns
 * a function that creates them from the person's row. The database deletes the group memberships. No second manager
 * confirms this. So if a route, draft, workflow or open run names the group, the event has a note that says so.
 */
export async function leaveGroups(
  tx: Tx,
  actor: OrgActor,
  { userId, because }: { userId: string; because: 'member_left' | 'member_removed' },
): Promise<(person: PersonRow) => EventOf<'group.changed'>[]> {
  const { orgId } = actor;
  const rows = await tx.many(listGroupsOf, { orgId, userId });
  const namedGroups = await namedByEach(
    tx,
    orgId,
    rows.map(({ slug }) => slug),
  );
  return (person) =>
    rows.map((row) => {
      const named = namedGroups.get(row.slug) ?? null;
      return groupChanged(
        actor,
        row,
        {
          removed: [person],
          because,
          ...(named && { note: `not confirmed by a second manager, although the group ${named.words}` }),
        },
        { left: { name: person.name, isRemoved: because === 'member_removed', isLast: row.is_last, named } },
      );
    });
}
