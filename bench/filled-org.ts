import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { callerOf } from './caller.ts';

export type Organization = { token: string; orgId: string; runId: string; runs: number };

/** A person with an organization, a live workflow and one run, which the others are copies of. */
export async function found(url: string, name: string, runs: number): Promise<Organization> {
  const { token, user } = await callerOf(url)<{ token: string; user: { currentOrgId: string } }>(
    'POST',
    '/api/auth/signup',
    { email: `${name.toLowerCase()}@bench.example`, name, password: 'a long enough one' },
  );
  const call = callerOf(url, token);
  const steps = ['one', 'two', 'three', 'four', 'five'].map((id, n, all) => ({
    id,
    title: `Step ${id}`,
    assignee: 'owner',
    sla: '4h',
    next: all.slice(n + 1, n + 2),
  }));
  const { draftId } = await call<{ draftId: string }>('POST', '/api/workflows/flow-1/drafts', {
    metadata: { title: 'Vendor onboarding' },
    steps,
  });
  await call('POST', `/api/workflows/flow-1/drafts/${draftId}/approve`);
  await call('POST', `/api/workflows/flow-1/drafts/${draftId}/merge`);
  const { id } = await call<{ id: string }>('POST', '/api/runs', { key: 'flow-1', name: 'The first of all' });
  return { token, orgId: user.currentOrgId, runId: id, runs };
}

/** The embedded PostgreSQL of a server that runs, past everything that watches over its tables. */
export async function openSql(dataDir: string): Promise<pg.Client> {
  const [, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const client = new pg.Client({ host: host ?? '', port: Number(port), user: 'postgres', database: 'stet' });
  await client.connect();
  // Neither foreign keys nor counts row by row: the copies are right by how they are made.
  await client.query('set session_replication_role = replica');
  return client;
}

/**
 * Does what it is given while the tables of runs have but their primary keys: an index that is made at the end takes a
 * fraction of the time of one that is kept up row by row.
 */
export async function withoutIndexes(sql: pg.Client, act: () => Promise<void>): Promise<void> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any (array['runs', 'run_steps', 'run_tasks']::regclass[])
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await sql.query(`drop index ${name}`);
  await act();
  await sql.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await sql.query(definition);
}

/** Fills an organization up to its number of runs with copies of its first. */
export async function fill(sql: pg.Client, { orgId, runId, runs }: Organization): Promise<void> {
  await sql.query(
    `insert into runs (org_id, id, workflow_id, workflow_key, workflow_title, version_id, version, name, description, priority,
                       status, state, summary, steps_total, steps_completed, target_ms, has_clock, at_risk_at, breach_at,
                       clock_stopped_at, started_by, created_at, ended_at, next_crossing_at, sla_state, env)
     select t.org_id, gen_random_uuid(), t.workflow_id, 'flow-' || 1 + n % 40, t.workflow_title, t.version_id, t.version,
            (array['Office move', 'Contract renewal', 'Access review', 'Refund', 'Trade fair'])[1 + n % 5] || ' ' || n
              || case when n % 9973 = 7 then ' Nordlicht' else '' end
              || case n % 10 when 0 then ' - Production' when 1 then ' - Testing' else '' end,
            null, (array['low', 'medium', 'high', 'urgent'])[1 + n % 4], s.status, t.state, t.summary, 5, 3, t.target_ms, true,
            s.at + s.risk, s.at + s.breach, case when s.status <> 'running' then s.at + interval '8 hours' end, t.started_by, s.at,
            case when s.status in ('completed', 'failed', 'cancelled') then s.at + interval '8 hours' end,
            case when s.status = 'running' then now() + interval '30 days' end, s.sla,
            case n % 10 when 0 then 'production' when 1 then 'testing' end
     from (select * from runs where org_id = $1 and id = $2) t
     cross join generate_series(1, $3::int - 1) n
     cross join lateral (
       select date_trunc('milliseconds', now()) - n * interval '20 seconds' as at,
              case when n % 20 = 0 then 'running' when n % 50 = 1 then 'paused' when n % 50 = 2 then 'failed'
                   when n % 100 = 3 then 'cancelled' else 'completed' end as status,
              case when n % 25 = 4 then 'breached' when n % 12 = 5 then 'at_risk' else 'on_track' end as sla
     ) d
     cross join lateral (
       select d.at, d.status, d.sla,
              case d.sla when 'on_track' then interval '9000 days' else interval '1 second' end as risk,
              case d.sla when 'breached' then interval '2 seconds' else interval '9999 days' end as breach
     ) s`,
    [orgId, runId, runs],
  );
  await sql.query(
    `insert into run_steps (org_id, run_id, step_id, activation, state, title, type, assignee, activated_at, due_at)
     select r.org_id, r.id, s.id, 1, case when s.at < 4 then 'completed' when s.at = 4 and r.status = 'running' then 'active'
            when r.status = 'completed' then 'completed' else 'waiting' end, 'Step ' || s.id, 'manual', 'owner', r.created_at,
            r.created_at + interval '4 hours'
     from runs r cross join unnest(array['one', 'two', 'three', 'four', 'five']) with ordinality s (id, at)
     where r.org_id = $1 and r.id <> $2`,
    [orgId, runId],
  );
  // Of the running ones each third waits for the role that asks; the others for a thousand people.
  await sql.query(
    `insert into run_tasks (org_id, run_id, step_id, who, due_at, at_risk_at)
     select org_id, id, 'four', case when row_number() over () % 3 = 0 then 'role:owner'
              else 'person-' || row_number() over () % 1000 || '@bench.example' end,
            created_at + interval '4 hours', created_at + interval '3 hours'
     from runs where org_id = $1 and id <> $2 and status = 'running'`,
    [orgId, runId],
  );
  await sql.query(
    `update run_counts c set (running, paused, completed, failed, cancelled) = (
       select count(*) filter (where status = 'running'), count(*) filter (where status = 'paused'),
              count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
              count(*) filter (where status = 'cancelled') from runs where org_id = $1)
     where org_id = $1`,
    [orgId],
  );
}
