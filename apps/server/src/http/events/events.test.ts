import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventStream, type Received, listen } from '../../testing/events.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';

const about = (subject: string, id: string) => (received: Received) =>
  received.event === 'changed' && received.data.subject === subject && received.data.id === id;
const is = (event: Received['event']) => (received: Received) => received.event === event;
const present = (...people: Person[]) => {
  const ids = people.map(({ user }) => user.id).toSorted();
  return (received: Received) =>
    received.event === 'presence' &&
    JSON.stringify(received.data.people.map(({ id }) => id).toSorted()) === JSON.stringify(ids);
};

describe('the event stream', () => {
  let one: TestServer;
  let other: TestServer;
  let owner: Person;
  let reviewer: Person;
  const open: EventStream[] = [];
  const listening = async (...[server, person, run]: Parameters<typeof listen>): Promise<EventStream> => {
    const stream = await listen(server, person, run);
    open.push(stream);
    return stream;
  };

  beforeAll(async () => {
    const SECRET_KEY = 'one secret for all servers of an installation';
    one = await startTestServer({ SECRET_KEY });
    other = await startTestServerOn(one.database, { SECRET_KEY });
    ({ owner, reviewer } = await teamOf(one, ['reviewer']));
    await publish(owner, reviewer, 'line', stepsNamed('First', 'Second'));
  });
  afterAll(async () => {
    for (const stream of open) stream.close();
    await other.server.stop();
    await one.stop();
  });

  it('reports changes made on another node, and only to the same organization', async () => {
    const stranger = await one.signUp();
    const [near, outside] = [await listening(other, reviewer), await listening(other, stranger)];
    const { id } = await start(owner, 'line');
    await near.until(about('run', id));
    near.received.length = 0;
    await complete(owner, id, 'step-1');
    await near.until(about('run', id));
    await stranger.patch('/api/users/me', { name: 'Someone Else' });
    await outside.until(about('user', stranger.user.id));
    expect(outside.received.filter(about('run', id))).toEqual([]);
  });

  it('reports who is viewing a run on any node, lists each person once, and reports when someone leaves', async () => {
    const { id } = await start(owner, 'line');
    const [mine, theirs] = [await listening(one, owner, id), await listening(other, reviewer, id)];
    await Promise.all([mine, theirs].map((stream) => stream.until(present(owner, reviewer))));
    const again = await listening(other, owner, id);
    await again.until(present(owner, reviewer));
    mine.received.length = 0;
    theirs.close();
    await mine.until(present(owner));
  });

  it("hides a run's viewers from other organizations", async () => {
    const { id } = await start(owner, 'line');
    const stranger = await one.signUp();
    await listening(one, owner, id);
    const outside = await listening(one, stranger, id);
    const presenceEvent = await outside.until(is('presence'));
    expect(presenceEvent.data).toMatchObject({ people: [{ id: stranger.user.id }] });
  });

  it('ends on every node if the session or membership ends, or if the person switches organizations', async () => {
    const login = await one.anyone.post<{ token: string }>('/api/auth/login', {
      email: reviewer.user.email,
      password: 'a long enough one',
    });
    const leaving = await listening(other, login);
    const staying = await listening(other, reviewer);
    await one.as(login.token).post('/api/auth/logout');
    await leaving.until(is('ended'));
    await leaving.ended;

    const { owner: founder, orgId, viewer } = await teamOf(one, ['viewer']);
    const removed = await listening(other, viewer);
    await founder.call('DELETE', `/api/organizations/${orgId}/users/${viewer.user.id}`);
    await removed.until(is('ended'));

    const mover = await one.signUp();
    const moved = await listening(other, mover);
    await mover.post('/api/organizations', { name: 'Elsewhere', slug: 'elsewhere' });
    await moved.until(is('ended'));

    staying.received.length = 0;
    await start(owner, 'line');
    await staying.until(is('changed'));
  });

  it('closes a person’s oldest connections if they have too many', async () => {
    const person = await one.signUp();
    const streams: EventStream[] = [];
    for (let n = 0; n < 18; n += 1) streams.push(await listening(one, person));
    await Promise.all(streams.slice(0, 2).map(({ ended }) => ended));
    await person.patch('/api/users/me', { name: 'Still Here' });
    await Promise.all(streams.slice(2).map((stream) => stream.until(about('user', person.user.id))));
  });

  it('reports that events may have been missed once a lost database connection is restored', async () => {
    const stream = await listening(one, owner);
    await stream.until(is('hello'));
    stream.received.length = 0;
    await one.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stet-live' and datname = current_database()`,
    );
    await stream.until(is('missed'));
    const { id } = await start(owner, 'line');
    await stream.until(about('run', id));
  });

  it('sends nothing about changes that were refused', async () => {
    const stream = await listening(one, owner);
    const { id } = await start(owner, 'line');
    await stream.until(about('run', id));
    stream.received.length = 0;
    expect((await complete(owner, id, 'step-2')).status).toBe(409);
    const last = await start(owner, 'line');
    await stream.until(about('run', last.id));
    expect(stream.received.filter(about('run', id))).toEqual([]);
  });

  it("requires a session, and doesn't delay a shutdown", async () => {
    expect((await one.anyone.call('GET', '/api/events')).status).toBe(401);
    const third = await startTestServerOn(one.database, {
      SECRET_KEY: 'one secret for all servers of an installation',
    });
    const stream = await listening(third, owner);
    await stream.until(is('hello'));
    await Promise.all([third.server.stop(), stream.ended]);
  });
});
