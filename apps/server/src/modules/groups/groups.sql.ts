import { z } from 'zod';
import { statement } from '../../db/statement.ts';

export type PersonRow = { id: string; name: string; email: string };

const groupRow = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  members: z.custom<string[]>(),
  /** The removals that wait for a second manager. `at` is ISO 8601. */
  removals: z.custom<{ removed: PersonRow[]; by: PersonRow; at: string }[]>(),
});
export type GroupRow = z.output<typeof groupRow>;

const columns = `
  g.id, g.slug, g.name,
  array(select m.user_id::text from group_members m where m.org_id = g.org_id and m.group_id = g.id
        order by m.added_at, m.user_id) as members,
  (select coalesce(json_agg(json_build_object(
            'removed', k.payload -> 'removed', 'at', k.proposed_at,
            'by', json_build_object('id', p.id, 'name', p.name, 'email', p.email)) order by k.proposed_at, k.id), '[]')
   from confirmations k join users p on p.id = k.proposed_by
   where k.org_id = g.org_id and k.kind = 'group_members' and k.status = 'waiting'
     and k.payload ->> 'groupId' = g.id::text) as removals`;

export const listGroups = statement({
  name: 'list_groups',
  params: ['orgId', 'limit'],
  row: groupRow,
  text: `select ${columns} from groups g where g.org_id = $1 order by lower(g.name), g.slug limit $2`,
});

export const findGroup = statement({
  name: 'find_group',
  params: ['orgId', 'id'],
  row: groupRow,
  text: `select ${columns} from groups g where g.org_id = $1 and g.id = $2`,
});

/** Locks a group until the transaction ends, so that no draft that names it can be saved. */
export const lockGroup = statement({
  name: 'lock_group',
  params: ['orgId', 'id'],
  row: z.object({ slug: z.string() }),
  text: `select slug from groups where org_id = $1 and id = $2 for update`,
});

/** The number of groups, whether the slug is taken, and the time of this change (ISO 8601, with microseconds). */
export const findGroupPlace = statement({
  name: 'find_group_place',
  params: ['orgId', 'slug'],
  row: z.object({ count: z.number(), is_taken: z.boolean(), at: z.string() }),
  text: `select (select count(*)::int from groups where org_id = $1) as count,
                exists (select from groups where org_id = $1 and slug = $2) as is_taken,
                to_jsonb(next_change($1)) #>> '{}' as at`,
});

/**
 * Locks the organization. Every change to members or groups takes this lock first, so these changes wait for each
 * other.
 */
export const lockGroups = statement({
  name: 'lock_groups',
  params: ['orgId'],
  row: z.object({ type: z.enum(['individual', 'team']) }),
  text: `select type from organizations where id = $1 for no key update`,
});

/** Members of the organization: those with these ids, and those in the group. */
export const listPeopleConcerned = statement({
  name: 'list_people_concerned_by_group',
  params: ['orgId', 'groupId', 'userIds'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string(), is_disabled: z.boolean() }),
  text: `select u.id, u.name, u.email, u.disabled_at is not null as is_disabled
         from memberships m join users u on u.id = m.user_id
         where m.org_id = $1 and (m.user_id = any ($3::uuid[]) or m.user_id in (
           select g.user_id from group_members g where g.org_id = $1 and g.group_id = $2
         ))`,
});

export const insertGroup = statement({
  name: 'insert_group',
  params: ['orgId', 'id', 'slug', 'name', 'at'],
  text: `insert into groups (org_id, id, slug, name, created_at) values ($1, $2, $3, $4, $5)`,
});

export const renameGroup = statement({
  name: 'rename_group',
  params: ['orgId', 'id', 'name'],
  text: `update groups set name = $3 where org_id = $1 and id = $2`,
});

export const deleteGroup = statement({
  name: 'delete_group',
  params: ['orgId', 'id'],
  text: `delete from groups where org_id = $1 and id = $2`,
});

/** Also stores who is behind the person who adds members. Once this person is removed, that can't be determined. */
export const insertGroupMembers = statement({
  name: 'insert_group_members',
  params: ['orgId', 'groupId', 'userIds', 'addedBy', 'at'],
  text: `insert into group_members (org_id, group_id, user_id, added_by, added_at, possibly_behind, surely_behind)
         select $1, $2, added.id, $4::uuid[], $5,
                (select array(select unnest($4::uuid[]) union select unnest(possibly_behind_gift($1, ($4::uuid[])[1])))),
                (select surely_behind_gift($1, ($4::uuid[])[1]))
         from unnest($3::uuid[]) as added (id)`,
});

export const deleteGroupMembers = statement({
  name: 'delete_group_members',
  params: ['orgId', 'groupId', 'userIds'],
  text: `delete from group_members where org_id = $1 and group_id = $2 and user_id = any ($3::uuid[])`,
});

/** Locks the groups with these slugs, so that they can't be deleted until the transaction ends. */
export const lockNamedGroups = statement({
  name: 'lock_named_groups',
  params: ['orgId', 'slugs'],
  row: z.object({ slug: z.string() }),
  text: `select slug from groups where org_id = $1 and slug = any ($2::text[]) for key share`,
});

/** Lists the groups that a person belongs to. `is_last` is true if nobody else belongs to the group. */
export const listGroupsOf = statement({
  name: 'list_groups_of_member',
  params: ['orgId', 'userId'],
  row: z.object({ id: z.uuid(), slug: z.string(), name: z.string(), is_last: z.boolean() }),
  text: `select g.id, g.slug, g.name, not exists (
           select from group_members o where o.org_id = $1 and o.group_id = g.id and o.user_id <> $2
         ) as is_last
         from group_members m join groups g on g.org_id = m.org_id and g.id = m.group_id
         where m.org_id = $1 and m.user_id = $2 order by g.slug`,
});

