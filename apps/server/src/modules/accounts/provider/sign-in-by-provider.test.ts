import type { User } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { personalToken } from '../../../testing/api-tokens.ts';
import {
  type ProvidedPerson,
  type TestBrowser,
  type TestIdentityProvider,
  openBrowser,
  startIdentityProvider,
} from '../../../testing/identity-provider.ts';
import { type TestServer, startTestServer, startTestServerOn } from '../../../testing/server.ts';
import {
  type SignedIn,
  type Refusal,
  back,
  enter,
  freePort,
  someone,
  there,
} from '../../../testing/provider-sign-in.ts';

describe('signing in through a provider', () => {
  let provider: TestIdentityProvider;
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    server = await startTestServer(provider.environment);
    url = server.server.url;
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });
  let browser: TestBrowser;
  beforeEach(() => {
    browser = openBrowser();
  });

  async function signIn(person: ProvidedPerson): Promise<SignedIn> {
    await provider.become(person);
    expect(await back(browser, await there(url, browser))).toBe('ready');
    const { status, body } = await enter(url, browser);
    expect(status).toBe(200);
    return body;
  }
  const actionsOf = (email: string) =>
    server.sql<{ action: string; provider: string | null }>(
      `select e.action, e.payload::json -> 'data' ->> 'provider' as provider from audit_events e
       where e.org_id = (select current_org_id from users where email = $1) order by seq`,
      [email],
    );

  it('is offered under the provider’s display name', async () => {
    expect(await server.anyone.get('/api/auth/oidc')).toEqual({
      label: 'Halden ID',
      passwords: true,
      signUp: 'open',
      domains: [],
    });
  });

  it('creates an account for a new person, and later finds it by its subject, whatever the address', async () => {
    const person = someone({ name: 'Greta  Holm' });
    const { user, token } = await signIn(person);
    expect(user).toMatchObject({
      email: person.email,
      name: 'Greta Holm',
      role: 'editor',
      orgRole: 'owner',
      organizations: [{ name: 'Greta Holm', type: 'individual' }],
    });
    expect(await server.as(token).get('/api/auth/me')).toEqual(user);

    browser = openBrowser();
    const again = await signIn({ ...person, email: 'another@example.com', email_verified: true });
    expect(again.user).toEqual(user);
    expect(again.token).not.toBe(token);
    expect(await actionsOf(person.email)).toEqual([
      { action: 'organization.created', provider: null },
      { action: 'account.signed_up', provider: provider.issuer },
      { action: 'session.signed_in', provider: provider.issuer },
    ]);
  });

  it('opens an ordinary session that ends on logout', async () => {
    const { token } = await signIn(someone());
    await server.as(token).post('/api/auth/logout');
    expect(await server.as(token).call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
  });

  it.each([
    ['that is not verified', { email_verified: false }],
    ['that is verified with the text "false"', { email_verified: 'false' }],
    ['without a statement about verification', { email_verified: undefined }],
    ['that is invalid', { email: 'not an address' }],
    ['that is missing', { email: undefined }],
  ])('neither gives access to an account nor creates one for an address %s', async (_, more) => {
    const { email } = await server.signUp().then(({ user }) => user);
    const person = { ...someone({ email }), ...more } as ProvidedPerson;
    await provider.become(person);
    expect(await back(browser, await there(url, browser))).toBe('unverified');
    expect((await enter(url, browser)).status).toBe(409);
    expect(await server.sql('select 1 from identities where subject = $1', [person.sub])).toEqual([]);
  });

  it('requires the password of an existing account once, and then gives access to the account', async () => {
    const owner = await server.signUp();
    const { email } = owner.user;
    const person = someone({ email: email.toUpperCase() });
    await provider.become(person);
    await back(browser, await there(url, browser));
    const refused = await enter<Refusal>(url, browser);
    expect(refused).toMatchObject({ status: 409, body: { code: 'account_to_connect', details: [{ email }] } });
    expect(refused.body.error).toContain('Log in with its password once');

    const connect = (token: string) => browser.ask(`${url}/api/auth/oidc/connect`, { method: 'POST', token });
    const stranger = await server.signUp();
    expect((await connect(stranger.token)).status).toBe(409);
    expect((await connect('not-a-token-of-anybody-here')).status).toBe(401);
    expect((await connect(owner.token)).status).toBe(200);
    expect((await connect(owner.token)).status).toBe(409);

    browser = openBrowser();
    expect((await signIn(person)).user.id).toBe(owner.user.id);
    expect((await actionsOf(email)).slice(-2)).toEqual([
      { action: 'account.provider_connected', provider: provider.issuer },
      { action: 'session.signed_in', provider: provider.issuer },
    ]);
    // The person has just proved that they know the password, so it stays valid.
    expect(await server.anyone.call('POST', '/api/auth/login', { email, password: 'a long enough one' })).toMatchObject(
      {
        status: 200,
      },
    );
  });

  it('opens only one session per response from the provider, even with concurrent requests', async () => {
    const person = someone();
    await provider.become(person);
    await back(browser, await there(url, browser));
    const cookie = browser.jarOf(url).get('stet_sign_in') ?? '';
    const ask = () =>
      fetch(`${url}/api/auth/oidc/session`, { method: 'POST', headers: { cookie: `stet_sign_in=${cookie}` } });
    const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    expect(await server.sql('select 1 from users where email = $1', [person.email])).toHaveLength(1);
  });

  it('creates only one account if a new person returns in two browsers concurrently', async () => {
    const person = someone();
    await provider.become(person);
    const browsers = [openBrowser(), openBrowser()];
    for (const each of browsers) await back(each, await there(url, each));
    const entered = await Promise.all(browsers.map((each) => enter(url, each)));
    expect(entered.map(({ status }) => status)).toEqual([200, 200]);
    expect(entered[0]?.body.user.id).toBe(entered[1]?.body.user.id);
  });

  it('signs in to the account that a concurrent request connects to the same identity, even if it has another address', async () => {
    const person = someone();
    const first = await server.signUp();
    await provider.become(person);
    expect(await back(browser, await there(url, browser))).toBe('ready');
    const other = new pg.Client(server.database.connection);
    await other.connect();
    await other.query('begin');
    await other.query('insert into identities (issuer, subject, user_id, email) values ($1, $2, $3, $4)', [
      provider.issuer,
      person.sub,
      first.user.id,
      first.user.email,
    ]);
    const entering = enter(url, browser);
    await vi.waitFor(async () => {
      expect(
        await server.sql(
          `select 1 from pg_stat_activity where datname = current_database() and application_name = 'stet' and wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1);
    }, 30_000);
    await other.query('commit');
    await other.end();
    const { status, body } = await entering;
    expect({ status, id: body.user.id }).toEqual({ status: 200, id: first.user.id });
    expect(await server.sql('select 1 from users where email = $1', [person.email])).toEqual([]);
  });

  it('lets an invited person with the same address join with one click', async () => {
    const owner = await server.signUp({ team: 'Halden Works' });
    const person = someone();
    const { link } = await owner.post<{ link: string }>(`/api/organizations/${owner.user.currentOrgId}/invitations`, {
      email: person.email,
      role: 'reviewer',
    });
    const { token } = await signIn(person);
    await server.as(token).post(`/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`);
    expect(await server.as(token).get<User>('/api/auth/me')).toMatchObject({
      currentOrgId: owner.user.currentOrgId,
      orgRole: 'reviewer',
    });
  });

  it('works across nodes: each node decrypts the others’ cookies, and together they accept a response only once', async () => {
    const secret = { SECRET_KEY: 'the nodes of an installation share one secret' };
    const port = await freePort();
    const one = await startTestServer({ ...provider.environment, ...secret, PORT: String(port) });
    const address = one.server.url;
    const otherPort = await freePort();
    const other = await startTestServerOn(one.database, {
      ...provider.environment,
      ...secret,
      PORT: String(otherPort),
      PUBLIC_URL: address,
    });
    const onOther = (from: URL | string): string => String(from).replace(`:${port}`, `:${otherPort}`);
    try {
      await provider.become(someone());
      const came = await there(address, browser);
      // In production, both nodes have the same host and therefore the same cookies. Here, the test copies the cookie
      // between their ports.
      const carry = () =>
        browser.jarOf(onOther(address)).set('stet_sign_in', browser.jarOf(address).get('stet_sign_in') ?? '');
      carry();
      expect(await back(browser, onOther(came))).toBe('ready');
      expect(await back(browser, came)).toBe('expired');
      browser.jarOf(address).set('stet_sign_in', browser.jarOf(onOther(address)).get('stet_sign_in') ?? '');
      expect((await enter(address, browser)).status).toBe(200);
      expect((await enter(onOther(address), browser)).status).toBe(409);
    } finally {
      await other.server.stop();
      await one.stop();
    }
  });
});

describe('an installation that trusts the addresses of its provider', () => {
  let provider: TestIdentityProvider;
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    provider = await startIdentityProvider({ claimsIn: 'id_token' });
    server = await startTestServer({ ...provider.environment, OIDC_LINK_BY_EMAIL: 'on' });
    url = server.server.url;
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });
  async function arrive(person: ProvidedPerson) {
    const browser = openBrowser();
    await provider.become(person);
    expect(await back(browser, await there(url, browser))).toBe('ready');
    return enter<SignedIn & Refusal>(url, browser);
  }

  it("gives a person access to the account with their address, and ends everyone else's access to it", async () => {
    const squatter = await server.signUp();
    const { email, id } = squatter.user;
    const token = await personalToken(server, squatter);
    const { body } = await arrive(someone({ email }));
    expect(body.user.id).toBe(id);
    expect(await squatter.call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    expect(await server.as(token.secret).call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    expect(await server.anyone.call('POST', '/api/auth/login', { email, password: 'a long enough one' })).toMatchObject(
      {
        status: 401,
        body: { code: 'bad_credentials' },
      },
    );
  });

  it('requires the password if a different identity is already connected to the account, because addresses are reused', async () => {
    const person = someone();
    await arrive(person);
    const successor = await arrive({ ...person, sub: 'the next owner of the address' });
    expect(successor).toMatchObject({ status: 409, body: { code: 'account_to_connect' } });
  });
});
