import { statement } from './statement.ts';
import type { Tx } from '../kernel/database.ts';

/** Work for after the commit; the queue delivers each at least once. */
export type Job = {
  task: string;
  payload: Record<string, unknown>;
  /** Of jobs with the same key that wait, one is done. */
  key?: string;
  /** The organization whose turn it waits for, where its lane takes turns. */
  turnOf?: string;
  /** Not before so many milliseconds have gone by on the database's clock. */
  delayMs?: number;
};

const insertJobs = statement({
  name: 'insert_jobs',
  params: ['jobs'],
  text: `insert into outbox (task, payload, job_key, turn_of, run_at)
         select job ->> 'task', job -> 'payload', job ->> 'key', job ->> 'turnOf',
                now() + make_interval(secs => coalesce((job ->> 'delayMs')::float8, 0) / 1000)
         from jsonb_array_elements($1::jsonb) job`,
});

/** Leaves jobs with the transaction: they exist exactly if it is committed. */
export function leaveJobs(tx: Tx, jobs: readonly Job[]): void {
  if (jobs.length > 0) tx.write(insertJobs, { jobs: JSON.stringify(jobs) });
}
