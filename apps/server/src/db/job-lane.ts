import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Runner, type Task, type TaskList, type WorkerEvents, Logger, run } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { Refused } from '../kernel/refused.ts';

/** Handlers by task name. Each may be called more than once for the same job, and has to end well then too. */
export type JobHandlers = Record<string, (payload: Record<string, unknown>, attempt: Attempt) => Promise<void>>;

/** With `isLast` the job is given up if it fails now. */
export type Attempt = { isLast: boolean };

/** Jobs that are done beside those of the other lanes, so many at a time: what takes long must not hold up a mail. */
export type JobLane = {
  handlers: JobHandlers;
  atOnce: number;
  crontab?: string;
  /** Of each task so many at once for one organization, for each node that lives; the others wait in the outbox. */
  turns?: number;
  /** What is still worth doing after days is tried for as long, with an hour between two tries at most. */
  isPatient?: boolean;
};

export type OpenLane = {
  /** The worker pool's name in the queue; another one after it had to be started again. */
  poolId: () => string;
  /** Lets the jobs under way end, then stops. */
  stop: () => Promise<void>;
};

const PAUSE_MS = 1000;
/** Jobs under way may end in this time where the workers give up; then others begin beside them. */
const ENDING_MS = 3000;
/** Where PostgreSQL was away a job goes on by itself, for less time than its worker would need to be taken for dead. */
const AWAY_TRIES = 10;

type PoolEvent = [{ workerPool: { id: string } }];
type LaneEvents = { 'pool:create': PoolEvent; 'pool:gracefulShutdown': PoolEvent; 'job:complete': [unknown] };

/**
 * Does the jobs of a lane until it is stopped. The queue's workers give up where the database is gone at the moment when
 * they report on a job; then they are started again, and what they had taken is freed like that of a process that died.
 */
export async function openLane(pool: pg.Pool, lane: JobLane, log: Log, onDone: () => void): Promise<OpenLane> {
  let isStopping = false;
  let poolId = '';
  let sayEnding = (): void => {};
  let ending = Promise.resolve();
  const events = new EventEmitter<LaneEvents>();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    ending = new Promise((resolve) => (sayEnding = resolve));
  });
  events.on('pool:gracefulShutdown', ({ workerPool }) => workerPool.id === poolId && sayEnding());
  // Whoever waits for their turn waits for this one to be gone.
  if (lane.turns !== undefined) events.on('job:complete', onDone);
  const start = (): Promise<Runner> =>
    run({
      pgPool: pool,
      taskList: tasksOf(lane.handlers, log, () => isStopping),
      ...(lane.crontab !== undefined && { crontab: lane.crontab }),
      events: events as WorkerEvents,
      concurrency: lane.atOnce,
      noHandleSignals: true,
      pollInterval: 1000,
      // Reports are gathered without waiting: only then is one that can't be handed in heard of, and not thrown at the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new Logger(() => (level, message) => {
        if (isStopping) return;
        if (level === 'error') log.error({ job: true }, message);
        else if (level === 'warning') log.warn({ job: true }, message);
      }),
    });
  let runner = await start();

  const keepGoing = async (): Promise<void> => {
    while (!isStopping) {
      const ended = runner.promise.catch((error: unknown) => {
        if (!isStopping) log.warn({ err: error }, 'the job queue gave up; starting it again');
      });
      // Workers whose reports were lost may wait forever for having handed them in, and never say that they have ended.
      await Promise.race([ended, ending.then(() => sleep(ENDING_MS, null, { ref: false }))]);
      if (!isStopping) void runner.stop().catch(() => undefined);
      while (!isStopping) {
        await sleep(PAUSE_MS);
        const started = isStopping ? null : await start().catch(() => null);
        if (!started) continue;
        runner = started;
        break;
      }
    }
  };
  const going = keepGoing();
  return {
    poolId: () => poolId,
    stop: async () => {
      isStopping = true;
      // One that has given up already says so; it is as stopped as it can be.
      await runner.stop().catch(() => undefined);
      await going;
    },
  };
}

function tasksOf(handlers: JobHandlers, log: Log, isStopping: () => boolean): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]): [string, Task] => [
      name,
      async (payload, { job }) => {
        const attempt = { isLast: job.attempts >= job.max_attempts };
        for (let tries = 1; ; tries += 1) {
          try {
            await handle(payload as Record<string, unknown>, attempt);
            break;
          } catch (error) {
            // The queue would count it against the job, and wait for up to hours though PostgreSQL is back within a moment.
            if (!isAway(error) || tries === AWAY_TRIES || isStopping()) throw error;
            await sleep(PAUSE_MS);
          }
        }
        log.debug({ task: name }, 'job done');
      },
    ]),
  );
}

const isAway = (error: unknown): boolean => error instanceof Refused && error.refusal.code === 'database_unavailable';
