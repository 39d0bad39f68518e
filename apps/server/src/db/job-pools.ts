import type pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { QUEUE_JOBS } from './queue-tables.ts';

const BEAT_MS = 3000;
const DEAD_AFTER = `interval '15 seconds'`;

const BEAT = `
  insert into job_pools (id, seen_at) select id, clock_timestamp() from unnest($1::text[]) id
  on conflict (id) do update set seen_at = excluded.seen_at`;

// When a process is killed, its jobs stay locked. The queue itself would release them only after four hours.
const FREE = `
  with dead as (
    select distinct j.locked_by as id from ${QUEUE_JOBS} j
    where j.locked_at < now() - ${DEAD_AFTER}
      and not exists (select from job_pools p where p.id = j.locked_by and p.seen_at > clock_timestamp() - ${DEAD_AFTER})
  ), forgotten as (
    delete from job_pools where seen_at < clock_timestamp() - interval '1 day'
  )
  select graphile_worker.force_unlock_workers(array_agg(id)) from dead having count(*) > 0`;

type PoolWatch = { stop: () => Promise<void> };

/** Records every few seconds that these worker pools are alive, and releases the jobs of dead pools. */
export function watchPools(pool: pg.Pool, ids: () => readonly string[], log: Log): PoolWatch {
  let beating: Promise<void> | null = null;
  const beat = async (): Promise<void> => {
    try {
      await pool.query(BEAT, [ids()]);
      const { rowCount } = await pool.query(FREE);
      if (rowCount) log.warn('released the jobs of a dead process');
    } catch (error) {
      log.warn({ err: error }, 'the job queue could not report that it is alive; retrying');
    }
  };
  const next = (): void => {
    beating ??= beat().finally(() => (beating = null));
  };
  next();
  const timer = setInterval(next, BEAT_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await beating;
    },
  };
}
