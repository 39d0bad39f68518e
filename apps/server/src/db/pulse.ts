import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../kernel/log.ts';
import { regularly } from '../kernel/regularly.ts';
import { Refused } from '../kernel/refused.ts';
import type { Connection } from './pool.ts';

/** What a transaction needs of a pool. */
export type Connections = Pick<pg.Pool, 'connect' | 'end'>;

type WatchedPool = Connections & {
  /** Whether PostgreSQL answered when it was asked last, which is every second. */
  answers: () => boolean;
  stopWatching: () => Promise<void>;
};

const EVERY_MS = 1000;
/** A database that needs longer for nothing at all answers nobody. */
const PATIENCE_MS = 5000;

/** PostgreSQL has no connection left for one more; those that are open are served. */
const FULL = '53300';

type Raw = { connection?: { stream?: { destroy: () => void } } };

/**
 * Notices a PostgreSQL that takes everything in and says nothing: one that is stopped, or behind a network that drops what
 * is sent. A connection that is refused or lost fails by itself; this one would keep everyone waiting. Whoever waits is then
 * refused, and who comes is refused at once, until it answers again. What was sent may still be done: that is for the
 * idempotency key to tell.
 */
export function watchPool(pool: pg.Pool, connection: Connection, log: Log): WatchedPool {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void clients.add(client));
  pool.on('remove', (client) => void clients.delete(client));
  const waiting = new Set<() => void>();
  let isSilent = false;
  let isAnswering = true;
  let client: pg.Client | null = null;

  const hangUp = (): void => {
    (client as Raw | null)?.connection?.stream?.destroy();
    client = null;
  };
  const ask = async (): Promise<void> => {
    if (!client) {
      const opened = new pg.Client({ ...connection, application_name: 'stet-pulse' });
      opened.on('error', hangUp);
      client = opened;
      await opened.connect();
    }
    await client.query('select');
  };
  const listen = async (): Promise<void> => {
    // A failure is an answer, too.
    const asked = ask().then(
      () => 'alive' as const,
      (error: { code?: string }) => (error.code === FULL ? ('full' as const) : ('failed' as const)),
    );
    const answer = await Promise.race([asked, quietTime(asked)]);
    if (answer !== 'alive') hangUp();
    if (answer === 'silent' && !isSilent)
      log.error('PostgreSQL does not answer any more; requests are refused until it does');
    if (answer !== 'silent' && isSilent) log.warn('PostgreSQL answers again');
    isSilent = answer === 'silent';
    isAnswering = answer === 'alive' || answer === 'full';
    if (!isSilent) return;
    for (const giveUp of waiting) giveUp();
    for (const held of clients) (held as Raw).connection?.stream?.destroy();
  };
  const listening = regularly(EVERY_MS, listen, log);

  return {
    connect: async () => {
      if (isSilent) throw new Refused({ code: 'database_unavailable' });
      return await new Promise<pg.PoolClient>((resolve, reject) => {
        let gaveUp = false;
        const giveUp = (): void => {
          gaveUp = true;
          reject(new Refused({ code: 'database_unavailable' }));
        };
        waiting.add(giveUp);
        pool
          .connect()
          .finally(() => waiting.delete(giveUp))
          .then(
            (held) => (gaveUp ? held.release() : resolve(held)),
            (error: unknown) => reject(error as Error),
          );
      });
    },
    end: () => pool.end(),
    answers: () => isAnswering,
    stopWatching: async () => {
      await listening.stop();
      hangUp();
    },
  };
}

/** Where this process itself was busy all the time, an answer may have come that nobody has read yet. */
async function quietTime(asked: Promise<unknown>): Promise<'silent' | 'alive'> {
  let isAnswered = false;
  void asked.then(() => (isAnswered = true));
  await sleep(PATIENCE_MS, null, { ref: false });
  for (let n = 0; n < 3; n += 1) await turn();
  return isAnswered ? 'alive' : 'silent';
}
