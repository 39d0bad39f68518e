import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openLog } from '../kernel/log.ts';
import { createTestDatabase } from '../testing/database.ts';
import { openStallingProxy } from '../testing/stalling-proxy.ts';
import { openLiveChannel } from './live-channel.ts';

describe('live messages to a slow PostgreSQL', () => {
  it('are queued, then sent together in order', async () => {
    const database = await createTestDatabase();
    const { connection } = database;
    const way = await openStallingProxy(connection);
    const received: string[] = [];
    const sendings: string[] = [];
    const beside = new pg.Client(connection);
    await beside.connect();
    beside.on('notification', ({ payload }) => void sendings.push(payload ?? ''));
    await beside.query('listen stet_live');
    let sayOpen = (): void => {};
    const opened = new Promise<void>((resolve) => (sayOpen = resolve));
    const channel = openLiveChannel({
      connection: { connectionString: `postgres://${connection.user}@127.0.0.1:${way.port}/${connection.database}` },
      log: openLog('silent'),
      onMessage: (message) => void received.push(message),
      onGap: () => sayOpen(),
    });
    try {
      await opened;
      way.be(true);
      for (const message of ['1', '2', '3', '4', '5', '6']) {
        channel.send(message);
        await pause(60);
      }
      way.be(false);
      await expect.poll(() => received).toEqual(['1', '2', '3', '4', '5', '6']);
      expect(sendings.flatMap((sending) => sending.split('\n'))).toEqual(received);
      // One statement is for the send in progress, and the other one is for all later messages.
      expect(sendings.length).toBeLessThanOrEqual(2);
    } finally {
      way.be(false);
      await channel.stop();
      await beside.end();
      await way.close();
      await database.drop();
    }
  });
});
