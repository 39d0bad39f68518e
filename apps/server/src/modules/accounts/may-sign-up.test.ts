import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestIdentityProvider, openBrowser, startIdentityProvider } from '../../testing/identity-provider.ts';
import { type Refusal, back, enter, someone, there } from '../../testing/provider-sign-in.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const PASSWORD = 'a long enough one';

async function invite(owner: Person, email: string): Promise<string> {
  const path = `/api/organizations/${owner.user.currentOrgId}/invitations`;
  const { link } = await owner.post<{ link: string }>(path, { email, role: 'editor' });
  return link.slice(link.lastIndexOf('/') + 1);
}

describe.each([
  ['closed', 'closed', []],
  ['domain:example.org, Example.net', 'domains', ['example.org', 'example.net']],
])('SIGN_UP=%s', (setting, kind, domains) => {
  let provider: TestIdentityProvider;
  let server: TestServer;
  let owner: Person;
  let beforeFirst: unknown;
  let strangersAnswer = 403;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    server = await startTestServer({ ...provider.environment, SIGN_UP: setting });
    beforeFirst = await server.anyone.get('/api/auth/oidc');
    const stranger = { email: 'eve@example.com', name: 'Eve', password: PASSWORD };
    if (kind === 'domains') strangersAnswer = (await server.anyone.call('POST', '/api/auth/signup', stranger)).status;
    owner = await server.signUp({ team: 'Northwind', email: `owner@${domains[0] ?? 'example.com'}` });
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const signUp = (email: string) =>
    server.anyone.call('POST', '/api/auth/signup', { email, name: 'New Here', password: PASSWORD });
  async function byProvider(email: string) {
    const browser = openBrowser();
    await provider.become(someone({ email }));
    await back(browser, await there(server.server.url, browser));
    return enter<Refusal>(server.server.url, browser);
  }
  const refused = { status: 403, body: { code: 'sign_up_closed', details: [{ domains }] } };

  it('is reported with the sign-in options and, if it is closed, only after the first account', async () => {
    expect(strangersAnswer).toBe(403);
    expect(beforeFirst).toMatchObject({ signUp: kind === 'closed' ? 'open' : kind, domains });
    expect(await server.anyone.get('/api/auth/oidc')).toMatchObject({ signUp: kind, domains });
  });

  it('refuses uninvited addresses outside the listed domains, by form and by provider, and stores nothing about them', async () => {
    for (const email of ['eve@example.com', 'eve@sub.example.org', 'eve@example.org.evil.example'])
      expect([await signUp(email), await byProvider(`p-${email}`)]).toMatchObject([refused, refused]);
    expect(await server.sql(`select 1 from users where email like '%eve@%'`)).toEqual([]);
  });

  it.runIf(domains.length > 0)('accepts addresses at the listed domains, by form and by provider', async () => {
    for (const domain of domains) {
      expect((await signUp(`ada@${domain.toUpperCase()}`)).status).toBe(201);
      expect((await byProvider(`greta@${domain}`)).status).toBe(200);
    }
  });

  it('accepts invited people through their link, or through a provider that confirms the invited address', async () => {
    const token = await invite(owner, 'guest@example.com');
    // The form doesn't prove the mailbox, so an invited address alone isn't enough.
    expect(await signUp('guest@example.com')).toMatchObject(refused);
    const accepted = await server.anyone.call('POST', `/api/invitations/${token}/accept`, {
      name: 'Guest',
      password: PASSWORD,
    });
    expect(accepted.status).toBe(201);

    const other = await invite(owner, 'guest2@example.com');
    const entered = await byProvider('guest2@example.com');
    expect(entered.status).toBe(200);
    const { token: session } = entered.body as unknown as { token: string };
    expect((await server.as(session).call('POST', `/api/invitations/${other}/join`)).status).toBe(200);

    await invite(owner, 'guest3@example.com').then((revoked) =>
      server.sql(`update invitations set revoked_at = now() where email = 'guest3@example.com' and $1 <> ''`, [
        revoked,
      ]),
    );
    expect(await byProvider('guest3@example.com')).toMatchObject(refused);
  });

  it('doesn’t affect existing accounts', async () => {
    const { email } = owner.user;
    expect((await server.anyone.call('POST', '/api/auth/login', { email, password: PASSWORD })).status).toBe(200);
    expect((await owner.call('POST', '/api/organizations', { name: 'Second', slug: `second-${kind}` })).status).toBe(
      201,
    );
  });
});

describe('the first account of an installation whose sign-up is closed', () => {
  it('is created only once, even if several people try at the same time', async () => {
    const provider = await startIdentityProvider();
    const server = await startTestServer({ ...provider.environment, SIGN_UP: 'closed' });
    try {
      const browser = openBrowser();
      await provider.become(someone());
      await back(browser, await there(server.server.url, browser));
      const replies = await Promise.all([
        ...['ada', 'eve', 'mallory'].map((name) =>
          server.anyone.call('POST', '/api/auth/signup', {
            email: `${name}@example.com`,
            name,
            password: PASSWORD,
          }),
        ),
        enter(server.server.url, browser),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 403)).toHaveLength(3);
      expect(await server.sql('select 1 from users')).toHaveLength(1);
    } finally {
      await server.stop();
      await provider.stop();
    }
  });
});
