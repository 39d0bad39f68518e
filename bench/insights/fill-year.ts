import type pg from 'pg';
import type { Organization } from '../reads/organization.ts';

/** The workflow of all runs. */
export const KEY = 'flow-7';

/** The number of finished reviews of the workflow: at a million runs, 77 a week. */
const reviewsOf = (runs: number): number => Math.max(20, Math.round(runs / 250));

/**
 * Inserts completed runs of one workflow, its finished reviews and their events with SQL, because a million of them
 * would take days through the API. The runs and reviews are distributed evenly over the last year. All steps of a run
 * take the same time, which differs between runs: from a minute to three days. A third of the steps exceed their SLA.
 * Only what insights read is inserted: the events have the right numbers and lengths, but not the right hashes.
 */
export async function fillYear(sql: pg.Client, { orgId, runs, templates }: Organization): Promise<void> {
  await sql.query('set session_replication_role = replica');
  await sql.query('set synchronous_commit = off');
  const id = (n: string): string =>
    `(lpad(to_hex(pg_temp.began(${n})), 12, '0') || '7' || substr(md5(${n}::text), 1, 3) || '8' || substr(md5(${n}::text), 4, 15))::uuid`;
  await sql.query(
    `create function pg_temp.began(n int) returns bigint language sql immutable as
     $$ select (${Date.now()}::bigint - 364::bigint * 86400000 * n / ${runs}) $$`,
  );
  await sql.query(
    `insert into runs (org_id, id, workflow_id, workflow_key, workflow_title, version_id, version, name, priority, status, state,
                       summary, steps_total, steps_completed, target_ms, has_clock, at_risk_at, breach_at, clock_stopped_at,
                       started_by, created_at, ended_at, sla_state)
     select t.org_id, ${id('n')}, w.id, w.key, t.workflow_title, w.live_version_id, 1, 'Run ' || n,
            t.priority, t.status, t.state, t.summary, t.steps_total, t.steps_completed, t.target_ms, t.has_clock, t.at_risk_at,
            t.breach_at, t.clock_stopped_at, t.started_by, to_timestamp(pg_temp.began(n) / 1000.0), t.ended_at, t.sla_state
     from generate_series(${runs - 1}, 1, -1) n
     join runs t on t.org_id = $1 and t.id = $2
     join workflows w on w.org_id = $1 and w.key = '${KEY}'`,
    [orgId, templates.completed],
  );
  const { rows } = await sql.query<{ seq: string; k: string }>(
    `select h.seq, (select count(*) from audit_events where org_id = $1 and run_id = $2) as k from audit_heads h where h.org_id = $1`,
    [orgId, templates.completed],
  );
  const [last, perRun] = [Number(rows[0]?.seq ?? 0), Number(rows[0]?.k ?? 0)];
  // Events are in the order of the starts. Those of one run are stored together.
  await sql.query(
    `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash)
     select $1, $3::bigint + (${runs - 1} - r.n)::bigint * ${perRun} + e.k, to_timestamp(m.at / 1000.0), e.actor, e.action,
            e.subject_type, r.id::text, r.id,
            regexp_replace(regexp_replace(replace(e.payload, $2::text, r.id::text), '"at":\\d+', '"at":' || m.at),
              '"dueAt":\\d+', '"dueAt":' || m.at + 14400000),
            e.salt, e.digest, e.prev, e.hash
     from (
       select n, ${id('n')} as id, pg_temp.began(n) as began,
              60000 * power(4320, ('x' || substr(md5(n || 'length'), 1, 7))::bit(28)::int / 268435456.0) as length
       from generate_series(${runs - 1}, 1, -1) n
     ) r
     cross join (
       select row_number() over (order by seq) as k, * from audit_events where org_id = $1 and run_id = $2
     ) e
     cross join lateral (select (r.began + r.length * (e.k - 1))::bigint as at) m
     order by r.n desc, e.k`,
    [orgId, templates.completed, last],
  );
  const endOfRuns = last + (runs - 1) * perRun;
  const reviews = reviewsOf(runs);
  await sql.query(
    `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, payload, salt, digest, prev, hash)
     select $1, $2::bigint + (r.n - 1) * 3 + e.k, r.began + e.share * r.length, t.actor, 'draft.' || e.action, 'version', r.id::text,
            jsonb_build_object('data', jsonb_build_object('key', '${KEY}', 'reviewId', r.id, 'version', 1 + r.n % 20))::text,
            t.salt, t.digest, t.prev, t.hash
     from (
       select n, gen_random_uuid() as id, now() - interval '364 days' * (1 - n / ${reviews}.0) - interval '3 days' as began,
              interval '1 minute' * power(4320, ('x' || substr(md5(n || 'review'), 1, 7))::bit(28)::int / 268435456.0) as length
       from generate_series(1, ${reviews}) n
     ) r
     cross join (values (1, 'submitted', 0), (2, 'approved', 1), (3, 'merged', 1)) e (k, action, share)
     cross join (select * from audit_events where org_id = $1 and seq = 1) t`,
    [orgId, endOfRuns],
  );
  await sql.query('update audit_heads set seq = $2, at = clock_timestamp() where org_id = $1', [
    orgId,
    endOfRuns + reviews * 3,
  ]);
  await sql.query('vacuum analyze runs, audit_events');
}
