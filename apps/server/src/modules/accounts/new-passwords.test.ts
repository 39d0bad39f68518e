import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const GOOD = 'a long enough one';
const COMMON = ['secret', 'Password1', 'QWERTYUIOP', 'letmein'];
const tooCommon = {
  status: 400,
  body: {
    code: 'invalid',
    error: 'This password is too common. Choose another one.',
    details: [{ field: 'password' }],
  },
};
const tooShort = (most: number) => ({
  status: 400,
  body: { code: 'invalid', error: `Password must be at least ${most} characters long` },
});

describe('a new password', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const signUp = (password: string) =>
    server.anyone.call('POST', '/api/auth/signup', { email: `p${Math.random()}@example.com`, name: 'P', password });
  const change = (person: Person, password: string) =>
    person.call('POST', '/api/users/me/password', { currentPassword: GOOD, password });
  async function reset(person: Person, password: string) {
    await server.anyone.post('/api/auth/reset-request', { email: person.user.email });
    const { dataDir } = server;
    const mail = await mailTo(dataDir, person.user.email, ({ raw }) => raw.includes('Set a new password'));
    const token = new URL(linkIn(mail, '/reset-password')).searchParams.get('token');
    return server.anyone.call('POST', '/api/auth/reset', { token, password });
  }
  async function accept(owner: Person, password: string) {
    const path = `/api/organizations/${owner.user.currentOrgId}/invitations`;
    const { link } = await owner.post<{ link: string }>(path, {
      email: `g${Math.random()}@example.com`,
      role: 'viewer',
    });
    return server.anyone.call('POST', `/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/accept`, {
      name: 'Guest',
      password,
    });
  }

  it('is refused wherever it is set if it is common, and on sign-up if it is too short', async () => {
    const owner = await server.signUp({ team: 'Northwind' });
    for (const password of COMMON) {
      expect(await signUp(password)).toMatchObject(tooCommon);
      expect(await change(owner, password)).toMatchObject(tooCommon);
      expect(await accept(owner, password)).toMatchObject(tooCommon);
    }
    expect(await reset(owner, 'secret')).toMatchObject(tooCommon);
    expect(await signUp('short')).toMatchObject(tooShort(6));
    expect((await signUp('oak, ash')).status).toBe(201);
  });

  it("must have the largest minimum length that the person's organizations require", async () => {
    const owner = await server.signUp({ team: 'Strict' });
    const [member, stranger] = await Promise.all([server.signUp(), server.signUp()]);
    const orgId = owner.user.currentOrgId ?? '';
    await joinOrganization(server, member, orgId, 'viewer');
    const path = `/api/organizations/${orgId}`;
    expect(await owner.call('PATCH', path, { passwordMinimum: 5 })).toMatchObject({ status: 400 });
    expect(await owner.call('PATCH', path, { passwordMinimum: 16 })).toMatchObject({
      status: 200,
      body: { passwordMinimum: 16 },
    });
    expect(await change(member, 'fifteen letters')).toMatchObject(tooShort(16));
    expect(await accept(owner, 'fifteen letters')).toMatchObject(tooShort(16));
    expect(await reset(member, 'fifteen letters')).toMatchObject(tooShort(16));
    // For people outside this organization, only the general minimum applies. Existing passwords still work.
    expect((await change(stranger, 'fifteen letters')).status).toBe(200);
    const { email } = member.user;
    expect((await server.anyone.call('POST', '/api/auth/login', { email, password: GOOD })).status).toBe(200);
    expect((await change(member, 'sixteen letters!')).status).toBe(200);
  });

  it('can be shorter again only after a second manager confirms it, but a higher minimum applies immediately', async () => {
    const owner = await server.signUp({ team: 'Two' });
    const admin = await server.signUp();
    const orgId = owner.user.currentOrgId ?? '';
    await joinOrganization(server, admin, orgId, 'admin');
    const path = `/api/organizations/${orgId}`;
    const minimum = async () => (await owner.get<{ passwordMinimum: number }>(path)).passwordMinimum;
    await owner.patch(path, { passwordMinimum: 12 });
    expect(await minimum()).toBe(12);
    await owner.patch(path, { passwordMinimum: 8 });
    expect(await minimum()).toBe(12);
    const waiting = await admin.get<{ id: string; kind: string; sentence: string }[]>('/api/confirmations');
    const lowering = waiting.find(({ kind }) => kind === 'policy');
    expect(lowering?.sentence).toBe('Lower the minimum password length from 12 to 8 characters.');
    expect((await owner.call('POST', `/api/confirmations/${lowering?.id}/confirm`)).status).toBe(403);
    expect((await admin.call('POST', `/api/confirmations/${lowering?.id}/confirm`)).status).toBe(200);
    expect(await minimum()).toBe(8);
    const events = await server.sql<{ data: unknown }>(
      `select payload::json -> 'data' as data from audit_events where org_id = $1 and action = 'policy.changed' order by seq`,
      [orgId],
    );
    expect(events).toMatchObject([
      { data: { before: { passwordMinimum: 6 }, after: { passwordMinimum: 12 } } },
      { data: { before: { passwordMinimum: 12 }, after: { passwordMinimum: 8 } } },
    ]);
  });
});
