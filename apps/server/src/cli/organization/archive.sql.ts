import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Statement } from '../../kernel/database.ts';

export const findArchivedOrganization = statement({
  name: 'find_archived_organization',
  params: ['orgId'],
  row: z.object({ name: z.string(), slug: z.string().nullable(), text: z.string() }),
  text: `select o.name, o.slug, row_to_json(o)::text as text from organizations o where o.id = $1`,
});

/** Everyone who is or was a member. `role` is null if the person has left. */
export const listArchivedPeople = statement({
  name: 'list_archived_people',
  params: ['orgId'],
  row: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: z.string().nullable(),
    joined_at: z.date().nullable(),
  }),
  text: `select u.id, u.name, u.email, m.role, m.created_at as joined_at
         from users u left join memberships m on m.org_id = $1 and m.user_id = u.id
         where u.id in (select user_id from memberships where org_id = $1 union select user_id from role_history where org_id = $1)
         order by m.role is null, u.email`,
});

/** The columns of a table in order. `position` is the place in the primary key. Null if the column isn't part of it. */
export const listColumns = statement({
  name: 'list_columns_to_archive',
  params: ['table'],
  row: z.object({ name: z.string(), type: z.string(), position: z.number().nullable() }),
  text: `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type, array_position(p.conkey, a.attnum) as position
         from pg_attribute a left join pg_constraint p on p.conrelid = a.attrelid and p.contype = 'p'
         where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
});

export type Column = { name: string; type: string; position: number | null };
export type ArchivedRow = { text: string; at: string[] };

/**
 * Returns a statement that reads rows of a table as JSON, in the order of its key, after the row with the key `after`
 * or, if that is null, from the beginning. The statement can't be declared in advance, because its text is built from
 * the catalog.
 */
export function rowsStatement(
  table: string,
  columns: readonly Column[],
  { omitted, isFirst }: { omitted: readonly string[]; isFirst: boolean },
): Statement<'orgId' | 'after' | 'limit', ArchivedRow> {
  const listed = columns.filter(({ name }) => !omitted.includes(name)).map(({ name }) => name);
  const key = columns
    .filter(({ name, position }) => position !== null && name !== 'org_id')
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
  const names = key.map(({ name }) => name);
  const after = key.map(({ type }, n) => `($2::text[])[${n + 1}]::${type}`);
  return {
    name: `archive_${isFirst ? 'first' : 'next'}_${table}`,
    text: `select row_to_json(r)::text as text, array[${names.map((name) => `t.${name}::text`).join(', ')}]::text[] as at
           from ${table} t, lateral (select ${listed.map((name) => `t.${name}`).join(', ')}) r
           where t.org_id = $1 ${isFirst || names.length === 0 ? 'and $2::text[] is null' : `and (${names.map((name) => `t.${name}`).join(', ')}) > (${after.join(', ')})`}
           ${names.length === 0 ? '' : `order by ${names.map((name) => `t.${name}`).join(', ')}`} limit $3`,
    params: ['orgId', 'after', 'limit'],
    list: null,
    each: null,
    row: null,
  };
}

export const listArchivedSteps = statement({
  name: 'list_archived_steps',
  params: ['orgId', 'runIds'],
  row: z.object({
    run_id: z.uuid(),
    step_id: z.string(),
    title: z.string(),
    type: z.string(),
    assignee: z.string().nullable(),
  }),
  text: `select run_id, step_id, title, type, assignee from run_steps where org_id = $1 and run_id = any ($2::uuid[])
         order by run_id, activated_at, step_id`,
});

export const listArchivedChunks = statement({
  name: 'list_archived_chunks',
  params: ['orgId', 'fileId', 'after', 'limit'],
  row: z.object({ n: z.number(), bytes: z.instanceof(Buffer) }),
  text: `select n, bytes from file_chunks where org_id = $1 and file_id = $2 and n > $3 order by n limit $4`,
});

export const listLiveVersions = statement({
  name: 'list_live_versions_to_archive',
  params: ['orgId'],
  row: z.object({ id: z.uuid(), version: z.number() }),
  text: `select v.id, v.version from workflows w join workflow_versions v on v.org_id = w.org_id and v.id = w.live_version_id
         where w.org_id = $1`,
});
