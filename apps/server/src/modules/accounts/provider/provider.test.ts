import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { User } from '@stet/contract';
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

type SignedIn = { token: string; user: User };
type Refusal = { code: string; error: string; details?: unknown[] };

let people = 0;
const someone = (more: Partial<ProvidedPerson> = {}): ProvidedPerson & { email: string } => {
  people += 1;
  return {
    sub: `subject-${people}`,
    email: `provided-${people}@example.com`,
    email_verified: true,
    name: `Provided ${people}`,
    ...more,
  };
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const CALLBACK = '/api/auth/oidc/callback';

/** The way there and back, up to the address that the provider sends the browser to. */
const there = async (url: string, browser: TestBrowser): Promise<URL> =>
  browser.follow(`${url}/api/auth/oidc/start`, `${url}${CALLBACK}`);

/** Opens the address that the provider sent the browser to; answers what the login page is told. */
async function back(browser: TestBrowser, address: string | URL): Promise<string> {
  const response = await browser.ask(String(address));
  expect(response.status).toBe(302);
  const [path, outcome = ''] = (response.headers.get('location') ?? '').split('?sso=');
  expect(path).toBe('/login');
  return outcome;
}

async function enter<T = SignedIn>(url: string, browser: TestBrowser): Promise<{ status: number; body: T }> {
  const response = await browser.ask(`${url}/api/auth/oidc/session`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as T };
}

describe('signing in by a provider', () => {
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

  it('is offered under the name that people know the provider by', async () => {
    expect(await server.anyone.get('/api/auth/oidc')).toEqual({ label: 'Halden ID' });
  });

  it('makes an account for who is new, once, and finds it again by the subject whatever their address becomes', async () => {
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

  it('leaves a session like any other, which a log-out ends', async () => {
    const { token } = await signIn(someone());
    await server.as(token).post('/api/auth/logout');
    expect(await server.as(token).call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
  });

  it('never puts a token or a code of ours into an address, and no script can read its cookie', async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    expect(start.headers.get('set-cookie')).toMatch(
      /^stet_sign_in=v1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(start.headers.get('location') ?? '');
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    const arrived = await browser.ask((await browser.follow(asked.href, `${url}${CALLBACK}`)).href);
    expect(arrived.headers.get('location')).toBe('/login?sso=ready');
    expect(arrived.headers.get('cache-control')).toBe('no-store');
    expect(arrived.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
    const entered = await browser.ask(`${url}/api/auth/oidc/session`, { method: 'POST' });
    expect(entered.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(browser.jarOf(url).size).toBe(0);
  });

  it('leads nowhere but to the provider and back to the login page', async () => {
    for (const query of [
      '?from=https://evil.example',
      '?returnTo=//evil.example',
      '?next=/app&redirect_uri=https://evil.example',
    ]) {
      const start = await browser.ask(`${url}/api/auth/oidc/start${query}`);
      if (start.status !== 302) continue;
      const to = new URL(start.headers.get('location') ?? '');
      expect(to.origin).toBe(provider.issuer);
      expect(to.searchParams.get('redirect_uri')).toBe(`${url}${CALLBACK}`);
      expect(to.href).not.toContain('evil');
    }
    await provider.become(someone());
    const address = await there(url, browser);
    address.searchParams.set('from', 'https://evil.example');
    expect(await back(browser, address)).toBe('ready');
  });

  it('counts in the browser that began it alone', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    const other = openBrowser();
    expect(await back(other, address)).toBe('expired');
    await there(url, other);
    expect(await back(other, address)).toBe('expired');
    expect(await enter<Refusal>(url, other)).toMatchObject({ status: 409, body: { code: 'sign_in_expired' } });
    // Another's answer has not ended the way that the first browser is on.
    expect(await back(browser, address)).toBe('ready');
  });

  it('refuses a state that is wrong, empty or missing, and a cookie that was changed', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    for (const state of ['wrong', '', null]) {
      const forged = new URL(address);
      if (state === null) forged.searchParams.delete('state');
      else forged.searchParams.set('state', state);
      expect(await back(browser, forged)).toBe('expired');
    }
    const jar = browser.jarOf(url);
    const cookie = jar.get('stet_sign_in') ?? '';
    jar.set('stet_sign_in', `${cookie.slice(0, -4)}AAAA`);
    expect(await back(browser, address)).toBe('expired');
    jar.set('stet_sign_in', cookie);
    expect(await back(browser, address)).toBe('ready');
  });

  it('takes an answer once, and a code of another answer never', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    const cookie = browser.jarOf(url).get('stet_sign_in') ?? '';
    expect(await back(browser, address)).toBe('ready');
    browser.jarOf(url).set('stet_sign_in', cookie);
    expect(await back(browser, address)).toBe('expired');

    const next = await there(url, browser);
    next.searchParams.set('code', address.searchParams.get('code') ?? '');
    expect(await back(browser, next)).toBe('failed');
  });

  it('refuses a token that was made for another nonce', async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    const asked = new URL(start.headers.get('location') ?? '');
    asked.searchParams.set('nonce', 'of-another-sign-in');
    expect(await back(browser, await browser.follow(asked.href, `${url}${CALLBACK}`))).toBe('failed');
    expect((await enter(url, browser)).status).toBe(409);
  });

  it('refuses an answer that was asked for by another verifier', async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    const asked = new URL(start.headers.get('location') ?? '');
    asked.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expect(await back(browser, await browser.follow(asked.href, `${url}${CALLBACK}`))).toBe('failed');
  });

  it('says where another issuer answers than the one that was asked', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    address.searchParams.set('iss', 'https://evil.example');
    expect(await back(browser, address)).toBe('failed');
  });

  it('is over after ten minutes, on the way and after the arrival', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
    expect(await back(browser, address)).toBe('expired');
    later.mockRestore();
    expect(await back(browser, address)).toBe('ready');
    const muchLater = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
    expect(await enter(url, browser)).toMatchObject({ status: 409, body: { code: 'sign_in_expired' } });
    muchLater.mockRestore();
    expect((await enter(url, browser)).status).toBe(200);
  });

  it('says that it was denied where a person says no', async () => {
    await provider.become(null);
    expect(await back(browser, await there(url, browser))).toBe('denied');
    expect(browser.jarOf(url).size).toBe(0);
  });

  it.each([
    ['not verified', { email_verified: false }],
    ['verified as a word that means no', { email_verified: 'false' }],
    ['of which nothing is said', { email_verified: undefined }],
    ['that is no address', { email: 'not an address' }],
    ['that is missing', { email: undefined }],
  ])('opens and makes nothing by an address %s', async (_, more) => {
    const { email } = await server.signUp().then(({ user }) => user);
    const person = { ...someone({ email }), ...more } as ProvidedPerson;
    await provider.become(person);
    expect(await back(browser, await there(url, browser))).toBe('unverified');
    expect((await enter(url, browser)).status).toBe(409);
    expect(await server.sql('select 1 from identities where subject = $1', [person.sub])).toEqual([]);
  });

  it('asks for the password of an account that is there, connects the two, and then opens it', async () => {
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
    // The password is still theirs: they have proven that they know it.
    expect(await server.anyone.call('POST', '/api/auth/login', { email, password: 'a long enough one' })).toMatchObject(
      {
        status: 200,
      },
    );
  });

  it('gives one arrival one session, also where it is shown twice at once', async () => {
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

  it('makes one account where a new person arrives twice at once', async () => {
    const person = someone();
    await provider.become(person);
    const browsers = [openBrowser(), openBrowser()];
    for (const each of browsers) await back(each, await there(url, each));
    const entered = await Promise.all(browsers.map((each) => enter(url, each)));
    expect(entered.map(({ status }) => status)).toEqual([200, 200]);
    expect(entered[0]?.body.user.id).toBe(entered[1]?.body.user.id);
  });

  it('lets who was invited join under the same address with one click', async () => {
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

  it('goes on across nodes: each opens what another has sealed, and none takes twice what another took', async () => {
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
      // A browser knows one host; here the two have ports of their own.
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

describe('an installation that trusts its provider with addresses', () => {
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

  it('lets who arrives into the account of their address, and ends what anyone else had of it', async () => {
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

  it('asks for the password where someone else at the provider has the account already: addresses are given anew', async () => {
    const person = someone();
    await arrive(person);
    const successor = await arrive({ ...person, sub: 'the one who came after' });
    expect(successor).toMatchObject({ status: 409, body: { code: 'account_to_connect' } });
  });
});

describe('a provider that is away', () => {
  it('is told on the login page, on the way there and on the way back, and works again once it is there', async () => {
    const port = await freePort();
    const first = await startIdentityProvider({ port });
    await first.become(someone());
    const server = await startTestServer(first.environment);
    const { url } = server.server;
    try {
      const browser = openBrowser();
      const address = await there(url, browser);
      await first.stop();
      expect(await back(browser, address)).toBe('unavailable');
      const second = await startTestServer(first.environment);
      expect(await back(browser, `${second.server.url}/api/auth/oidc/start`)).toBe('unavailable');
      expect(await server.signUp()).toBeDefined();
      const returned = await startIdentityProvider({ port });
      await returned.become(someone());
      expect(await back(browser, await there(second.server.url, browser))).toBe('ready');
      await returned.stop();
      await second.stop();
    } finally {
      await server.stop();
      await first.stop();
    }
  });
});

describe('an installation without a provider', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('offers none, and leads whoever tries to the login page', async () => {
    expect(await server.anyone.get('/api/auth/oidc')).toEqual({ label: null });
    const browser = openBrowser();
    const start = await browser.ask(`${server.server.url}/api/auth/oidc/start`);
    expect(start.headers.get('location')).toBe('/login');
    expect(await back(browser, `${server.server.url}${CALLBACK}?code=a&state=b`)).toBe('expired');
    expect(await server.anyone.call('POST', '/api/auth/oidc/session')).toMatchObject({ status: 404 });
    const person = await server.signUp();
    expect(await person.call('POST', '/api/auth/oidc/connect')).toMatchObject({ status: 404 });
  });
});

describe('behind TLS', () => {
  it('the cookie goes over TLS alone, and no neighbouring host can set it', async () => {
    const provider = await startIdentityProvider({ redirectUris: [`https://stet.example${CALLBACK}`] });
    const port = await freePort();
    const server = await startTestServer({
      ...provider.environment,
      PORT: String(port),
      PUBLIC_URL: 'https://stet.example',
    });
    const start = await fetch(`http://127.0.0.1:${port}/api/auth/oidc/start`, { redirect: 'manual' });
    expect(start.headers.get('set-cookie')).toMatch(
      /^__Host-stet_sign_in=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await server.stop();
    await provider.stop();
  });
});
