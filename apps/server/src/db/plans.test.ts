import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import '../app.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { complete, start } from '../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../testing/server.ts';
import { declaredStatements } from './statement.ts';

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  'Parent Relationship'?: string;
  Plans?: Node[];
};
type Explained = { 'QUERY PLAN': { Plan: Node }[] };
type Shape = { small: number; large: number };

/** Lists and counts, which must not read the rows of all organizations. */
const lists = declaredStatements().filter(({ name }) => /^(?:list|count)_/.test(name));

// Row counts for the tested organization and for the other one.
const AMOUNTS = {
  users: { small: 20, large: 1500 },
  workflows: { small: 40, large: 1500 },
  drafts: { small: 40, large: 1500 },
  runs: { small: 100, large: 3000 },
  events: { small: 200, large: 4000 },
} satisfies Record<string, Shape>;

describe('a list query', () => {
  let server: TestServer;
  let client: pg.Client;
  const values: Record<string, unknown> = {};
  let scanned: string[];

  beforeAll(async () => {
    server = await startTestServer();
    const [mine, theirs] = [await server.signUp(), await server.signUp()];
    for (const [person, size] of [
      [mine, 'small'],
      [theirs, 'large'],
    ] as const) {
      const { orgId, draftId, runId } = await fill(server, person, size);
      if (size === 'small')
        Object.assign(values, {
          orgId,
          userId: person.user.id,
          runId,
          draftId,
          runIds: [runId],
          versionIds: [draftId],
          workflowIds: (await server.sql<{ id: string }>('select id from workflows where org_id = $1', [orgId])).map(
            (row) => row.id,
          ),
          q: 'first',
          key: 'flow',
        });
    }
    await server.sql('analyze');
    scanned = (
      await server.sql<{ relname: string }>(
        `select relname from pg_class c where relkind = 'r' and reltuples > 1000
           and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id')`,
      )
    ).map(({ relname }) => relname);
    client = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  it('is tested with tables large enough to reveal a table scan', () => {
    expect(scanned).toEqual(
      expect.arrayContaining([
        'memberships',
        'workflows',
        'workflow_versions',
        'draft_comments',
        'draft_reviews',
        'draft_contributors',
        'runs',
        'run_steps',
        'run_tasks',
        'open_runs',
        'audit_events',
      ]),
    );
    expect(lists.length).toBeGreaterThan(8);
  });

  it.each(lists.map((s) => [s.name, s] as const))(
    '%s never scans a table of all organizations, and its subplans find runs and events by their keys',
    async (_, s) => {
      const args = s.params.map((name) => {
        const value = values[name] ?? (name === 'limit' ? 51 : null);
        return s.each?.includes(name) ? [value] : value;
      });
      await client.query('begin');
      await client.query(`select set_config('stet.org_id', $1, true)`, [values['orgId']]);
      const { rows } = await client.query<Explained>({
        text: `explain (format json) ${s.text}`,
        values: args,
      });
      await client.query('rollback');
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      expect(plan).toBeDefined();
      expect(plan && wholeScans(plan).filter((table) => scanned.includes(table))).toEqual([]);
      expect(plan && hashedSubplans(plan).filter((table) => /^runs?|^audit_events$/.test(table))).toEqual([]);
    },
  );

  it.each(lists.filter(({ name }) => /^list_runs.*_sla$/.test(name)).map((s) => [s.name, s] as const))(
    '%s starts with the runs that have a crossing, even with a generic plan',
    async (_, s) => {
      const args = s.params.map((name) =>
        name === 'orgId' ? String(values['orgId']) : name === 'limit' ? '51' : null,
      );
      await client.query('begin');
      await client.query(`select set_config('stet.org_id', $1, true)`, [values['orgId']]);
      await client.query('set local plan_cache_mode = force_generic_plan');
      await client.query(`prepare planned_once as ${s.text}`);
      const { rows } = await client.query<Explained>(
        `explain (format json) execute planned_once (${args.map((arg) => (arg === null ? 'null' : client.escapeLiteral(arg))).join(', ')})`,
      );
      await client.query('rollback');
      await client.query('deallocate planned_once');
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      const meeting =
        plan &&
        joins(plan)
          .filter((join) => relations(join).includes('run_crossings'))
          .at(-1);
      expect(meeting && relations(meeting)).toEqual(['run_crossings', 'runs']);
    },
  );
});

describe('the search for the accounts that only given people vouch for', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('reads fewer than 100 of 1500 accounts and of 3000 confirmations', async () => {
    const [founder, other] = [await server.signUp({ team: 'Vouchers' }), await server.signUp()];
    const orgId = founder.user.currentOrgId ?? '';
    const members = await server.sql<{ id: string }>(
      `insert into users (id, email, name, role, password_hash)
       select gen_random_uuid(), n || '@copies.example', 'Copy ' || n, 'editor', '' from generate_series(1, 1500) n returning id`,
    );
    await server.sql(`insert into memberships (org_id, user_id, role) select $1, unnest($2::uuid[]), 'editor'`, [
      orgId,
      members.map(({ id }) => id),
    ]);
    const [first = '', second = '', third = '', rest] = members.map(({ id }) => id);
    const confirm = (subject: string | undefined, by: string | undefined, times: number) =>
      server.sql(
        `insert into confirmations (org_id, id, kind, subject_id, payload, sentence, proposed_by, status, decided_by, decided_at)
         select $1, gen_random_uuid(), 'member', $2, '{"role":"admin"}', '', $3, 'confirmed', $3, now() from generate_series(1, $4)`,
        [orgId, subject, by, times],
      );
    await confirm(first, founder.user.id, 1);
    await confirm(second, first, 1);
    await confirm(third, second, 1);
    await confirm(first, third, 1);
    await confirm(rest, other.user.id, 3000);
    // Other accounts that they have confirmed aren't read.
    for (const { id } of members.slice(4, 200)) await confirm(id, founder.user.id, 1);
    await server.sql(
      `insert into role_history (org_id, user_id, role, since, until)
       select $1, unnest($2::uuid[]), 'admin', now() - interval '1 day', now()`,
      [orgId, [first, second]],
    );
    await server.sql('analyze users');
    await server.sql('analyze confirmations');
    const client = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
    await client.connect();
    await client.query('begin');
    await client.query(`select set_config('stet.org_id', $1, true)`, [orgId]);
    const found = await client.query<{ ids: string[] }>(
      'select only_vouched($1, $2, unproved_managers($1) || $3::uuid[]) as ids',
      [orgId, [founder.user.id], [third, other.user.id]],
    );
    const reads = await client.query<{ relname: string; rows: number }>(
      `select relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
       where relname in ('users', 'confirmations')`,
    );
    await client.end();
    expect(new Set(found.rows[0]?.ids)).toEqual(new Set([first, second, third]));
    expect(reads.rows).toHaveLength(2);
    expect(reads.rows.filter(({ rows }) => rows >= 100)).toEqual([]);
  });
});

describe('a read of a change', () => {
  let server: TestServer;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startTestServer();
    client = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  // `list_active_delegations` finds the few delegations to a person through a separate index.
  const reads = declaredStatements().filter(({ each, name }) => each && name !== 'list_active_delegations');
  // PostgreSQL 14 reads tables that were never analyzed as a whole (decision 382).
  const analyzed =
    inject('postgresVersion') < 150_000
      ? reads.filter(({ name }) => ['lock_run', 'find_idempotent_answer'].includes(name))
      : [];
  const named = (statements: typeof reads) => statements.map((s) => [s.name, s] as const);

  it.each(named(reads.filter((s) => !analyzed.includes(s))))(
    '%s finds rows of large tables by their keys even if it was planned before the tables had rows or statistics',
    async (_, s) => {
      expect(wholeOrganizations(await planOf(s))).toEqual([]);
    },
  );

  it.runIf(analyzed.length > 0)(
    'finds rows by their keys once tables with more than 50 rows were analyzed',
    async () => {
      const { orgId } = await fill(server, await server.signUp(), 'small');
      await server.sql(
        `insert into idempotency_keys (org_id, user_id, key, request_digest, answer)
       select org_id, user_id, 'key ' || n, '', '{}' from memberships cross join generate_series(1, 51) n where org_id = $1 limit 51`,
        [orgId],
      );
      await server.sql('analyze runs, idempotency_keys');
      for (const s of analyzed) expect({ [s.name]: wholeOrganizations(await planOf(s)) }).toEqual({ [s.name]: [] });
    },
  );

  /** The plan for every execution, in a transaction with the settings of changes (decision 169). */
  async function planOf(s: (typeof reads)[number]): Promise<Node> {
    await client.query('begin');
    await client.query(`select set_config('stet.org_id', gen_random_uuid()::text, true)`);
    for (const name of ['enable_hashjoin', 'enable_mergejoin', 'enable_material', 'enable_seqscan'])
      await client.query(`set local ${name} = off`);
    await client.query('set local plan_cache_mode = force_generic_plan');
    await client.query(`prepare planned_once as ${s.text}`);
    const { rows } = await client.query<Explained>(
      `explain (format json) execute planned_once (${s.params.map(() => 'null').join(', ')})`,
    );
    await client.query('rollback');
    await client.query('deallocate planned_once');
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error(`PostgreSQL explained nothing for ${s.name}.`);
    return plan;
  }
});

/** The large tables whose rows a plan reads for the whole organization. */
function wholeOrganizations(node: Node): string[] {
  const name = node['Relation Name'] ?? '';
  const isLarge = ['runs', 'audit_events', 'idempotency_keys'].includes(name);
  const own =
    isLarge && (node['Index Cond'] ?? node['Recheck Cond'] ?? '(org_id = $1)') === '(org_id = $1)' ? [name] : [];
  return [...own, ...(node.Plans ?? []).flatMap(wholeOrganizations)];
}

/** The joins in a plan, with the innermost one last. */
function joins(node: Node): Node[] {
  const own = /Join|Nested Loop/.test(node['Node Type']) ? [node] : [];
  return [...own, ...(node.Plans ?? []).flatMap(joins)];
}

/** The tables read in a plan, with the outer table of each join first. */
function relations(node: Node): string[] {
  const own = node['Relation Name'] === undefined ? [] : [node['Relation Name']];
  return [...own, ...(node.Plans ?? []).flatMap(relations)];
}

function wholeScans(node: Node): string[] {
  const own = node['Node Type'].includes('Seq Scan') ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(wholeScans)];
}

