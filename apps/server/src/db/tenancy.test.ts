import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLICY_MUTANTS, probeTable, tenantTables as tablesWithPolicy } from '../testing/isolation/table-probes.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { complete, start } from '../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../testing/server.ts';

/** PostgreSQL's error code for missing rights, both for a missing grant and for a row-level policy. */
const REFUSED = { code: '42501' };

describe('the server’s role', () => {
  let server: TestServer;
  let client: pg.Client;
  let mine: string;
  let theirs: string;
  let tenantTables: string[];

  beforeAll(async () => {
    server = await startTestServer();
    const organizationOf = async (person: Person): Promise<string> => {
      await publish(person, person, 'flow', stepsNamed('First', 'Second'));
      const { draftId } = await person.post<{ draftId: string }>('/api/workflows/flow/drafts', {
        metadata: { title: 'Open' },
        steps: stepsNamed('First'),
      });
      await person.post(`/api/workflows/flow/drafts/${draftId}/approve`);
      await person.post(`/api/workflows/flow/drafts/${draftId}/comments`, { body: 'Hm' });
      const { id } = await start(person, 'flow');
      await complete(person, id, 'step-1');
      await person.call('POST', '/api/runs', { key: 'flow', name: 'Kept' }, { 'idempotency-key': 'kept' });
      return person.user.currentOrgId ?? '';
    };
    mine = await organizationOf(await server.signUp());
    theirs = await organizationOf(await server.signUp());
    client = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
    await client.connect();
    tenantTables = (
      await server.sql<{ name: string }>(
        `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = 'public' and c.column_name = 'org_id' and t.table_type = 'BASE TABLE' order by 1`,
      )
    ).map(({ name }) => name);
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  /** Runs a statement as the role, with this tenant, and rolls it back. */
  async function as<T extends object>(orgId: string | null, text: string, values: unknown[] = []): Promise<T[]> {
    await client.query('begin');
    try {
      if (orgId !== null) await client.query(`select set_config('stet.org_id', $1, true)`, [orgId]);
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.query('rollback');
    }
  }
  const countAs = async (orgId: string | null, text: string): Promise<number> =>
    (await as<{ n: number }>(orgId, `select count(*)::int as n from ${text}`))[0]?.n ?? -1;

  it("isn't a superuser, bypasses no policy, inherits nothing, can't sign in, and owns nothing", async () => {
    expect(
      await server.sql(
        `select rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles where rolname = 'stet_app'`,
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolinherit: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolcanlogin: false,
      },
    ]);
    const owned = await server.sql(
      `select relname from pg_class where relowner = 'stet_app'::regrole union all select proname from pg_proc where proowner = 'stet_app'::regrole
       union all select nspname from pg_namespace where nspowner = 'stet_app'::regrole union all select datname from pg_database where datdba = 'stet_app'::regrole`,
    );
    expect(owned).toEqual([]);
    expect(await server.sql(`select 1 from pg_auth_members where member = 'stet_app'::regrole`)).toEqual([]);
  });

  it('is subject to a forced policy on every table that has an organization', async () => {
    expect(tenantTables.length).toBeGreaterThan(9);
    for (const table of [...tenantTables, 'organizations']) {
      const [state] = await server.sql(
        `select c.relrowsecurity, c.relforcerowsecurity,
                exists (select from pg_policies p where p.tablename = c.relname and 'stet_app' = any (p.roles) and p.cmd = 'ALL'
                          and p.qual like '%current_org()%' and p.with_check like '%current_org()%') as has_policy,
                (select count(*)::int from pg_policies p where p.tablename = c.relname and ('stet_app' = any (p.roles) or 'public' = any (p.roles))) as policies
         from pg_class c where c.oid = $1::regclass`,
        [table],
      );
      expect({ table, ...state }).toEqual({
        table,
        relrowsecurity: true,
        relforcerowsecurity: true,
        has_policy: true,
        policies: 1,
      });
    }
  });

  it('uses tables whose primary keys, and foreign keys between them, start with the organization', async () => {
    const keys = await server.sql<{ name: string; first: string }>(
      `select k.conname as name, a.attname as first
       from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
       where k.conrelid::regclass::text = any ($1) and (k.contype = 'p' or (k.contype = 'f' and k.confrelid::regclass::text = any ($1)))`,
      [tenantTables],
    );
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter(({ first }) => first !== 'org_id')).toEqual([]);
  });

  it('sees no rows without a tenant or with an unknown or malformed one', async () => {
    for (const table of tenantTables) {
      expect({ table, seen: await countAs(null, table) }).toEqual({ table, seen: 0 });
      expect({ table, seen: await countAs('01890000-0000-7000-8000-000000000001', table) }).toEqual({ table, seen: 0 });
    }
    expect(await countAs(null, 'organizations')).toBe(0);
    await expect(as('not an id', 'select * from runs')).rejects.toThrow('invalid input syntax for type uuid');
    expect(await countAs('', 'runs')).toBe(0);
  });

  it('sees only the rows of its tenant, in every table', async () => {
    for (const table of tenantTables) {
      expect({ table, mine: (await countAs(mine, table)) > 0 }).toEqual({ table, mine: await hasRows(table) });
      expect({ table, theirs: await countAs(mine, `${table} where org_id <> '${mine}'`) }).toEqual({
        table,
        theirs: 0,
      });
    }
    expect(await as(mine, 'select id from organizations')).toEqual([{ id: mine }]);
  });
  const hasRows = async (table: string): Promise<boolean> =>
    (await server.sql(`select 1 from ${table} where org_id = $1 limit 1`, [mine])).length > 0;

  it("can't copy or move its tenant's rows to another organization", async () => {
    for (const table of tenantTables) {
      if (!(await hasRows(table))) continue;
      const [columns] = await server.sql<{ names: string }>(
        `select string_agg(attname, ', ') as names from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      );
      const copy = `insert into ${table} (${columns?.names}) select ${columns?.names.replaceAll(/\w+/g, 'made.$&')}
        from (select (jsonb_populate_record(t, jsonb_build_object('org_id', '${theirs}'))).* from ${table} t limit 1) made`;
      await expect(as(mine, copy), `insert into ${table}`).rejects.toMatchObject(REFUSED);
      await expect(as(mine, `update ${table} set org_id = '${theirs}'`), `update ${table}`).rejects.toMatchObject(
        REFUSED,
      );
    }
  });

  it("can't change another organization's rows even if the statement names that organization", async () => {
    for (const text of [
      `update runs set name = 'Taken' where org_id = $1`,
      `update workflows set title = 'Taken' where org_id = $1`,
      `delete from memberships where org_id = $1`,
      `delete from workflow_versions where org_id = $1`,
    ]) {
      await client.query('begin');
      await client.query(`select set_config('stet.org_id', $1, true)`, [mine]);
      expect((await client.query(text, [theirs])).rowCount).toBe(0);
      await client.query('rollback');
    }
  });

  it('is restricted by every policy, and the same probes detect a policy that is turned off or weakened', async () => {
    const owner = new pg.Client(server.database.connection);
    await owner.connect();
    try {
      const missed: string[] = [];
      const tables = await tablesWithPolicy(owner);
      expect(tables).toEqual([...tenantTables, 'organizations'].toSorted());
      for (const table of tables) {
        const { findings, writable } = await probeTable(owner, { table, mine, theirs });
        expect({ table, findings }).toEqual({ table, findings: [] });
        for (const mutant of POLICY_MUTANTS) {
          // If the role can't write to a table, no policy has to prevent writes.
          if (!writable && mutant.name === 'allows writing every row') continue;
          const found = await probeTable(owner, { table, mine, theirs }, mutant);
          if (found.findings.length === 0) missed.push(`${table}: ${mutant.name}`);
        }
      }
      expect(missed).toEqual([]);
    } finally {
      await owner.end();
    }
  });

  it('loses its tenant when the transaction ends', async () => {
    expect(await countAs(mine, 'runs')).toBeGreaterThan(0);
    expect((await client.query<{ org: string | null }>('select current_org() as org')).rows).toEqual([{ org: null }]);
  });

  it("can't change the audit trail directly, append to it without a tenant, or change the schema", async () => {
    for (const text of [
      `update audit_events set payload = ''`,
      'delete from audit_events',
      'truncate audit_events',
      'insert into audit_events select * from audit_events',
      `update audit_heads set seq = 0`,
      'delete from audit_heads',
    ]) {
      await expect(as(mine, text), text).rejects.toMatchObject(REFUSED);
    }
    await expect(as(null, `select audit_append('[]')`)).rejects.toMatchObject(REFUSED);
    for (const text of [
      'alter table audit_events disable trigger all',
      'drop table runs',
      'create table mine (id int)',
      'alter table runs disable row level security',
      'drop policy tenant on runs',
    ]) {
      await expect(as(mine, text), text).rejects.toMatchObject(REFUSED);
    }
  });

  it("isn't the only one that can't change or remove recorded events: triggers refuse the owner, too", async () => {
    for (const text of [`update audit_events set payload = ''`, 'delete from audit_events', 'truncate audit_events']) {
      await expect(server.sql(text), text).rejects.toThrow('the audit trail is append only');
    }
  });

  it("can't change a merged version, except for whether it is the live one", async () => {
    for (const change of [
      `steps = '[]'`,
      `metadata = '{}'`,
      `content_hash = ''`,
      'version = 9',
      'steps_count = 0',
      `status = 'draft', version = null`,
    ]) {
      await expect(as(mine, `update workflow_versions set ${change} where status = 'live'`), change).rejects.toThrow(
        'a merged version is immutable',
      );
      await expect(server.sql(`update workflow_versions set ${change} where status = 'live'`), change).rejects.toThrow(
        'a merged version is immutable',
      );
    }
    await expect(as(mine, `delete from workflow_versions where status = 'live'`)).rejects.toThrow(
      'a merged version is immutable',
    );
    expect(
      await as(mine, `update workflow_versions set status = 'superseded' where status = 'live' returning 1`),
    ).toHaveLength(1);
  });
});
