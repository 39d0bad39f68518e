import type pg from 'pg';

/** A tenant table, and two organizations that have rows in it or get one during the probe. */
type TableProbe = { table: string; mine: string; theirs: string };

/** A way to weaken a table's policy. */
type PolicyMutant = { name: string; sql: (table: string) => string };

export const POLICY_MUTANTS: readonly PolicyMutant[] = [
  { name: 'switched off', sql: (table) => `alter table ${table} disable row level security` },
  {
    name: 'allows reading every row',
    sql: (table) => `alter policy tenant on ${table} using (true) with check (${columnOf(table)} = current_org())`,
  },
  { name: 'allows writing every row', sql: (table) => `alter policy tenant on ${table} with check (true)` },
  { name: 'with a second policy beside it', sql: (table) => `create policy more on ${table} to stet_app using (true)` },
  { name: 'dropped', sql: (table) => `drop policy tenant on ${table}` },
];

/** The organization column; the organizations table itself uses its id. */
const columnOf = (table: string): string => (table === 'organizations' ? 'id' : 'org_id');

/** Tables with a policy for the server's role. */
export async function tenantTables(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select tablename as name from pg_policies where schemaname = current_schema() and 'stet_app' = any (roles) order by 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Probes one table as the server's role: with one organization as the tenant, it tries to read, insert, move, change
 * and delete another organization's rows. Returns descriptions of what the policy wrongly allows or hides. `writable`
 * is true if the role has the right to insert rows or to update their organization, so that only the policy prevents
 * writing for others. Everything, including a mutant of the policy, happens in a transaction that is rolled back.
 */
export async function probeTable(
  owner: pg.ClientBase,
  { table, mine, theirs }: TableProbe,
  mutant?: PolicyMutant,
): Promise<{ findings: string[]; writable: boolean }> {
  const org = columnOf(table);
  await owner.query('begin');
  try {
    await owner.query(`set local lock_timeout = '20s'`);
    for (const id of [mine, theirs]) await ensureRow(owner, table, id);
    const rights = await rightsOn(owner, table);
    if (mutant) await owner.query(mutant.sql(table));
    await owner.query('set local role stet_app');
    const probe = await prober(owner);

    const findings: string[] = [];
    const none = await probe(null, `select 1 from ${table}`);
    if (none !== 0) findings.push(`${none} rows can be read without a tenant`);
    const foreign = await probe(mine, `select 1 from ${table} where ${org} <> '${mine}'`);
    if (foreign !== 0) findings.push(`${foreign} rows of others can be read`);
    const own = await probe(mine, `select 1 from ${table} where ${org} = '${mine}'`);
    if (own === 0 || own === 'refused') findings.push('none of the tenant’s own rows can be read');
    if (rights.insert) {
      const columns = rights.columns.join(', ');
      // For the organizations table itself, this is the id of a new organization.
      const other = org === 'id' ? 'gen_random_uuid()' : `'${theirs}'`;
      const copy = `insert into ${table} (${org}, ${columns}) select ${other}, ${columns} from ${table} where ${org} = '${mine}' limit 1`;
      if ((await probe(mine, copy)) !== 'refused') findings.push('a row can be inserted for another organization');
    }
    if (rights.update.includes(org)) {
      const moved = await probe(mine, `update ${table} set ${org} = '${theirs}' where ${org} = '${mine}'`);
      if (moved !== 'refused') findings.push('a row can be moved to another organization');
    }
    for (const column of rights.update.slice(0, 1)) {
      const changed = await probe(mine, `update ${table} set ${column} = ${column} where ${org} = '${theirs}'`);
      if (changed !== 0) findings.push('a row of another organization can be changed');
    }
    if (rights.delete && (await probe(mine, `delete from ${table} where ${org} = '${theirs}'`)) !== 0)
      findings.push('a row of another organization can be deleted');
    return { findings, writable: rights.insert || rights.update.includes(org) };
  } finally {
    await owner.query('rollback');
  }
}

type Came = number | 'refused' | 'failed';

/**
 * Returns a function that runs one statement within a tenant and rolls it back. It returns the number of affected rows,
 * `refused` for a missing right, or `failed` for any other error, for example a violated constraint.
 */
async function prober(client: pg.ClientBase): Promise<(orgId: string | null, text: string) => Promise<Came>> {
  return async (orgId, text) => {
    await client.query('savepoint probe');
    try {
      await client.query(`select set_config('stet.org_id', $1, true)`, [orgId ?? '']);
      return (await client.query(text)).rowCount ?? 0;
    } catch (error) {
      return (error as { code?: string }).code === '42501' ? 'refused' : 'failed';
    } finally {
      await client.query('rollback to savepoint probe');
    }
  };
}

type Rights = { insert: boolean; delete: boolean; update: string[]; columns: string[] };

/** The rights of the server's role on a table, and its writable columns other than the organization. */
async function rightsOn(owner: pg.ClientBase, table: string): Promise<Rights> {
  const { rows } = await owner.query<Omit<Rights, 'update'> & { update: string[] | null }>(
    `select has_table_privilege('stet_app', $1::text, 'insert') as insert, has_table_privilege('stet_app', $1::text, 'delete') as delete,
            (select array_agg(attname::text order by attnum) from pg_attribute
             where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
               and has_column_privilege('stet_app', $1::regclass, attnum, 'update')) as update,
            (select array_agg(attname::text order by attnum) from pg_attribute
             where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' and attname <> $2) as columns`,
    [table, columnOf(table)],
  );
  const [found] = rows;
  if (!found) throw new Error(`there is no table ${table}`);
  return { ...found, update: found.update ?? [] };
}

type Column = { name: string; type: string; among: string | null };

/** Inserts a minimal row if the organization has none, because the probes find nothing in an empty table. */
async function ensureRow(owner: pg.ClientBase, table: string, orgId: string): Promise<void> {
  const org = columnOf(table);
  const { rowCount } = await owner.query(`select 1 from ${table} where ${org} = $1 limit 1`, [orgId]);
  if (rowCount) return;
  const { rows: columns } = await owner.query<Column>(
    `select attname as name, format_type(atttypid, null) as type,
            (select (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)'''))[1] from pg_constraint k
             where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as among
     from pg_attribute a
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attname <> $2 and attidentity = ''`,
    [table, org],
  );
  // References and triggers would reject this dummy row.
  await owner.query('set local session_replication_role = replica');
  // The server may insert the row at the same time, for example into `insight_cursors`.
  await owner.query(
    `insert into ${table} (${[org, ...columns.map(({ name }) => name)].join(', ')}) values (${[`'${orgId}'`, ...columns.map(valueOf)].join(', ')}) on conflict do nothing`,
  );
  await owner.query('set local session_replication_role = origin');
}

function valueOf({ type, among }: Column): string {
  if (among !== null) return `'${among}'`;
  switch (type) {
    case 'uuid':
      return 'gen_random_uuid()';
    case 'date':
    case 'timestamp with time zone':
      return 'now()';
    case 'boolean':
      return 'false';
    case 'bytea':
      return `sha256(gen_random_uuid()::text::bytea)`;
    case 'json':
    case 'jsonb':
      return `'{}'`;
    case 'text':
      return `gen_random_uuid()::text`;
    default:
      return type.endsWith('[]') ? `'{}'` : '1';
  }
}
