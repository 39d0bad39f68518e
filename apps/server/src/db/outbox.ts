import { statement } from './statement.ts';
import type { Tx } from '../kernel/database.ts';

/** Work for after the commit; the queue delivers each at least once. */
export type Job = { task: string; payload: Record<string, unknown> };

const insertJobs = statement({
  name: 'insert_jobs',
  params: ['jobs'],
  text: `insert into outbox (task, payload) select job ->> 'task', job -> 'payload' from jsonb_array_elements($1::jsonb) job`,
});

/** Leaves jobs with the transaction: they exist exactly if it is committed. */
export function leaveJobs(tx: Tx, jobs: readonly Job[]): void {
  if (jobs.length > 0) tx.write(insertJobs, { jobs: JSON.stringify(jobs) });
}