/** The tables that subplans read once, for all rows, instead of by their keys for each row. */
function hashedSubplans(node: Node): string[] {
  const isHashed = node.Filter?.includes('hashed SubPlan') ?? false;
  const subplans = (node.Plans ?? []).filter((one) => isHashed && one['Parent Relationship'] === 'SubPlan');
  return [...subplans.flatMap(relations), ...(node.Plans ?? []).flatMap(hashedSubplans)];
}

/** Publishes a workflow, opens and reviews a draft, starts a run, and then copies their rows. */
async function fill(
  server: TestServer,
  person: Person,
  size: 'small' | 'large',
): Promise<{ orgId: string; draftId: string; runId: string }> {
  await publish(person, person, 'flow', stepsNamed('First', 'Second'));
  const { draftId } = await person.post<{ draftId: string }>('/api/workflows/flow/drafts', {
    metadata: { title: 'Open' },
    steps: stepsNamed('First'),
  });
  await person.post(`/api/workflows/flow/drafts/${draftId}/approve`);
  await person.post(`/api/workflows/flow/drafts/${draftId}/comments`, { body: 'Hm' });
  const { id: runId } = await start(person, 'flow');
  await complete(person, runId, 'step-1');
  const orgId = person.user.currentOrgId ?? '';
  await multiply(server, orgId, person.user.id, draftId, size);
  return { orgId, draftId, runId };
}

