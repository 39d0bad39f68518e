import type { SessionRecord, User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/mailbox.ts';
import { type Client, type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const PASSWORD = 'a long enough one';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

describe('a user’s profile', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function signInAgain({ user }: Person, password = PASSWORD): Promise<Client> {
    const { body } = await server.anyone.call<{ token: string }>(
      'POST',
      '/api/auth/login',
      { email: user.email, password },
      { 'user-agent': FIREFOX },
    );
    return server.as(body.token);
  }
  const sessionsOf = (client: Client): Promise<SessionRecord[]> => client.get('/api/users/me/sessions');

  it('has a name that can be changed, with an event in the trail', async () => {
    const person = await server.signUp({ name: 'Before' });
    expect(await person.patch('/api/users/me', { name: '  After  ' })).toMatchObject({
      name: 'After',
      email: person.user.email,
    });
    expect(await person.get<User>('/api/auth/me')).toMatchObject({ name: 'After' });
    await person.patch('/api/users/me', { name: 'After' });
    const events = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'account.profile_changed'`,
      [person.user.currentOrgId],
    );
    expect(events.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data)).toEqual([
      { before: { name: 'Before' }, after: { name: 'After' } },
    ]);
    for (const name of ['', '   ', 'x'.repeat(121), 'Bob\r\nBcc: all@example.com', 'a\u2028b']) {
      expect(await person.call('PATCH', '/api/users/me', { name })).toMatchObject({
        status: 400,
        body: { code: 'invalid' },
      });
    }
  });

  it('requires the current password to change the password, and ends the other sessions afterwards', async () => {
    const person = await server.signUp();
    const other = await signInAgain(person);
    const change = (currentPassword: string, password: string) =>
      person.call('POST', '/api/users/me/password', { currentPassword, password });
    expect(await change('a wrong one', 'quite another')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    });
    expect(await other.call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
    expect(await change(PASSWORD, 'quite another')).toMatchObject({ status: 200 });
    expect(await other.call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    expect(await person.call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
    expect(await (await signInAgain(person, 'quite another')).call('GET', '/api/auth/me')).toMatchObject({
      status: 200,
    });
    expect(
      await server.anyone.call('POST', '/api/auth/login', { email: person.user.email, password: PASSWORD }),
    ).toMatchObject({ status: 401 });
  });

  it('accepts only one of two concurrent password changes', async () => {
    const person = await server.signUp();
    const wanted = ['the first of two', 'the second of two'];
    const replies = await Promise.all(
      wanted.map((password) => person.call('POST', '/api/users/me/password', { currentPassword: PASSWORD, password })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const winner = wanted[replies.findIndex(({ status }) => status === 200)] ?? '';
    expect(await (await signInAgain(person, winner)).call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
  });

  it('lists the sessions, and immediately ends any of them on request', async () => {
    const person = await server.signUp();
    const other = await signInAgain(person);
    const [listed, seenFromThere] = [await sessionsOf(person), await sessionsOf(other)];
    expect(listed).toHaveLength(2);
    expect(listed.find(({ current }) => !current)).toMatchObject({ device: 'Firefox on Linux' });
    expect(seenFromThere.find(({ current }) => current)?.id).toBe(listed.find(({ current }) => !current)?.id);

    const stranger = await server.signUp();
    const id = listed.find(({ current }) => !current)?.id ?? '';
    expect(await stranger.call('DELETE', `/api/users/me/sessions/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await person.call('DELETE', `/api/users/me/sessions/${id}`)).toMatchObject({ status: 200 });
    expect(await other.call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    expect(await person.call('DELETE', `/api/users/me/sessions/${id}`)).toMatchObject({ status: 404 });
    expect(await sessionsOf(person)).toHaveLength(1);
  });

  it('records when a session was last used, at most once a minute', async () => {
    const person = await server.signUp();
    const shift = (interval: string): Promise<unknown> =>
      server.sql(`update sessions set last_seen_at = now() - $1::interval where user_id = $2`, [
        interval,
        person.user.id,
      ]);
    const age = async (): Promise<number> => {
      const [row] = await server.sql<{ age: number }>(
        `select extract(epoch from now() - last_seen_at)::float8 as age from sessions where user_id = $1`,
        [person.user.id],
      );
      return row?.age ?? Number.NaN;
    };
    await shift('30 seconds');
    await person.get('/api/auth/me');
    expect(await age()).toBeGreaterThan(29);
    await shift('1 hour');
    await person.get('/api/auth/me');
    expect(await eventually(async () => ((await age()) < 60 ? true : undefined))).toBe(true);
  });
});

describe('a URL prefix', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const available = async (slug: string): Promise<boolean> =>
    (await server.anyone.get<{ available: boolean }>(`/api/auth/slug?slug=${encodeURIComponent(slug)}`)).available;

  it('is available until an organization uses it', async () => {
    expect(await available('brand-new')).toBe(true);
    const founder = await server.signUp();
    const founded = await founder.post<User>('/api/organizations', { name: 'Brand New', slug: 'brand-new' });
    expect(founded.organizations.find(({ id }) => id === founded.currentOrgId)).toMatchObject({
      name: 'Brand New',
      slug: 'brand-new',
      type: 'team',
      role: 'owner',
    });
    expect(founded.orgRole).toBe('owner');
    expect(await available('brand-new')).toBe(false);
    expect(await founder.call('POST', '/api/organizations', { name: 'Again', slug: 'brand-new' })).toMatchObject({
      status: 409,
      body: { code: 'slug_taken' },
    });
  });

  it.each(['', 'UPPER', 'with space', 'ünï', 'x'.repeat(31), '../..'])('%j is never available', async (slug) => {
    expect(await available(slug)).toBe(false);
  });

  it('is given to only one of ten concurrent requests', async () => {
    const founder = await server.signUp();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => founder.call('POST', '/api/organizations', { name: 'Wanted', slug: 'wanted' })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  });
});
