import type pg from 'pg';
import { QUEUE_JOBS, QUEUE_JOBS_AND_TASKS } from '../../db/queue-tables.ts';

/** A job as it is stored in the outbox. */
export type WaitingJob = { task: string; payload: string; runAt: string; key: string | null };

/**
 * The pending jobs in the queue, without failed ones. Running jobs are included, so they are executed again. The queue
 * counts an attempt when it begins, so a job that is running its last attempt has no attempts left.
 */
export async function waitingJobs(client: pg.Client): Promise<WaitingJob[]> {
  if (!(await hasQueue(client))) return [];
  const { rows } = await client.query<WaitingJob>(
    `select t.identifier as task, j.payload::text as payload, to_char(j.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "runAt", j.key
     from ${QUEUE_JOBS_AND_TASKS}
     where j.locked_at is not null or j.attempts < j.max_attempts order by j.id`,
  );
  return rows;
}

/** Writes jobs to the outbox. The next server moves them to the queue and executes them. */
export async function enqueueWaitingJobs(client: pg.Client, jobs: readonly WaitingJob[]): Promise<void> {
  await client.query(
    `insert into outbox (task, payload, run_at, job_key)
     select task, payload::jsonb, run_at::timestamptz, key
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as r (task, payload, run_at, key)`,
    [
      jobs.map(({ task }) => task),
      jobs.map(({ payload }) => payload),
      jobs.map(({ runAt }) => runAt),
      jobs.map(({ key }) => key),
    ],
  );
}

/** The number of failed jobs by task. */
export async function failedJobs(client: pg.Client): Promise<{ task: string; jobs: number }[]> {
  if (!(await hasQueue(client))) return [];
  const { rows } = await client.query<{ task: string; jobs: number }>(
    `select t.identifier as task, count(*)::int as jobs
     from ${QUEUE_JOBS_AND_TASKS}
     where j.attempts >= j.max_attempts and j.locked_at is null group by 1 order by 1`,
  );
  return rows;
}

/** The ids of at most `most` failed jobs, of the named tasks or of all. */
export async function failedJobIds(client: pg.Client, tasks: readonly string[], most: number): Promise<string[]> {
  if (!(await hasQueue(client))) return [];
  const { rows } = await client.query<{ id: string }>(
    `select j.id::text from ${QUEUE_JOBS_AND_TASKS}
     where j.attempts >= j.max_attempts and j.locked_at is null and (cardinality($1::text[]) = 0 or t.identifier = any ($1))
     order by j.id limit $2`,
    [tasks, most],
  );
  return rows.map(({ id }) => id);
}

async function hasQueue(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('${QUEUE_JOBS}') is not null as there`);
  return rows[0]?.there === true;
}
