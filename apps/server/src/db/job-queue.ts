import { type Task, type TaskList, Logger, run } from 'graphile-worker';
import pg from 'pg';
import type { Log } from '../kernel/log.ts';
import type { Connection } from './pool.ts';

/** Handlers by task name. Each may be called more than once for the same job, and has to end well then too. */
export type JobHandlers = Record<string, (payload: Record<string, unknown>) => Promise<void>>;

export type JobQueue = {
  /** Moves what committed transactions left in the outbox, soon. */
  poke: () => void;
  /** Lets the jobs under way end, then stops. */
  stop: () => Promise<void>;
};

const SWEEP_MS = 1000;
const BATCH = 500;

// Of all nodes one does it; an hour that nobody was there for is not made up for.
const CRONTAB = ['17 * * * * sweep_accounts', '* * * * * seal_audits'].join('\n');

// Two dispatchers never take the same row, and a row leaves the outbox exactly if its job is in the queue.
const MOVE = `
  with moved as (
    delete from outbox where id in (
      select id from outbox where run_at <= now() order by id limit ${BATCH} for update skip locked
    ) returning id, task, payload
  ), queued as (
    select graphile_worker.add_jobs(array_agg(
      row(task, payload::json, null, now(), 12, null, null, null)::graphile_worker.job_spec order by id)) from moved having count(*) > 0
  )
  select (select count(*) from moved)::int as moved, (select count(*) from queued)::int as queued`;

/** Runs jobs of the queue, and moves the outbox into it: when poked, and every second for what a crash left. */
export async function openJobQueue(connection: Connection, handlers: JobHandlers, log: Log): Promise<JobQueue> {
  const pool = new pg.Pool({ ...connection, max: 6, application_name: 'stet-jobs', connectionTimeoutMillis: 10_000 });
  let stopping = false;
  const onError = (error: Error): void => {
    if (!stopping) log.warn({ err: error }, 'a connection of the job queue was lost');
  };
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const runner = await run({
    pgPool: pool,
    taskList: tasksOf(handlers, log),
    crontab: CRONTAB,
    concurrency: 4,
    noHandleSignals: true,
    pollInterval: 2000,
    logger: new Logger(() => (level, message) => {
      if (stopping) return;
      if (level === 'error') log.error({ job: true }, message);
      else if (level === 'warning') log.warn({ job: true }, message);
    }),
  });
  const dispatcher = openDispatcher(pool, log);
  return {
    poke: dispatcher.poke,
    stop: async () => {
      stopping = true;
      await dispatcher.stop();
      await runner.stop();
      await pool.end();
    },
  };
}

function tasksOf(handlers: JobHandlers, log: Log): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]): [string, Task] => [
      name,
      async (payload) => {
        await handle(payload as Record<string, unknown>);
        log.debug({ task: name }, 'job done');
      },
    ]),
  );
}

function openDispatcher(pool: pg.Pool, log: Log) {
  let moving: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const move = async (): Promise<void> => {
    do {
      again = false;
      try {
        const { rows } = await pool.query<{ moved: number }>(MOVE);
        if (rows[0]?.moved === BATCH) again = true;
      } catch (error) {
        log.warn({ err: error }, 'the outbox could not be moved; trying again');
        return;
      }
    } while (again && !stopped);
  };
  const poke = (): void => {
    if (stopped) return;
    again = true;
    moving ??= move().finally(() => (moving = null));
  };
  const timer = setInterval(poke, SWEEP_MS);
  timer.unref();
  return {
    poke,
    stop: async (): Promise<void> => {
      stopped = true;
      clearInterval(timer);
      await moving;
    },
  };
}
