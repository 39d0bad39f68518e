import pg from 'pg';
import type { Gauges } from '../kernel/gauges.ts';
import type { Log } from '../kernel/log.ts';
import { regularly } from '../kernel/regularly.ts';
import { readGauges } from './gauges.ts';
import { type JobLane, type OpenLane, openLane } from './job-lane.ts';
import { shortenWaits, triesOf } from './job-patience.ts';
import { watchPools } from './job-pools.ts';
import { moveTurns } from './job-turns.ts';
import type { Connection } from './pool.ts';

export type { JobHandlers, JobLane } from './job-lane.ts';

type JobQueue = {
  /** Moves what committed transactions left in the outbox, soon. */
  poke: () => void;
  /** How the database stands; null where it doesn't answer. */
  gauges: () => Promise<Gauges['database']>;
  /** Lets the jobs under way end, then stops. */
  stop: () => Promise<void>;
};

const SWEEP_MS = 1000;
// What committed transactions leave within this time is moved together: each move wakes the workers of every lane.
const GATHER_MS = 20;
const SHORTEN_MS = 30_000;
const BATCH = 500;
const SHARED_CONNECTIONS = 8;

// Of all nodes one does it; an hour that nobody was there for is not made up for.
const CRONTAB = [
  '17 * * * * sweep_accounts',
  '*/10 * * * * reseal_tokens',
  '*/5 * * * * sweep_slack',
  '* * * * * seal_audits',
  '* * * * * sweep_steps',
  '* * * * * sweep_webhooks',
  '* * * * * make_digests',
  '23 * * * * remind_of_emergencies',
].join('\n');

// Two dispatchers never take the same row, and a row leaves the outbox exactly if its job is in the queue.
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
  select (select count(*) from moved)::int as moved, (select count(*) from queued)::int as queued`;

/** Runs jobs of the queue, and moves the outbox into it: when poked, and every second for what a crash left. */
export async function openJobQueue(connection: Connection, lanes: readonly JobLane[], log: Log): Promise<JobQueue> {
  // Each lane listens on one all the time; a job takes another just while it is fetched and reported on. One for each job
  // would be so many that two nodes use up what PostgreSQL has for everyone.
  const size = Math.max(lanes.length + SHARED_CONNECTIONS, ...lanes.map(({ atOnce }) => atOnce));
  const pool = new pg.Pool({
    ...connection,
    max: size,
    application_name: 'stet-jobs',
    connectionTimeoutMillis: 10_000,
  });
  let stopping = false;
  const onError = (error: Error): void => {
    if (!stopping) log.warn({ err: error }, 'a connection of the job queue was lost');
  };
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));

  const open: OpenLane[] = [];
  // There is nothing to move before the lanes have made the queue.
  let moveNow = (): void => {};
  // Times are kept by one lane; those of the others would be theirs as well.
  for (const [n, lane] of lanes.entries())
    open.push(await openLane(pool, { ...lane, ...(n === 0 && { crontab: CRONTAB }) }, log, () => moveNow()));
  const watch = watchPools(pool, () => open.map(({ poolId }) => poolId()), log);
  const patient = lanes.flatMap(({ handlers, isPatient }) => (isPatient === true ? Object.keys(handlers) : []));
  const dispatcher = openDispatcher(pool, moveText(patient), moveTurns(pool, lanes, patient), log);
  const shortening =
    patient.length === 0
      ? null
      : regularly(SHORTEN_MS, async () => void (await pool.query(shortenWaits(patient))), log);
  moveNow = dispatcher.moveNow;
  return {
    poke: dispatcher.poke,
    gauges: () => readGauges(pool).catch(() => null),
    stop: async () => {
      stopping = true;
      await dispatcher.stop();
      await shortening?.stop();
      await watch.stop();
      await Promise.all(open.map((lane) => lane.stop()));
      await pool.end();
    },
  };
}

function openDispatcher(pool: pg.Pool, text: string, takeTurns: () => Promise<void>, log: Log) {
  let moving: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let gathering: NodeJS.Timeout | null = null;
  let movedAt = -GATHER_MS;
  const move = async (): Promise<void> => {
    do {
      again = false;
      try {
        const { rows } = await pool.query<{ moved: number }>(text);
        if (rows[0]?.moved === BATCH) again = true;
        await takeTurns();
      } catch (error) {
        log.warn({ err: error }, 'the outbox could not be moved; trying again');
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
  // The first one goes at once; those that come soon after it go with each other.
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
