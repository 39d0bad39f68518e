import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Runner,
  type Task,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
  Logger,
  run,
} from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { Refused } from '../kernel/refused.ts';

/** Handlers by task name. Each may be called more than once for the same job, so it must be idempotent. */
export type JobHandlers = Record<string, (payload: Record<string, unknown>, attempt: Attempt) => Promise<void>>;

/** If `isLast` is true, a failure of this attempt is final. */
export type Attempt = { isLast: boolean };

/** Each lane has its own workers and its own limit on parallel jobs, so that slow work doesn't delay other work. */
export type JobLane = {
  handlers: JobHandlers;
  atOnce: number;
  crontab?: string;
  /**
   * Limits the parallel jobs of each task for one organization to this times the number of nodes. A single node may
   * execute all of them. Other jobs wait in the outbox. If it is undefined, there is no such limit.
   */
  turns?: number;
  /** True for jobs that still matter after days. They are retried for days, at least once an hour. */
  isPatient?: boolean;
};

export type OpenLane = {
  /** The name of the worker pool in the queue. It changes if the pool is restarted. */
  poolId: () => string;
  /** Lets up to this many idle workers look for jobs now. */
  wake: (count: number) => void;
  /** Waits until the running jobs have ended, then stops. */
  stop: () => Promise<void>;
};

const PAUSE_MS = 1000;
/** Workers normally look for jobs only when they are woken, or after a job. It is also the pause after a failed search. */
const POLL_MS = 30_000;
/**
 * The time in which running jobs must end after their workers fail. New workers then start, even if some jobs are still
 * running.
 */
const ENDING_MS = 3000;
/**
 * Maximum number of times that a handler is called in one attempt of its job if PostgreSQL can't be reached. The pauses
 * between the calls are shorter in total than the time after which a worker pool counts as dead.
 */
const AWAY_TRIES = 10;

type PoolEvent = [{ workerPool: WorkerPool }];
type LaneEvents = { 'pool:create': PoolEvent; 'pool:gracefulShutdown': PoolEvent; 'job:complete': [unknown] };

/**
 * Executes the jobs of a lane until it is stopped. If the queue's workers can't reach the database to report on a job,
 * they fail. In this case, they are restarted, and their jobs are released like those of a dead process.
 */
export async function openLane(pool: pg.Pool, lane: JobLane, log: Log, onDone: () => void): Promise<OpenLane> {
  let isStopping = false;
  let poolId = '';
  let wake = (_count: number): void => {};
  let sayEnding = (): void => {};
  let ending = Promise.resolve();
  const events = new EventEmitter<LaneEvents>();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    wake = (count) => workerPool.nudge(count);
    ending = new Promise((resolve) => (sayEnding = resolve));
  });
  events.on('pool:gracefulShutdown', ({ workerPool }) => {
    if (workerPool.id !== poolId) return;
    wake = () => {};
    sayEnding();
  });
  // When a job ends, the organization's next job can start.
  if (lane.turns !== undefined) events.on('job:complete', onDone);
  const start = (): Promise<Runner> =>
    run({
      pgPool: withoutListener(pool),
      taskList: tasksOf(lane.handlers, log, () => isStopping),
      ...(lane.crontab !== undefined && { crontab: lane.crontab }),
      events: events as WorkerEvents,
      concurrency: lane.atOnce,
      noHandleSignals: true,
      pollInterval: POLL_MS,
      // Batches of reports are sent without delay. If a batch fails, the queue raises an event. If a single report
      // failed, the process would crash.
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
        if (!isStopping) log.warn({ err: error }, 'the job queue failed; restarting it');
      });
      // Workers whose reports were lost might wait for them forever and never end.
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
    wake: (count) => wake(count),
    stop: async () => {
      isStopping = true;
      // If the runner has failed, this rejects, and nothing is left to stop.
      await runner.stop().catch(() => undefined);
      await going;
    },
  };
}

/**
 * The same pool for a worker pool, which gets no connection on which it would listen for new jobs: each lane would need
 * one, and every job would wake the workers of all lanes. Only the listener is requested with a callback.
 */
function withoutListener(pool: pg.Pool): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return (isListener?: unknown) => (isListener ? undefined : target.connect());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as (...given: unknown[]) => unknown).bind(target) : value;
    },
  });
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
            // The queue would count this as a failed attempt and might wait hours before the next one, although
            // PostgreSQL may respond again within a moment.
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
