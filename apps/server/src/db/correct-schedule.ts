import type pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { QUEUE_JOBS_AND_TASKS } from './queue-tables.ts';

/**
 * Corrects the schedule if it was written by a clock that was ahead. Otherwise the queue would start no scheduled task
 * until the time that this clock showed, because it skips the minutes before the last execution. The database's clock
 * decides.
 */
export async function correctSchedule(pool: Pick<pg.Pool, 'query'>, log: Log): Promise<void> {
  const { rows } = await pool.query<{ tasks: string[] }>(
    `with corrected as (
       update graphile_worker._private_known_crontabs set last_execution = now()
       where last_execution > now() + interval '2 minutes' returning identifier
     ), jobs as (
       select graphile_worker.reschedule_jobs(array(
         select j.id from ${QUEUE_JOBS_AND_TASKS}
         where j.locked_at is null and j.attempts = 0 and j.run_at > now() + interval '2 minutes' and j.payload -> '_cron' is not null
       ), run_at => now())
     )
     select array(select identifier::text from corrected order by 1) as tasks, (select count(*) from jobs) as jobs`,
  );
  const tasks = rows[0]?.tasks ?? [];
  if (tasks.length > 0) log.warn({ tasks }, 'scheduled tasks continue: a clock was ahead when they were last executed');
}
