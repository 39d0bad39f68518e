import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { regularly } from '../kernel/regularly.ts';
import { Refused } from '../kernel/refused.ts';
import type { Connection } from './pool.ts';

/** The methods of a pool that `openDatabase` needs. */
export type Connections = {
  connect: () => Promise<pg.PoolClient>;
  /** Like `connect`, but takes turns with all calls of `connect` that wait, instead of waiting for each of them. */
  connectSoon?: () => Promise<pg.PoolClient>;
  end: () => Promise<void>;
};

type Waiter = { resolve: (client: pg.PoolClient) => void; reject: (error: Error) => void };

type WatchedPool = Connections & {
  /**
   * True if PostgreSQL accepted the last check, or refused it only because it has no more free connections. There is at
   * most one check per second.
   */
  answers: () => boolean;
  stopWatching: () => Promise<void>;
};

const EVERY_MS = 1000;
/** Time in milliseconds after which an unanswered check means that PostgreSQL hangs. */
const PATIENCE_MS = 5000;

/** The error code if PostgreSQL has no more free connections. It still serves the open ones. */
const FULL = '53300';

type Raw = { connection?: { stream?: { destroy: () => void } } };

/**
 * Circuit breaker for a hung PostgreSQL: its processes are suspended, or the network drops packets. A refused or lost
 * connection fails by itself, but a hung one would block every request. Until PostgreSQL responds again, waiting
 * requests fail, and new ones are refused immediately. A statement that was already sent may still take effect. If the
 * request is repeated with its idempotency key, its change is still made only once.
 */
export function watchPool(pool: pg.Pool, connection: Connection, log: Log): WatchedPool {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void clients.add(client));
  pool.on('remove', (client) => void clients.delete(client));
  const queue: Waiter[] = [];
  const soon: Waiter[] = [];
  let isSoonNext = true;
  let isSilent = false;
  let isAnswering = true;
  let client: pg.Client | null = null;

  const disconnect = (): void => {
    (client as Raw | null)?.connection?.stream?.destroy();
    client = null;
  };
  const ask = async (): Promise<void> => {
    if (!client) {
      const opened = new pg.Client({ ...connection, application_name: 'stet-pulse' });
      opened.on('error', disconnect);
      client = opened;
      await opened.connect();
    }
    await client.query('select');
  };
  const listen = async (): Promise<void> => {
    // An error is also a response.
    const response = ask().then(
      () => 'alive' as const,
      (error: { code?: string }) => (error.code === FULL ? ('full' as const) : ('failed' as const)),
    );
    const answer = await Promise.race([response, quietTime(response)]);
    if (answer !== 'alive') disconnect();
    if (answer === 'silent' && !isSilent) log.error('PostgreSQL is not responding; requests are refused until it does');
    if (answer !== 'silent' && isSilent) log.warn('PostgreSQL is responding again');
    isSilent = answer === 'silent';
    isAnswering = answer === 'alive' || answer === 'full';
    if (!isSilent) return;
    for (const { reject } of [...soon.splice(0), ...queue.splice(0)])
      reject(new Refused({ code: 'database_unavailable' }));
    for (const held of clients) (held as Raw).connection?.stream?.destroy();
  };
  const listening = regularly(EVERY_MS, listen, log);

  /** Waits for any of the requested connections, not for the one that this call requests. */
  const connect = (waiters: Waiter[]): Promise<pg.PoolClient> => {
    if (isSilent) return Promise.reject(new Refused({ code: 'database_unavailable' }));
    pool.connect().then(
      (free) => {
        const next = (isSoonNext ? soon.shift() : queue.shift()) ?? soon.shift() ?? queue.shift();
        isSoonNext = !isSoonNext;
        // If PostgreSQL hung in the meantime, nobody waits any more.
        if (next) next.resolve(free);
        else free.release();
      },
      (error: unknown) => (queue.shift() ?? soon.shift())?.reject(error as Error),
    );
    return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
  };

  return {
    connect: () => connect(queue),
    connectSoon: () => connect(soon),
    end: () => pool.end(),
    answers: () => isAnswering,
    stopWatching: async () => {
      await listening.stop();
      disconnect();
    },
  };
}

/**
 * Waits `PATIENCE_MS` for the response, and then a few turns of the event loop: if this process was busy, the response
 * may have arrived but not have been read yet.
 */
async function quietTime(response: Promise<unknown>): Promise<'silent' | 'alive'> {
  let isAnswered = false;
  void response.then(() => (isAnswered = true));
  await sleep(PATIENCE_MS, null, { ref: false });
  for (let n = 0; n < 3; n += 1) await turn();
  return isAnswered ? 'alive' : 'silent';
}
