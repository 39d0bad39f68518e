import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { publish, stepsNamed } from '../testing/organization.ts';
import { type StallingProxy, openStallingProxy } from '../testing/stalling-proxy.ts';
import { type Person, type TestServer, startTestServerOn } from '../testing/server.ts';

describe('a PostgreSQL that accepts connections but doesn’t respond', () => {
  let way: StallingProxy;
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const { connection } = database;
    way = await openStallingProxy(connection);
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

  it('makes waiting and new requests fail until it responds again', async () => {
    const key = randomUUID();
    const startOne = () =>
      person.call('POST', '/api/runs', { key: 'flow', name: 'Started once' }, { 'idempotency-key': key });
    const unavailable = { status: 503, body: { code: 'database_unavailable' } };
    const lists = await Promise.all(Array.from({ length: 8 }, () => person.call('GET', '/api/runs')));
    expect(lists.every(({ status }) => status === 200)).toBe(true);

    way.be(true);
    // There are more requests than connections in the pool. Some wait for a response, and the others wait for a
    // connection.
    const waiting = [startOne(), ...Array.from({ length: 12 }, () => person.call('GET', '/api/runs'))];
    for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(unavailable);
    expect(await startOne()).toMatchObject(unavailable);
    expect(await server.anyone.call('GET', '/api/health')).toMatchObject({ status: 200 });
    // A load balancer that checks readiness sends no requests to this node if other nodes are available.
    expect(await server.anyone.call('GET', '/api/ready')).toMatchObject(unavailable);

    way.be(false);
    await expect.poll(async () => (await startOne()).status).toBe(201);
    const runs = await person.get<{ name: string }[]>('/api/runs');
    expect(runs.map(({ name }) => name)).toEqual(['Started once']);
    await expect.poll(async () => (await server.anyone.call('GET', '/api/ready')).status).toBe(200);
  });
});