/** Fills an organization with copies of its rows. */
async function multiply(
  { sql }: TestServer,
  orgId: string,
  userId: string,
  draftId: string,
  size: 'small' | 'large',
): Promise<void> {
  const copy = async (table: string, n: number, changes: string, where = 'true'): Promise<unknown> => {
    const [columns] = await sql<{ names: string }>(
      `select string_agg(attname, ', ') as names from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    return sql(
      `insert into ${table} (${columns?.names}) select ${columns?.names.replaceAll(/\w+/g, 'made.$&')}
       from (select * from ${table} where org_id = $1 and ${where} limit 1) t cross join generate_series(1, ${n}) n
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || ${changes}) made`,
      [orgId],
    );
  };
  await sql(
    `with made as (insert into users (id, email, name, role, password_hash)
       select gen_random_uuid(), $1 || n || '@copies.example', 'Copy ' || n, 'editor', '' from generate_series(1, ${AMOUNTS.users[size]}) n returning id)
     insert into memberships (org_id, user_id, role) select $2, id, 'editor' from made`,
    [size, orgId],
  );
  await copy(
    'workflows',
    AMOUNTS.workflows[size],
    `jsonb_build_object('id', gen_random_uuid(), 'key', 'copy-' || n, 'live_version_id', null)`,
  );
  await sql('alter table workflow_versions disable trigger user');
  await copy(
    'workflow_versions',
    AMOUNTS.drafts[size],
    `jsonb_build_object('id', gen_random_uuid(), 'workflow_id', (select id from workflows w where w.org_id = t.org_id and w.key = 'copy-' || n))`,
    `id = '${draftId}'`,
  );
  await sql('alter table workflow_versions enable trigger user');
  for (const table of ['draft_comments', 'draft_reviews']) {
    await sql(
      `insert into ${table} select made.*
       from (select * from ${table} where org_id = $1 limit 1) t cross join workflow_versions v
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'draft_id', v.id)) made
       where v.org_id = $1`,
      [orgId],
    );
  }
  await sql(
    `insert into draft_contributors (org_id, draft_id, user_id) select v.org_id, v.id, $2 from workflow_versions v where v.org_id = $1 on conflict do nothing`,
    [orgId, userId],
  );
  await copy(
    'runs',
    AMOUNTS.runs[size],
    `jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n, 'created_at', now() - n * interval '1 minute')`,
  );
  // One run in twenty has a running clock.
  await sql(
    `update runs set next_crossing_at = now() + interval '1 day' where org_id = $1 and mod(extract(minute from created_at)::int, 20) = 0`,
    [orgId],
  );
  await sql(
    `insert into run_steps (org_id, run_id, step_id, activation, state, title, type, assignee, activated_at, due_at)
     select org_id, id, 'step-1', 1, 'active', 'First', 'manual', 'Unassigned', now(), now() from runs where org_id = $1 on conflict do nothing`,
    [orgId],
  );
  await sql(
    `insert into run_tasks (org_id, run_id, step_id, who, due_at, started_at, priority_rank, sort_name)
     select org_id, id, 'step-1', 'role:editor', now() + row_number() over () * interval '1 minute', created_at, priority_rank, sort_name
     from runs where org_id = $1`,
    [orgId],
  );
  await sql(
    `insert into audit_events select made.*
     from (select * from audit_events where org_id = $1 limit 1) e
     cross join (select id, row_number() over () as n from runs cross join generate_series(1, 2) where org_id = $1 limit ${AMOUNTS.events[size]}) n
     cross join lateral jsonb_populate_record(null::audit_events, to_jsonb(e) || jsonb_build_object('seq', 1000 + n.n, 'run_id', n.id)) made`,
    [orgId],
  );
}
