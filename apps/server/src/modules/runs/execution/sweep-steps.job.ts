import type { Deps } from '../../../kernel/deps.ts';
import { reenqueueLostJobs } from './execution.sql.ts';
import { STEP_LANES } from './lanes.ts';

const TASKS_BY_TYPE = {
  types: Object.keys(STEP_LANES),
  tasks: Object.values(STEP_LANES).map(({ task }) => task),
};

/**
 * Runs every minute. Enqueues jobs for steps that have waited for the server for at least 60 seconds but have no job,
 * at most 500 at a time.
 */
export async function sweepSteps({ db, log, pokeOutbox }: Pick<Deps, 'db' | 'log' | 'pokeOutbox'>): Promise<void> {
  const [swept] = await db.query(reenqueueLostJobs, { olderThanSeconds: 60, ...TASKS_BY_TYPE });
  if (!swept?.enqueued) return;
  log.warn({ enqueued: swept.enqueued }, 're-enqueued lost step jobs');
  pokeOutbox();
}
