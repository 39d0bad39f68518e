import { randomUUID } from 'node:crypto';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { type Person, type TestServer, startTestServerOn } from '../testing/server.ts';

/** A way to PostgreSQL on which it can fall silent: connections stay, what is sent is taken, and nothing comes back. */
async function openQuietableWay({ host, port }: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let isQuiet = false;
  const way = createServer((caller) => {
    const called = connect(`${host}/.s.PGSQL.${port}`);
    called.on('data', (data) => caller.write(data));
    caller.on('data', (data) => called.write(data));
    for (const [one, other] of [
      [caller, called],
      [called, caller],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (isQuiet) called.pause();
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  return {
    port: (way.address() as AddressInfo).port,
    be: (quiet: boolean): void => {
      isQuiet = quiet;
      for (const socket of sockets) {
        if (quiet) socket.pause();
        else socket.resume();
      }
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        way.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

describe('a PostgreSQL that takes everything in and says nothing', () => {
  let way: Awaited<ReturnType<typeof openQuietableWay>>;
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const { connection } = database;
    way = await openQuietableWay(connection);
    const detour = `postgres://${connection.user}@127.0.0.1:${way.port}/${connection.database}`;
    server = await startTestServerOn(database, { DATABASE_URL: detour, DATABASE_POOL: '4' });
    person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First'));
  });
  afterAll(async () => {
    way.be(false);
    await server.stop();
    await way.close();
  });

  it('is told to everyone who waits and who comes, and is served from again once it answers', async () => {
    const key = randomUUID();
    const startOne = () =>
      person.call('POST', '/api/runs', { key: 'flow', name: 'Started once' }, { 'idempotency-key': key });
    const unavailable = { status: 503, body: { code: 'database_unavailable' } };
    const lists = await Promise.all(Array.from({ length: 8 }, () => person.call('GET', '/api/runs')));
    expect(lists.every(({ status }) => status === 200)).toBe(true);

    way.be(true);
    // More than there are connections: some wait for an answer, the others for a connection.
    const waiting = [startOne(), ...Array.from({ length: 12 }, () => person.call('GET', '/api/runs'))];
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(unavailable);
    expect(await startOne()).toMatchObject(unavailable);
    expect(await server.anyone.call('GET', '/api/health')).toMatchObject({ status: 200 });

    way.be(false);
    await expect.poll(async () => (await startOne()).status).toBe(201);
    const runs = await person.get<{ name: string }[]>('/api/runs');
    expect(runs.map(({ name }) => name)).toEqual(['Started once']);
  });
});
