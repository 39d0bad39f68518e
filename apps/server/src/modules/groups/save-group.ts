import { GROUP_LIMITS, groupAssignee } from '@stet/domain/access';
import type { Handler } from '../../http/handler.ts';
import { type OrgActor, auditActor, peopleOf } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import {
  type GroupRow,
  type PersonRow,
  deleteGroup,
  deleteGroupMembers,
  findGroup,
  findDraftRequiring,
  findGroupPlace,
  findRouteNaming,
  insertGroup,
  insertGroupMembers,
  listGroupsOf,
  listPeopleConcerned,
  listWorkflowsNaming,
  lockGroup,
  lockGroups,
  renameGroup,
} from './groups.sql.ts';

const subject = (id: string) => ({ type: 'group' as const, id });
/** Maximum number of workflows named in a refusal. */
const MAX_NAMED = 50;

type People = Awaited<ReturnType<typeof peopleConcerned>>;

/** Members of the organization: those with these ids, and those already in the group. */
async function peopleConcerned(tx: Tx, orgId: string, groupId: string, userIds: readonly string[]) {
  const rows = await tx.many(listPeopleConcerned, { orgId, groupId, userIds });
  return new Map(rows.map((person) => [person.id, person]));
}

/** Refuses ids that don't belong to members of the organization. `field` is the list with the ids. */
function assertMembers(userIds: readonly string[], people: People, field = 'members'): void {
  const stranger = userIds.findIndex((id) => !people.has(id));
  if (stranger !== -1)
    throw new Refused({
      code: 'invalid',
      problems: [{ field: `${field}.${stranger}`, problem: 'This person is not a member of the organization' }],
    });
}

const named = (ids: readonly string[], people: People): PersonRow[] => ids.flatMap((id) => people.get(id) ?? []);

/** Creates a group with its members. */
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
    const added = { by: peopleOf(actor), at: place.now };
    tx.write(insertGroup, { orgId, id, slug, name, at: added.at });
    if (members.length > 0)
      tx.write(insertGroupMembers, { orgId, groupId: id, userIds: members, addedBy: added.by, at: added.at });
    appendAudit(tx, [
      {
        ...auditActor(actor),
        action: 'group.created',
        subject: subject(id),
        data: { slug, name, added: named(members, people), addedBy: added.by, addedAt: added.at.toISOString() },
        context: { name, added: members, removed: [] },
      },
    ]);
    return answer({ id, slug, name, members });
  });

/**
 * Renames a group, replaces its members, or adds and removes some. Members who stay keep their joining time. Two managers
 * who add or remove people at the same time don't undo each other's change.
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
    assertMembers(given, people, body.members ? 'members' : 'addMembers');
    const leaving = body.removeMembers ?? [];
    const members = body.members
      ? given
      : [...new Set([...row.members.filter((member) => !leaving.includes(member)), ...given])];
    if (members.length > GROUP_LIMITS.members)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'addMembers', problem: `A group can have at most ${GROUP_LIMITS.members} members` }],
      });
    const name = body.name ?? row.name;
    const added = members.filter((member) => !row.members.includes(member));
    const removed = row.members.filter((member) => !members.includes(member));
    const group = { ...row, name, members: [...row.members.filter((member) => !removed.includes(member)), ...added] };
    if (name === row.name && added.length === 0 && removed.length === 0) return answer(group);
    if (name !== row.name) tx.write(renameGroup, { orgId, id, name });
    if (removed.length > 0) tx.write(deleteGroupMembers, { orgId, groupId: id, userIds: removed });
    const addedBy = peopleOf(actor);
    if (added.length > 0) tx.write(insertGroupMembers, { orgId, groupId: id, userIds: added, addedBy, at: place.now });
    appendAudit(tx, [
      groupChanged(actor, row, {
        ...(name !== row.name && { before: { name: row.name }, after: { name } }),
        ...(added.length > 0 && { added: named(added, people), addedBy, addedAt: place.now.toISOString() }),
        ...(removed.length > 0 && { removed: named(removed, people) }),
      }),
    ]);
    return answer(group);
  });

type Changed = {
  before?: { name: string };
  after?: { name: string };
  added?: readonly PersonRow[];
  addedBy?: readonly string[];
  addedAt?: string;
  removed?: readonly PersonRow[];
  /** Set if the membership in the organization ended. */
  because?: 'member_left' | 'member_removed';
};

function groupChanged(
  actor: OrgActor,
  { id, slug, name }: Pick<GroupRow, 'id' | 'slug' | 'name'>,
  changed: Changed,
): EventOf<'group.changed'> {
  const idsOf = (people: readonly PersonRow[] = []) => people.map((person) => person.id);
  return {
    ...auditActor(actor),
    action: 'group.changed',
    subject: subject(id),
    data: { slug, name, ...changed },
    context: {
      name: changed.after?.name ?? name,
      added: idsOf(changed.added),
      removed: changed.because === undefined ? idsOf(changed.removed) : [],
    },
  };
}

/**
 * Returns the pattern of an assignee that names a group. Unlike PostgreSQL, `assignedGroup` also ignores white space such
 * as no-break spaces, and reads the sign of a kelvin as a k.
 */
function patternNaming(slug: string): string {
  const space = String.raw`[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`;
  return `(^|,)${space}${groupAssignee(slug).replaceAll('k', String.raw`[k\u212a]`)}${space}(,|$)`;
}

/** Deletes a group, unless a live version, an open draft or an open run names it. */
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
    const pattern = patternNaming(row.slug);
    const route = await tx.maybeOne(findRouteNaming, { orgId, slug: row.slug });
    if (route) throw new Refused({ code: 'group_routed', name: row.name });
    const draft = await tx.maybeOne(findDraftRequiring, { orgId, slug: row.slug });
    if (draft) throw new Refused({ code: 'group_approves', name: row.name, title: draft.title });
    const rows = await tx.many(listWorkflowsNaming, { orgId, pattern, limit: MAX_NAMED });
    const workflows = rows.map(({ key, title, is_live: isLive, drafts, runs }) => ({
      key,
      title,
      isLive,
      drafts,
      runs,
    }));
    if (workflows.length > 0) throw new Refused({ code: 'group_in_use', name: row.name, workflows });
    const { slug, name, members } = row;
    // Deleted before the group, because a trigger then opens the tasks of steps that were handed over to the group.
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
 * The groups of a person whose membership in the organization ends in this transaction, as one event for each group. The
 * database deletes the rows with the membership.
 */
export async function leaveGroups(
  tx: Tx,
  actor: OrgActor,
  { userId, because }: { userId: string; because: 'member_left' | 'member_removed' },
): Promise<(person: PersonRow) => EventOf<'group.changed'>[]> {
  const groups = await tx.many(listGroupsOf, { orgId: actor.orgId, userId });
  return (person) => groups.map((group) => groupChanged(actor, group, { removed: [person], because }));
}
