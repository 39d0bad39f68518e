import type { User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stet } from '../../cli/stet.fixture.ts';
import {
  type TestBrowser,
  type TestIdentityProvider,
  openBrowser,
  startIdentityProvider,
} from '../../testing/identity-provider.ts';
import { type Refusal, type SignedIn, back, enter, someone, there } from '../../testing/provider-sign-in.ts';
import { verified } from '../../testing/proof-scene.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const PASSWORD = 'a long enough one';
const refused = {
  status: 403,
  body: {
    code: 'password_sign_in_off',
    error: 'People sign in here with Halden ID, not with a password. Choose "Continue with Halden ID".',
  },
};

describe('PASSWORD_SIGN_IN=off', () => {
  let provider: TestIdentityProvider;
  let server: TestServer;
  let url: string;
  let env: Record<string, string>;
  /** An account with a password that was set before passwords were switched off. */
  let owner: Person;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    server = await startTestServer(provider.environment);
    url = server.server.url;
    env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
    owner = await server.signUp({ team: 'Northwind' });
    server.server.deps.config.passwordSignIn = false;
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const logIn = (email: string, password = PASSWORD) =>
    server.anyone.call<{ token: string }>('POST', '/api/auth/login', { email, password });
  async function identified(email: string): Promise<TestBrowser> {
    const browser = openBrowser();
    await provider.become(someone({ email }));
    expect(await back(browser, await there(url, browser))).toBe('ready');
    return browser;
  }
  const cookiesOf = (browser: TestBrowser): Record<string, string> => ({
    cookie: [...browser.jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const logInFrom = (browser: TestBrowser, email: string) =>
    server.anyone.call<{ token: string }>('POST', '/api/auth/login', { email, password: PASSWORD }, cookiesOf(browser));

  it('is reported with the sign-in options', async () => {
    expect(await server.anyone.get('/api/auth/oidc')).toMatchObject({ label: 'Halden ID', passwords: false });
  });

  it('refuses every password sign-in with the same response, and counts none of them as a failed one', async () => {
    const { email } = owner.user;
    const answers = await Promise.all([logIn(email), logIn(email, 'wrong'), logIn('nobody@example.com')]);
    for (const answer of answers) expect(answer).toMatchObject(refused);
    expect(await server.sql('select from failed_sign_ins')).toEqual([]);
  });

  it('lets open sessions continue', async () => {
    expect((await owner.call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('creates no account with a password, neither by the form nor by an invitation', async () => {
    const signup = { email: 'new@example.com', name: 'New Here', password: PASSWORD };
    expect(await server.anyone.call('POST', '/api/auth/signup', signup)).toMatchObject(refused);
    const path = `/api/organizations/${owner.user.currentOrgId}/invitations`;
    const { link } = await owner.post<{ link: string }>(path, { email: 'guest@example.com', role: 'editor' });
    const token = link.slice(link.lastIndexOf('/') + 1);
    const accept = { name: 'Guest', password: PASSWORD };
    expect(await server.anyone.call('POST', `/api/invitations/${token}/accept`, accept)).toMatchObject(refused);
    expect(await server.sql(`select from users where email in ('new@example.com', 'guest@example.com')`)).toEqual([]);
    const entered = await enter(url, await identified('guest@example.com'));
    const guest = server.as(entered.body.token);
    expect(await guest.call('POST', `/api/invitations/${token}/join`)).toMatchObject({ status: 200 });
  });

  it('lets only invited people in by the provider if sign-up is closed, and they join without a confirmation', async () => {
    const { config } = server.server.deps;
    config.signUp = { kind: 'closed' };
    try {
      const email = 'invited@example.com';
      const come = async () => enter<Partial<SignedIn> & Partial<Refusal>>(url, await identified(email));
      const closed = { status: 403, body: { code: 'sign_up_closed' } };
      const path = `/api/organizations/${owner.user.currentOrgId}/invitations`;
      const invite = () =>
        owner.post<{ id: string; link: string }>(path, { email: email.toUpperCase(), role: 'admin' });
      expect(await come()).toMatchObject(closed);
      await owner.call('DELETE', `${path}/${(await invite()).id}`);
      expect(await come()).toMatchObject(closed);

      const { link } = await invite();
      const invited = server.as((await come()).body.token ?? '');
      const joining = `/api/invitations/${link.slice(link.lastIndexOf('/') + 1)}/join`;
      const joins = await Promise.all([invited.call('POST', joining), invited.call('POST', joining)]);
      expect(new Set(joins.map(({ status }) => status))).toEqual(new Set([200, 404]));
      const { id, ...me } = await invited.get<User>('/api/auth/me');
      expect(me).toMatchObject({
        currentOrgId: owner.user.currentOrgId,
        orgRole: 'admin',
        // The inviter has seen the link, but the provider has confirmed the address.
        provedBy: 'provider',
        withheldPermissions: [],
      });
      const waiting = await owner.get<{ subjectId: string }[]>('/api/confirmations');
      expect(waiting.filter(({ subjectId }) => subjectId === id)).toEqual([]);
      expect(await logIn(email)).toMatchObject(refused);
    } finally {
      config.signUp = { kind: 'open' };
    }
  });

  it('accepts a password to link an account to the identity that the provider confirmed in this browser, and only until then', async () => {
    const { email } = owner.user;
    const other = await identified('other@example.com');
    expect(await logInFrom(other, email)).toMatchObject(refused);
    const browser = await identified(email);
    expect(await enter<Refusal>(url, browser)).toMatchObject({ status: 409, body: { code: 'account_to_connect' } });
    const entered = await logInFrom(browser, email);
    expect(entered.status).toBe(200);
    const connected = await browser.ask(`${url}/api/auth/oidc/connect`, { method: 'POST', token: entered.body.token });
    expect(connected.status).toBe(200);
    expect(await logInFrom(browser, email)).toMatchObject(refused);
  });

  it('lets an administrator allow one person a password for a limited time, and records this in the trail', async () => {
    const { email } = owner.user;
    const allow = async (hours: string) => stet(['admin', 'allow-password', email, '--hours', hours], env);
    expect(await allow('1')).toMatchObject({ code: 0, stderr: expect.stringContaining('/login?password') as string });
    expect(await logIn(email, 'wrong')).toMatchObject({ status: 401, body: { code: 'bad_credentials' } });
    const entered = await logIn(email);
    expect(entered.status).toBe(200);
    expect(await logIn('guest@example.com')).toMatchObject(refused);
    const events = await owner.get<{ action: string; data: unknown }[]>('/api/audit/events?limit=5');
    expect(events.find(({ action }) => action === 'account.password_allowed')).toMatchObject({
      actor: { kind: 'system' },
      subject: { id: owner.user.id },
      data: { email, hours: 1, by: 'administrator' },
    });
    expect(await verified({ ...owner, ...server.as(entered.body.token) })).toMatchObject({ state: 'ok' });

    expect((await allow('0')).code).toBe(0);
    expect(await logIn(email)).toMatchObject(refused);
    for (const wrong of ['721', '-1', 'ten']) expect((await allow(wrong)).code).toBe(2);
  });

  it('ends an exception when its time is over', async () => {
    const { email } = owner.user;
    await stet(['admin', 'allow-password', email], env);
    expect((await logIn(email)).status).toBe(200);
    await server.sql(`update users set password_allowed_until = now() - interval '1 second' where email = $1`, [email]);
    expect(await logIn(email)).toMatchObject(refused);
  });
});
