import pg from 'pg';
import type { QueryGauges } from '../kernel/gauges.ts';
import type { Log } from '../kernel/log.ts';
import { regularly } from '../kernel/regularly.ts';
import { correctSchedule } from './correct-schedule.ts';
import { type JobLane, type OpenLane, openLane } from './job-lane.ts';
import { shortenWaits, triesOf } from './job-retries.ts';
import { watchPools } from './job-pools.ts';
import { moveTurns } from './job-turns.ts';
import type { Connection } from './pool.ts';
import { QUEUE_JOBS, QUEUE_TASKS } from './queue-tables.ts';

export type { JobHandlers, JobLane } from './job-lane.ts';

export type JobQueue = {
  /** Starts within `GATHER_MS` to move the jobs of committed transactions that are due from the outbox to the queue. */
  poke: () => void;
  /** Uses the queue's connections, so that monitoring doesn't compete with requests. */
  queryGauges: QueryGauges;
  /** Waits until the running jobs have ended, then stops. */
  stop: () => Promise<void>;
};

const SWEEP_MS = 1000;
// Jobs committed within this time are moved together, because each search and each move costs CPU time.
const GATHER_MS = 20;
const SHORTEN_MS = 30_000;
const CORRECT_MS = 60_000;
const BATCH = 500;
const SHARED_CONNECTIONS = 8;

/** If this many jobs wait in the queue, others may wait behind them, so every lane is woken. */
const MOST_READY = 200;

// Prepared, because this statement is executed every second and after each transaction that adds jobs. In contrast, the
// statements that move jobs are planned each time, because the outbox can become large.
const findJobs = {
  name: 'find_jobs',
  text: `select exists (select from outbox where turn_of is null and run_at <= now()) as is_due,
                exists (select from outbox where turn_of is not null) as has_turns,
                array(select t.identifier from (
                  select task_id from ${QUEUE_JOBS} where is_available and run_at <= now()
                  order by priority, run_at limit ${MOST_READY}
                ) j join ${QUEUE_TASKS} t on t.id = j.task_id) as ready`,
};
type FoundJobs = {
  is_due: boolean;
  has_turns: boolean;
  /** The tasks of the jobs that workers can take: one entry per job. */
  ready: string[];
};

// Two dispatchers never move the same row. A row is deleted from the outbox only if its job, or a newer one with the
// same key, is in the queue.
const moveText = (patient: readonly string[]): string => `
  with moved as (
    delete from outbox where id in (
      select id from outbox where turn_of is null and run_at <= now() order by id limit ${BATCH} for update skip locked
    ) returning id, task, payload, job_key
  ), chosen as (
    select distinct on (coalesce(job_key, id::text)) * from moved order by coalesce(job_key, id::text), id desc
  ), queued as (
    select graphile_worker.add_jobs(array_agg(
      row(task, payload::json, null, now(), ${triesOf('task', patient)}, job_key, null, null)::graphile_worker.job_spec order by id)) from chosen having count(*) > 0
  )
  select (select count(*) from moved)::int as moved, (select count(*) from queued)::int as queued,
         array(select task from chosen) as tasks`;

/**
 * Executes the jobs in the queue, and moves jobs from the outbox to it when `poke` is called. Every second, also moves
 * jobs that have become due or remain after a crash.
 */
export async function openJobQueue(
  connection: Connection,
  { lanes, crontab }: { lanes: readonly JobLane[]; crontab: string },
  log: Log,
): Promise<JobQueue> {
  // A job needs a connection only while it is fetched and while its result is reported. With one connection per job, two
  // nodes would exceed PostgreSQL's limit.
  const size = Math.max(SHARED_CONNECTIONS, ...lanes.map(({ atOnce }) => atOnce));
  const pool = new pg.Pool({
    ...connection,
    max: size,
    application_name: 'stet-jobs',
    connectionTimeoutMillis: 10_000,
  });
  let stopping = false;
  const onError = (error: Error): void => {
    if (!stopping) log.warn({ err: error }, 'the job queue lost a database connection');
  };
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const open: OpenLane[] = [];
  // Nothing can be moved until the lanes have created the queue's schema.
  let moveNow = (): void => {};
  // The crontab runs in only one lane. The jobs that it adds are executed by the lanes of their tasks.
  for (const [n, lane] of lanes.entries())
    open.push(await openLane(pool, { ...lane, ...(n === 0 && { crontab }) }, log, () => moveNow()));
  await correctSchedule(pool, log);
  const correcting = regularly(CORRECT_MS, () => correctSchedule(pool, log), log);
  const watch = watchPools(pool, () => open.map(({ poolId }) => poolId()), log);
  const patient = lanes.flatMap(({ handlers, isPatient }) => (isPatient === true ? Object.keys(handlers) : []));
  const wake = (ready: readonly string[]): void => {
    for (const [n, { handlers }] of lanes.entries()) {
      const count = ready.filter((task) => task in handlers).length;
      if (count > 0 || ready.length === MOST_READY) open[n]?.wake(Math.max(1, count));
    }
  };
  const dispatcher = openDispatcher(pool, moveText(patient), { takeTurns: moveTurns(pool, lanes, patient), wake }, log);
  const shortening =
    patient.length === 0
      ? null
      : regularly(SHORTEN_MS, async () => void (await pool.query(shortenWaits(patient))), log);
  moveNow = dispatcher.moveNow;
  // Moves the jobs that were enqueued while the lanes were being opened.
  moveNow();
  return {
    poke: dispatcher.poke,
    queryGauges: async (text) => (await pool.query<Record<string, unknown>>(text)).rows[0],
    stop: async () => {
      stopping = true;
      await dispatcher.stop();
      await shortening?.stop();
      await correcting.stop();
      await watch.stop();
      await Promise.all(open.map((lane) => lane.stop()));
      await pool.end();
    },
  };
}

function openDispatcher(
  pool: pg.Pool,
  text: string,
  { takeTurns, wake }: { takeTurns: () => Promise<string[]>; wake: (ready: readonly string[]) => void },
  log: Log,
) {
  let moving: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let gathering: NodeJS.Timeout | null = null;
  let movedAt = -GATHER_MS;
  const move = async (): Promise<void> => {
    do {
      again = false;
      try {
        const { rows } = await pool.query<FoundJobs>(findJobs);
        const [found] = rows;
        if (!found) return;
        wake(found.ready);
        if (found.is_due) {
          const { rows: moves } = await pool.query<{ moved: number; tasks: string[] }>(text);
          wake(moves[0]?.tasks ?? []);
          if (moves[0]?.moved === BATCH) again = true;
        }
        if (found.has_turns) wake(await takeTurns());
      } catch (error) {
        log.warn({ err: error }, 'could not move jobs from the outbox; retrying');
        return;
      }
    } while (again && !stopped);
  };
  const moveNow = (): void => {
    if (stopped) return;
    again = true;
    movedAt = performance.now();
    moving ??= move().finally(() => (moving = null));
  };
  // Moves the first job immediately, and moves those that follow shortly afterwards together.
  const poke = (): void => {
    gathering ??= setTimeout(
      () => {
        gathering = null;
        moveNow();
      },
      Math.max(0, movedAt + GATHER_MS - performance.now()),
    );
  };
  const timer = setInterval(moveNow, SWEEP_MS);
  timer.unref();
  return {
    poke,
    moveNow,
    stop: async (): Promise<void> => {
      stopped = true;
      clearInterval(timer);
      if (gathering) clearTimeout(gathering);
      await moving;
    },
  };
}
