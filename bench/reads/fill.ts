import type pg from 'pg';
import { type Organization, PACE_MS } from './organization.ts';

const FILLED = [
  'runs',
  'run_steps',
  'run_tasks',
  'run_crossings',
  'open_runs',
  'audit_events',
  'notifications',
  'webhook_deliveries',
];

/**
 * Inserts the organization's runs and all their data with SQL, because a million runs would take days through the API.
 * Each run is a copy of the template with the same state, and a failed run is a copy of the cancelled template. Its
 * history is a copy of that of the completed template. It has a notification and a webhook delivery. Data maintained by
 * triggers (crossings, counts, the head of the trail) is filled in too. The events have the right numbers and lengths
 * but not the right hashes, so a checkpoint is inserted for them and they are not sealed.
 */
export async function fill(sql: pg.Client, organization: Organization, say: (line: string) => void): Promise<void> {
  const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const from = performance.now();
    const done = await work;
    say(`  ${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    return done;
  };
  await prepare(sql);
  const indexes = await dropIndexes(sql);
  const base = Date.now();
  const { rows } = await sql.query<{ seq: string }>('select seq from audit_heads where org_id = $1', [
    organization.orgId,
  ]);
  const last = Number(rows[0]?.seq ?? 0);
  await timed('runs', fillRuns(sql, organization, base));
  await timed('steps', fillSteps(sql, organization));
  const perRun = await timed('events', fillEvents(sql, organization, base, last));
  await timed('notifications and deliveries', fillNotifications(sql, organization, base, { last, perRun }));
  await timed('counts', updateCounts(sql, organization, last + (organization.runs - 1) * perRun));
  await timed('indexes', inTurn(sql, indexes));
  await timed('vacuum', inTurn(sql, ['vacuum analyze']));
}

async function inTurn(sql: pg.Client, statements: readonly string[]): Promise<void> {
  for (const one of statements) await sql.query(one);
}

async function prepare(sql: pg.Client): Promise<void> {
  const settings = [`max_wal_size = '8GB'`, `checkpoint_timeout = '30min'`];
  await inTurn(sql, [...settings.map((one) => `alter system set ${one}`), 'select pg_reload_conf()']);
  // Disables foreign keys and row triggers, because the copies are consistent by construction.
  await sql.query('set session_replication_role = replica');
  await sql.query('set synchronous_commit = off');
  await sql.query(`set maintenance_work_mem = '512MB'`);
}

/** Drops the indexes, because creating them at the end takes a fraction of the time of updating them row by row. */
async function dropIndexes(sql: pg.Client): Promise<string[]> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [FILLED],
  );
  for (const { name } of rows) await sql.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Returns SQL for the start of the run with that number, in milliseconds. */
const began = (n: string, base: number): string => `(${base}::bigint - ${n}::bigint * ${PACE_MS})`;
const momentOf = (n: string, base: number): string => `to_timestamp(${began(n, base)} / 1000.0)`;
const idOf = (n: string, base: number): string =>
  `(lpad(to_hex(${began(n, base)}), 12, '0') || '7' || substr(md5(${n}::text), 1, 3) || '8' || substr(md5(${n}::text), 4, 15))::uuid`;

/** The oldest run has the highest number and is written first. */
const numbers = ({ runs }: Organization): string => `generate_series(${runs - 1}, 1, -1) n`;
const templateOf = (status: string, { templates }: Organization): string =>
  `case ${status} when 'running' then '${templates.running}' when 'paused' then '${templates.paused}'
     when 'completed' then '${templates.completed}' else '${templates.cancelled}' end::uuid`;

async function fillRuns(sql: pg.Client, of: Organization, base: number): Promise<void> {
  await sql.query(
    `insert into runs (org_id, id, workflow_id, workflow_key, workflow_title, version_id, version, name, description, priority,
                       status, state, summary, steps_total, steps_completed, target_ms, has_clock, at_risk_at, breach_at,
                       clock_stopped_at, started_by, created_at, ended_at, next_crossing_at, next_due_at, sla_state, env)
     select t.org_id, ${idOf('n', base)}, w.id, w.key, v.metadata ->> 'title', v.id, v.version,
            (array['Office move', 'Contract renewal', 'Access review', 'Refund', 'Trade fair'])[1 + n % 5] || ' ' || n
              || case when n % 9973 = 7 then ' Nordlicht' else '' end
              || case n % 10 when 0 then ' - Production' when 1 then ' - Testing' else '' end,
            null, (array['low', 'medium', 'high', 'urgent'])[1 + n % 4], s.status, t.state, t.summary, t.steps_total,
            t.steps_completed, t.target_ms, true, s.at + s.risk, s.at + s.breach,
            case when s.status <> 'running' then s.at + interval '8 hours' end, t.started_by, s.at,
            case when s.status in ('completed', 'failed', 'cancelled') then s.at + interval '8 hours' end,
            case when s.status = 'running' then now() + interval '30 days' end,
            case when s.status = 'running' then s.at + interval '4 hours' end, s.sla,
            case n % 10 when 0 then 'production' when 1 then 'testing' end
     from ${numbers(of)}
     cross join lateral (
       select ${momentOf('n', base)} as at,
              case when n % 20 = 0 then 'running' when n % 50 = 1 then 'paused' when n % 50 = 2 then 'failed'
                   when n % 100 = 3 then 'cancelled' else 'completed' end as status,
              case when n % 25 = 4 then 'breached' when n % 12 = 5 then 'at_risk' else 'on_track' end as sla
     ) d
     cross join lateral (
       select d.at, d.status, d.sla,
              case d.sla when 'on_track' then interval '9000 days' else interval '1 second' end as risk,
              case d.sla when 'breached' then interval '2 seconds' else interval '9999 days' end as breach
     ) s
     join runs t on t.org_id = $1 and t.id = ${templateOf('s.status', of)}
     join workflows w on w.org_id = $1 and w.key = 'flow-' || 1 + n % ${of.workflows}
     join workflow_versions v on v.org_id = $1 and v.id = w.live_version_id`,
    [of.orgId],
  );
}

async function fillSteps(sql: pg.Client, of: Organization): Promise<void> {
  const isCopy = `r.org_id = $1 and r.id <> all ($2::uuid[])`;
  const values = [of.orgId, Object.values(of.templates)];
  await sql.query(
    `insert into run_steps (org_id, run_id, step_id, activation, state, title, type, assignee, activated_at, due_at)
     select r.org_id, r.id, s.step_id, s.activation, s.state, s.title, s.type, s.assignee, r.created_at,
            r.created_at + interval '4 hours'
     from runs r cross join lateral (
       select * from run_steps t where t.org_id = r.org_id and t.run_id = ${templateOf('r.status', of)}
     ) s
     where ${isCopy}`,
    values,
  );
  // In a third of the running runs, the open step is assigned to the caller's role, otherwise to one of a thousand
  // people.
  await sql.query(
    `insert into run_tasks (org_id, run_id, step_id, who, due_at, at_risk_at, started_at, priority_rank, sort_name)
     select r.org_id, r.id, 'four', case when row_number() over () % 3 = 0 then 'role:owner'
              else 'person-' || row_number() over () % 1000 || '@bench.example' end,
            r.created_at + interval '4 hours', r.created_at + interval '3 hours', r.created_at, r.priority_rank, r.sort_name
     from runs r where ${isCopy} and r.status = 'running'`,
    values,
  );
  await sql.query(
    `insert into run_crossings (org_id, run_id, at)
     select r.org_id, r.id, r.next_crossing_at from runs r where ${isCopy} and r.next_crossing_at is not null`,
    values,
  );
  await sql.query(
    `insert into open_runs (org_id, run_id, due_at, started_at, status, sla_state, workflow_key, version, priority_rank, env,
                            words)
     select r.org_id, r.id, coalesce(r.next_due_at, 'infinity'), r.created_at, r.status, r.sla_state, r.workflow_key, r.version,
            r.priority_rank, r.env, lower(r.name || ' ' || r.workflow_title)
     from runs r where ${isCopy} and r.status not in ('completed', 'cancelled')`,
    values,
  );
}

/** Inserts the events. Returns the number of events of each run. */
async function fillEvents(sql: pg.Client, of: Organization, base: number, last: number): Promise<number> {
  await sql.query(
    `create temporary table events as
     select row_number() over (order by seq) as k, actor, action, subject_type, run_id = subject_id::uuid as is_of_run, payload,
            salt, digest, prev, hash
     from audit_events where org_id = $1 and run_id = $2`,
    [of.orgId, of.templates.completed],
  );
  const { rows } = await sql.query<{ n: number }>('select count(*)::int as n from events');
  const perRun = rows[0]?.n ?? 0;
  // The events are ordered by run number, so that those of one run are stored together, as in production.
  await sql.query(
    `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash)
     select $1, $2::bigint + (${of.runs - 1} - n)::bigint * ${perRun} + e.k, ${momentOf('n', base)} + e.k * interval '1 second',
            e.actor, e.action, e.subject_type, e.id::text, e.id, replace(e.payload, '${of.templates.completed}', e.id::text),
            e.salt, e.digest, e.prev, e.hash
     from ${numbers(of)} cross join lateral (select *, ${idOf('n', base)} as id from events order by k) e`,
    [of.orgId, last],
  );
  return perRun;
}

/** Inserts a notification for each run, a tenth of them unread, and a webhook delivery, a fiftieth of them failed. */
async function fillNotifications(
  sql: pg.Client,
  of: Organization,
  base: number,
  { last, perRun }: { last: number; perRun: number },
): Promise<void> {
  await sql.query(
    `insert into notifications (org_id, user_id, id, source, kind, run_id, step_id, title, body, created_at, read_at, news)
     select t.org_id, t.user_id, ${idOf('n', base)}, 'filled:' || n, t.kind, ${idOf('n', base)}, t.step_id, t.title, t.body,
            ${momentOf('n', base)}, case when n % 10 > 0 then now() end, t.news
     from ${numbers(of)} cross join (select * from notifications where org_id = $1 and is_shown limit 1) t`,
    [of.orgId],
  );
  const { rows } = await sql.query('select from notifications where org_id = $1 and source = $2', [
    of.orgId,
    'filled:1',
  ]);
  if (rows.length === 0) throw new Error('there is no notification to copy');
  // The sweep would delete deliveries that ended a month ago.
  await sql.query(
    `insert into webhook_deliveries (org_id, id, webhook_id, seq, action, subject, state, attempts, last_status, last_took_ms,
                                     created_at, ended_at)
     select $1, ${idOf('n', base)}, $2, $3::bigint + (${of.runs} - n)::bigint * ${perRun}, 'run.completed', 'run:' || n,
            case when n % 50 = 0 then 'dead' else 'delivered' end, 1, 200, 12, now() - n % 20 * interval '1 day',
            now() - n % 20 * interval '1 day'
     from ${numbers(of)}`,
    [of.orgId, of.webhookId, last],
  );
}

/** Updates data derived from all rows: counts, the head of the trail, and its sealed and published position. */
async function updateCounts(sql: pg.Client, { orgId }: Organization, head: number): Promise<void> {
  await sql.query(
    `update run_counts c set (running, paused, completed, failed, cancelled, on_track, at_risk, breached) = (
       select count(*) filter (where status = 'running'), count(*) filter (where status = 'paused'),
              count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
              count(*) filter (where status = 'cancelled'),
              count(*) filter (where status = 'running' and sla_state = 'on_track'),
              count(*) filter (where status = 'running' and sla_state = 'at_risk'),
              count(*) filter (where status = 'running' and sla_state = 'breached') from runs where org_id = $1)
     where org_id = $1`,
    [orgId],
  );
  await sql.query('update audit_heads set seq = $2, at = clock_timestamp() where org_id = $1', [orgId, head]);
  await sql.query(
    `insert into audit_checkpoints (org_id, size, at, root, head, peaks, note)
     select org_id, seq, at, hash, hash, hash, 'for a measurement' from audit_heads where org_id = $1`,
    [orgId],
  );
  await sql.query('update webhook_cursors set seq = $2 where org_id = $1', [orgId, head]);
}