/** Lists those of the given people who have belonged to the group since before a change was proposed. */
export const listMembersSince = statement({
  name: 'list_group_members_since',
  params: ['orgId', 'groupId', 'userIds', 'confirmationId'],
  row: z.object({ id: z.uuid(), name: z.string(), email: z.string() }),
  text: `select u.id, u.name, u.email from group_members m join users u on u.id = m.user_id
         where m.org_id = $1 and m.group_id = $2 and m.user_id = any ($3::uuid[])
           and m.added_at <= (select k.proposed_at from confirmations k where k.org_id = $1 and k.id = $4)`,
});

/**
 * Lists the workflows that name each of these groups, sorted by title, at most `limit` per group. A workflow names a
 * group if a step of its live version, of an open draft, or of an open run's version does, or if an active step was
 * handed over to the group. `patterns` match the assignee of a step; each belongs to the slug at the same position.
 */
export const listWorkflowsNaming = statement({
  name: 'list_workflows_naming_groups',
  params: ['orgId', 'patterns', 'slugs', 'limit'],
  row: z.object({
    slug: z.string(),
    key: z.string(),
    title: z.string(),
    is_live: z.boolean(),
    drafts: z.number(),
    runs: z.number(),
    owners: z.custom<string[]>(),
  }),
  text: `
    with naming as materialized (
      select g.slug, w.id as workflow_id, w.key, v.version, w.archived_at is null and v.status = 'live' as is_live,
             w.archived_at is null and v.version is null as is_draft
      from workflow_versions v join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
      cross join lateral (
        select distinct n.slug
        from json_array_elements(v.steps) step join unnest($2::text[], $3::text[]) n (pattern, slug)
          on step ->> 'assignee' ilike '%group:%' and step ->> 'assignee' ~* n.pattern
      ) g
      where v.org_id = $1 and w.deleted_at is null
        and (v.status <> 'superseded' and w.archived_at is null or (
          select count(*) from open_runs o where o.org_id = $1 and o.workflow_key = w.key and o.version = v.version
        ) > 0)
    ), naming_runs as (
      select n.slug, n.workflow_id, o.run_id from naming n
      cross join lateral (
        select run_id from open_runs where org_id = $1 and workflow_key = n.key and version = n.version offset 0
      ) o
      union
      select given -> 'to' ->> 'slug', r.workflow_id, r.id from runs r
      join run_steps s on s.org_id = $1 and s.run_id = r.id and s.state = 'active'
      cross join lateral jsonb_array_elements(r.state -> 'steps' -> s.step_id -> 'handedOver') given
      where r.org_id = $1 and r.status in ('running', 'paused', 'failed')
        and given -> 'to' ->> 'kind' = 'group' and given -> 'to' ->> 'slug' = any ($3::text[])
    ), named as materialized (
      select slug, workflow_id from naming union select slug, workflow_id from naming_runs
    ), listed as (
      select n.slug, w.id, w.key, w.title, row_number() over (partition by n.slug order by lower(w.title), w.key) as place
      from named n join workflows w on w.org_id = $1 and w.id = n.workflow_id
      where w.id = any(array(select workflow_id from named))
    )
    select w.slug, w.key, w.title,
           exists (select from naming n where n.slug = w.slug and n.workflow_id = w.id and n.is_live) as is_live,
           (select count(*)::int from naming n where n.slug = w.slug and n.workflow_id = w.id and n.is_draft) as drafts,
           (select count(*)::int from naming_runs n where n.slug = w.slug and n.workflow_id = w.id) as runs,
           array(select p.user_id::text from workflow_people p
                 where p.org_id = $1 and p.workflow_id = w.id and p.part = 'owner') as owners
    from listed w where w.place <= $4
    order by w.slug, w.place`,
});

/** Lists, for each of these groups, an open draft whose stored requirements name the group. */
export const listDraftsRequiring = statement({
  name: 'list_drafts_requiring_groups',
  params: ['orgId', 'slugs'],
  row: z.object({ slug: z.string(), title: z.string() }),
  text: `select distinct on (r ->> 'group') r ->> 'group' as slug, v.metadata ->> 'title' as title
         from workflow_versions v join workflows w on w.org_id = v.org_id and w.id = v.workflow_id
         cross join lateral jsonb_array_elements(v.requirements) r
         where v.org_id = $1 and v.version is null and v.requirements <> '[]' and w.archived_at is null and w.deleted_at is null
           and r ->> 'group' = any ($2::text[])
         order by r ->> 'group', v.id`,
});

/** Lists those of these groups that a route or a proposed route names. */
export const listGroupsInRoutes = statement({
  name: 'list_groups_in_routes',
  params: ['orgId', 'slugs'],
  row: z.object({ slug: z.string() }),
  text: `select distinct r ->> 'group' as slug
         from (
           select review_routes as routes from organizations where id = $1
           union all
           select payload::jsonb -> 'reviewRoutes' from confirmations
           where org_id = $1 and kind = 'policy' and subject_id = 'reviewRoutes' and status = 'waiting'
         ) rules cross join lateral jsonb_array_elements(rules.routes) r
         where r ->> 'group' = any ($2::text[])`,
});
