import type { User } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { joinOrganization } from '../../testing/organization.ts';
import { startTestServer } from '../../testing/server.ts';
import { accountsOf } from '../../testing/accounts.ts';
import { refused } from '../../testing/drafts.ts';

const server = await startTestServer();
const { newEmail, signUp, logIn } = accountsOf(server);

describe('an account', () => {
  afterAll(() => server.stop());

  const claimsOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  it('requires the right address and password to sign in, with the same response if either is wrong', async () => {
    const email = newEmail();
    await signUp({ email, password: ' with spaces ' });
    expect(await logIn(` ${email.toUpperCase()} `, ' with spaces ')).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
    const answers = await Promise.all([
      logIn(email, 'with spaces'),
      logIn(newEmail()),
      logIn('not an address'),
      logIn('', ''),
    ]);
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
    expect(answers[0]?.body).toMatchObject({ code: 'bad_credentials' });
  });

  it('gets a token that identifies its session and expires after twelve hours', async () => {
    const { body } = await signUp({});
    const claims = claimsOf(body.token);
    expect(claims).toMatchObject({ sub: body.user.id, email: body.user.email, name: body.user.name, role: 'editor' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(12 * 60 * 60);
    const [session] = await server.sql<{ hours: number }>(
      `select extract(epoch from expires_at - created_at)::int / 3600 as hours from sessions where id = $1`,
      [claims['sid']],
    );
    expect(session).toEqual({ hours: 12 });
  });

  it('is signed out immediately on logout, and only in that session', async () => {
    const email = newEmail();
    const { body: first } = await signUp({ email });
    const { body: second } = await logIn(email);
    const one = server.as(first.token);
    expect(await one.call('POST', '/api/auth/logout')).toMatchObject({ status: 200 });
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['GET', '/api/workflows'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect(await one.call(method, path)).toMatchObject({
        ...refused(401, 'session_ended'),
        body: { error: 'Your session has ended. Please log in again.' },
      });
    }
    expect((await server.as(second.token).call('GET', '/api/auth/me')).status).toBe(200);
  });

  it("can select another of its organizations, but not one that it isn't a member of", async () => {
    const owner = await server.signUp({ team: 'Theirs' });
    const person = await server.signUp();
    const own = person.user.currentOrgId ?? '';
    const theirs = owner.user.currentOrgId ?? '';
    const select = (organizationId: string) =>
      person.call<User>('POST', '/api/users/switch-organization', { organizationId });
    for (const foreign of [theirs, '01890000-0000-7000-8000-000000000001'])
      expect(await select(foreign)).toMatchObject(refused(403, 'not_a_member'));
    expect(await person.get('/api/auth/me')).toMatchObject({ currentOrgId: own });
    await joinOrganization(server, person, theirs, 'viewer');
    expect(await select(own)).toMatchObject({ status: 200, body: { currentOrgId: own, orgRole: 'owner' } });
    expect(await select(theirs)).toMatchObject({
      status: 200,
      body: {
        currentOrgId: theirs,
        orgRole: 'viewer',
        orgPermissions: ['workflow.read', 'run.note', 'step.act_assigned'],
      },
    });
    expect(await person.get('/api/auth/me')).toMatchObject({ currentOrgId: theirs });
  });

  it("can't change data if the selected organization isn't the one that the client shows", async () => {
    const owner = await server.signUp({ team: 'Shown' });
    const person = await server.signUp();
    const [own, team] = [person.user.currentOrgId ?? '', owner.user.currentOrgId ?? ''];
    await joinOrganization(server, person, team, 'editor');
    await person.call('POST', '/api/users/switch-organization', { organizationId: team });
    const body = { key: 'mine', metadata: { title: 'Mine', description: '' }, steps: [{ id: 'a', title: 'A' }] };
    const create = (shown: string) =>
      person.call('POST', '/api/workflows/mine/drafts', body, { 'stet-organization': shown });
    expect(await create(own)).toMatchObject(refused(409, 'organization_changed'));
    expect(await owner.get('/api/workflows')).toEqual([]);
    expect((await create(team)).status).toBe(201);
    expect((await person.call('GET', '/api/auth/me', undefined, { 'stet-organization': own })).status).toBe(200);
  });

  it('gets the same response for the same idempotency key without repeating the action', async () => {
    const person = await server.signUp();
    const key = { 'idempotency-key': 'founding-1' };
    const found = (name: string) => person.call<User>('POST', '/api/organizations', { name, slug: 'found-once' }, key);
    const first = await found('Found once');
    expect(first.status).toBe(201);
    expect(await found('Found once')).toMatchObject({ status: 201, body: first.body });
    expect(await found('Found twice')).toMatchObject(refused(409, 'idempotency_key_reused'));
    const change = { currentPassword: 'a long enough one', password: 'another secret' };
    for (let n = 0; n < 2; n += 1) {
      const changed = await person.call('POST', '/api/users/me/password', change, { 'idempotency-key': 'change-1' });
      expect(changed.status).toBe(200);
    }
    const [row] = await server.sql<{ text: string }>(
      `select string_agg(t::text, ' ') as text from idempotency_keys t`,
      [],
    );
    expect(row?.text).not.toContain('another secret');
  });
});
