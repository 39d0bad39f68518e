import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type TestBrowser,
  type TestIdentityProvider,
  openBrowser,
  startIdentityProvider,
} from '../../../testing/identity-provider.ts';
import { type TestServer, startTestServer } from '../../../testing/server.ts';
import { type Refusal, CALLBACK, back, enter, freePort, someone, there } from '../../../testing/provider-sign-in.ts';

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

  it("returns to the login page without a code in its URL, and sets a cookie that scripts can't read and that ends with the sign-in", async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    expect(start.headers.get('set-cookie')).toMatch(
      /^stet_sign_in=v1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    const authorizationUrl = new URL(start.headers.get('location') ?? '');
    expect(authorizationUrl.searchParams.get('code_challenge_method')).toBe('S256');
    const arrived = await browser.ask((await browser.follow(authorizationUrl.href, `${url}${CALLBACK}`)).href);
    expect(arrived.headers.get('location')).toBe('/login?sso=ready');
    expect(arrived.headers.get('cache-control')).toBe('no-store');
    expect(arrived.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax');
    const entered = await browser.ask(`${url}/api/auth/oidc/session`, { method: 'POST' });
    expect(entered.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(browser.jarOf(url).size).toBe(0);
  });

  it('redirects only to the provider and then back to the login page', async () => {
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

  it('works only in the browser that started it', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    const other = openBrowser();
    expect(await back(other, address)).toBe('expired');
    await there(url, other);
    expect(await back(other, address)).toBe('expired');
    expect(await enter<Refusal>(url, other)).toMatchObject({ status: 409, body: { code: 'sign_in_expired' } });
    // The attempts in the other browser haven't ended the sign-in in this one.
    expect(await back(browser, address)).toBe('ready');
  });

  it('refuses a wrong, empty or missing state, and a modified cookie', async () => {
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

  it('accepts a response only once, and refuses the code from an earlier response', async () => {
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

  it('refuses a token issued for a different nonce', async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    const authorizationUrl = new URL(start.headers.get('location') ?? '');
    authorizationUrl.searchParams.set('nonce', 'of-another-sign-in');
    expect(await back(browser, await browser.follow(authorizationUrl.href, `${url}${CALLBACK}`))).toBe('failed');
    expect((await enter(url, browser)).status).toBe(409);
  });

  it('refuses a response to a request with a different code challenge', async () => {
    await provider.become(someone());
    const start = await browser.ask(`${url}/api/auth/oidc/start`);
    const authorizationUrl = new URL(start.headers.get('location') ?? '');
    authorizationUrl.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expect(await back(browser, await browser.follow(authorizationUrl.href, `${url}${CALLBACK}`))).toBe('failed');
  });

  it('refuses a response from any issuer other than the expected one', async () => {
    await provider.become(someone());
    const address = await there(url, browser);
    address.searchParams.set('iss', 'https://evil.example');
    expect(await back(browser, address)).toBe('failed');
  });

  it('expires ten minutes after the start, and ten minutes after the return from the provider', async () => {
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

  it('reports a denial if the person refuses to sign in', async () => {
    await provider.become(null);
    expect(await back(browser, await there(url, browser))).toBe('denied');
    expect(browser.jarOf(url).size).toBe(0);
  });
});

describe('a provider that is down', () => {
  it('is reported on the login page before the redirect and on return, and works again afterwards', async () => {
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

  it('offers no provider, redirects the browser to the login page, and refuses provider requests', async () => {
    expect(await server.anyone.get('/api/auth/oidc')).toEqual({
      label: null,
      passwords: true,
      signUp: 'open',
      domains: [],
    });
    const browser = openBrowser();
    const start = await browser.ask(`${server.server.url}/api/auth/oidc/start`);
    expect(start.headers.get('location')).toBe('/login');
    expect(await back(browser, `${server.server.url}${CALLBACK}?code=a&state=b`)).toBe('expired');
    expect(await server.anyone.call('POST', '/api/auth/oidc/session')).toMatchObject({ status: 404 });
    const person = await server.signUp();
    expect(await person.call('POST', '/api/auth/oidc/connect')).toMatchObject({ status: 404 });
  });
});

describe('signing in behind TLS', () => {
  it("sends the cookie only over TLS, with a name that other hosts can't set", async () => {
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
