import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createTestDatabase } from './database.ts';
import { expectWritten } from './written-docs.ts';

/**
 * Unique indexes without the organization, because the lookup happens before the organization is known. A distributed
 * table can't have such an index. An ordinary index is enough there, because hashes of 256 random bits don't collide.
 */
const UNIQUE_EVERYWHERE = [
  'api_tokens.api_tokens_by_hash',
  'invitations.invitations_by_mail_token',
  'invitations.invitations_by_token',
];

/** Tables without an organization that are never joined with tenants' rows, so they stay on one machine. */
const LOCAL = new Set(['stet_migrations', 'outbox', 'job_pools']);

type Key = {
  table: string;
  name: string;
  kind: 'primary' | 'unique' | 'foreign';
  columns: string[];
  target: string | null;
  targetColumns: string[] | null;
};

describe('the schema, distributed by organization', () => {
  let database: TestDatabase;
  let tables: { name: string; tenant: boolean }[];
  let keys: Key[];
  const isTenant = (name: string | null): boolean => tables.some((table) => table.name === name && table.tenant);

  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    ({ rows: tables } = await client.query<{ name: string; tenant: boolean }>(
      `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull) as tenant
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    ));
    ({ rows: keys } = await client.query<Key>(
      `select c.relname as "table", i.relname as name, case when x.indisprimary then 'primary' else 'unique' end as kind,
              array(select coalesce(a.attname, '(expression)')::text from unnest(x.indkey::int2[]) with ordinality k (n, place)
                    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n and k.n > 0 order by place) as columns,
              null as target, null as "targetColumns"
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where x.indisunique and c.relnamespace = 'public'::regnamespace
       union all
       select c.relname, k.conname, 'foreign',
              array(select a.attname::text from unnest(k.conkey) with ordinality n (n, place) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.n order by place),
              k.confrelid::regclass::text,
              array(select a.attname::text from unnest(k.confkey) with ordinality n (n, place) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.n order by place)
       from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and c.relnamespace = 'public'::regnamespace order by 1, 2`,
    ));
    await client.end();
  });
  afterAll(() => database.drop());

  it('has the organization in every primary and unique key of a tenant’s table, with the listed exceptions', () => {
    const without = keys.filter(
      ({ table, kind, columns }) => isTenant(table) && kind !== 'foreign' && !columns.includes('org_id'),
    );
    expect(without.map(({ table, name }) => `${table}.${name}`)).toEqual(UNIQUE_EVERYWHERE);
  });

  it('has the organization in every foreign key between tenants’ tables', () => {
    const between = keys.filter(({ table, kind, target }) => kind === 'foreign' && isTenant(table) && isTenant(target));
    expect(between.length).toBeGreaterThan(15);
    const apart = between.filter(
      ({ columns, targetColumns }) => targetColumns?.[columns.indexOf('org_id')] !== 'org_id',
    );
    expect(apart).toEqual([]);
  });

  it('has no foreign key from a reference table to a distributed one', () => {
    const back = keys.filter(
      ({ table, kind, target }) =>
        kind === 'foreign' && !isTenant(table) && (isTenant(target) || target === 'organizations'),
    );
    expect(back).toEqual([]);
  });

  it('is distributed by the commands on the operations page', () => {
    const spread = tables.filter(({ tenant }) => tenant).map(({ name }) => name);
    const everywhere = tables.filter(({ name, tenant }) => !tenant && !LOCAL.has(name)).map(({ name }) => name);
    expectWritten(
      'sharding',
      [
        '```sql',
        ...everywhere.map((name) => `select create_reference_table('${name}');`),
        ...spread.map((name) => `select create_distributed_table('${name}', 'org_id');`),
        '```',
      ].join('\n'),
    );
  });
});
