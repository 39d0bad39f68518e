import type pg from 'pg';
import type { JobLane } from './job-lane.ts';
import { triesOf } from './job-retries.ts';
import { QUEUE_JOBS_AND_TASKS } from './queue-tables.ts';

// The lock lets only one dispatcher work at a time. If two of them counted at the same moment, both would take the same
// free turn.
const TAKE = 'select pg_advisory_xact_lock(7307100118)';

/** Each task and organization with waiting jobs. Thanks to an index, each of these pairs takes only one look-up. */
const WAITING = `
  recursive waiting as (
    (select task, turn_of from outbox where turn_of is not null order by task, turn_of limit 1)
    union all
    select n.task, n.turn_of from waiting w cross join lateral (
      select o.task, o.turn_of from outbox o where o.turn_of is not null and (o.task, o.turn_of) > (w.task, w.turn_of)
      order by o.task, o.turn_of limit 1
    ) n
  )`;

const moveText = (
  turns: readonly { task: string; atOnce: number }[],
  lanes: number,
  patient: readonly string[],
): string => `
  with ${WAITING}, nodes as (
    select greatest(1, count(*) / ${lanes}) as n from job_pools where seen_at > clock_timestamp() - interval '15 seconds'
  ), allowed (task, at_once) as (
    values ${turns.map(({ task, atOnce }) => `('${task}', ${atOnce})`).join(', ')}
  ), busy as (
    select t.identifier as task, j.payload ->> 'orgId' as turn_of, count(*) as n
    from ${QUEUE_JOBS_AND_TASKS}
    where t.identifier in (select task from waiting)
      -- A job that failed and will be retried later lets other jobs go first.
      and (j.locked_at is not null or (j.attempts < j.max_attempts and j.run_at <= now()))
    group by 1, 2
  ), chosen as (
    select o.* from waiting w
    cross join nodes
    left join allowed a on a.task = w.task
    left join busy b on b.task = w.task and b.turn_of = w.turn_of
    cross join lateral (
      select id, task, payload, job_key from outbox
      where task = w.task and turn_of = w.turn_of and turn_of is not null and run_at <= now()
      order by id limit greatest(0, coalesce(a.at_once, 1) * nodes.n - coalesce(b.n, 0))
    ) o
  ), gone as (
    -- Jobs with the same key run only once, even if some of them are due later.
    delete from outbox where id in (
      select id from chosen union select o.id from chosen c join outbox o on o.job_key = c.job_key
    )
  ), once as (
    select distinct on (coalesce(job_key, id::text)) * from chosen order by coalesce(job_key, id::text), id
  ), queued as (
    select graphile_worker.add_jobs(array_agg(
      row(task, payload::json, null, now(), ${triesOf('task', patient)}, job_key, null, null)::graphile_worker.job_spec order by id)) from once having count(*) > 0
  )
  select task from once where (select count(*) from queued) > 0`;

/**
 * Moves jobs that take turns from the outbox to the queue. For each task and organization, it moves as many as the lane
 * allows in parallel (`turns`), and another one whenever a job ends. After each job, its organization waits behind the
 * others. Returns the tasks of the jobs that it moved: one entry per job.
 */
export function moveTurns(
  pool: pg.Pool,
  lanes: readonly JobLane[],
  patient: readonly string[],
): () => Promise<string[]> {
  const turns = lanes.flatMap(({ handlers, turns: atOnce }) =>
    atOnce === undefined ? [] : Object.keys(handlers).map((task) => ({ task, atOnce })),
  );
  if (turns.length === 0) return async () => [];
  const text = `${TAKE}; ${moveText(turns, lanes.length, patient)}`;
  return async () => {
    const results: unknown = await pool.query(text);
    return (results as pg.QueryResult<{ task: string }>[])[1]?.rows.map(({ task }) => task) ?? [];
  };
}
