import { statement } from './statement.ts';
import type { Tx } from '../kernel/database.ts';

/** A job to execute after the commit. It may be executed more than once. */
export type Job = {
  task: string;
  payload: Record<string, unknown>;
  /** Of several pending jobs with the same key, only one is executed. */
  key?: string;
  /** The id of the organization that the job counts for, if its lane takes turns. */
  turnOf?: string;
  /** Minimum delay in milliseconds, measured by the database's clock. */
  delayMs?: number;
};

const insertJobs = statement({
  name: 'insert_jobs',
  params: ['jobs'],
  list: 'jobs',
  text: `insert into outbox (task, payload, job_key, turn_of, run_at)
         select job ->> 'task', job -> 'payload', job ->> 'key', job ->> 'turnOf',
                now() + make_interval(secs => coalesce((job ->> 'delayMs')::float8, 0) / 1000)
         from jsonb_array_elements($1::jsonb) job`,
});

/** Enqueues jobs in the transaction. They exist only if it commits. */
export function enqueueJobs(tx: Tx, jobs: readonly Job[]): void {
  if (jobs.length > 0) tx.write(insertJobs, { jobs });
}
