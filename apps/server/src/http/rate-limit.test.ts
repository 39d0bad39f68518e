import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type RouteSpec } from '@stet/contract';
import { type Reply, type TestServer, startTestServer, startTestServerOn } from '../testing/server.ts';
import { networkOf } from './rate-limit.ts';

const limitOf = (spec: RouteSpec) => spec.rateLimit ?? { name: '', perAddress: 0, perAccount: 0, windowSeconds: 0 };
const LOGIN = limitOf(contract['POST /api/auth/login']);
const RESET = limitOf(contract['POST /api/auth/reset-request']);

let addresses = 0;
/** A new client address for each call, as a proxy in front of the server would report it. */
const fromAnywhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1) % 250}` });

describe('a rate limit', () => {
  let server: TestServer;
  let otherNode: TestServer;
  beforeAll(async () => {
    const node = { RATE_LIMITS: 'on', TRUST_PROXY: '1', SECRET_KEY: 'the nodes of an installation share one secret' };
    server = await startTestServer(node);
    otherNode = await startTestServerOn(server.database, node);
  });
  afterAll(async () => {
    await otherNode.server.stop();
    await server.stop();
  });

  const forget = () => server.sql('truncate rate_limits');
  const askReset = (
    email: string,
    headers = fromAnywhere(),
    node = server,
  ): Promise<Reply<{ code?: string; details?: unknown[] }>> =>
    node.anyone.call('POST', '/api/auth/reset-request', { email }, headers);
  async function statuses(count: number, ask: (n: number) => Promise<Reply<unknown>>): Promise<number[]> {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await ask(n)).status);
    return found;
  }

  it('counts an account’s calls from all addresses and nodes together, and sets Retry-After', async () => {
    await forget();
    const limit = RESET.perAccount ?? 0;
    const results = await statuses(limit, (n) =>
      askReset('ada@example.com', fromAnywhere(), n % 2 === 0 ? server : otherNode),
    );
    expect(results).toEqual(results.map(() => 200));
    for (const node of [server, otherNode]) {
      const refused = await askReset(' ADA@example.com', fromAnywhere(), node);
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(RESET.windowSeconds - 60);
      expect(seconds).toBeLessThanOrEqual(RESET.windowSeconds);
      expect(refused.body.details).toEqual([{ retryAfterSeconds: seconds }]);
    }
    expect(await askReset('grace@example.com')).toMatchObject({ status: 200 });
  });

  it('ends with its time window', async () => {
    await forget();
    await statuses((RESET.perAccount ?? 0) + 1, () => askReset('late@example.com'));
    expect(await askReset('late@example.com')).toMatchObject({ status: 429 });
    await server.sql(`update rate_limits set window_start = window_start - $1 * interval '1 second'`, [
      RESET.windowSeconds,
    ]);
    expect(await askReset('late@example.com')).toMatchObject({ status: 200 });
  });

  it('applies to one address across all accounts', async () => {
    await forget();
    const results = await statuses(RESET.perAddress + 1, (n) =>
      askReset(`person-${n}@example.com`, { 'x-forwarded-for': '203.0.113.7' }),
    );
    expect(results.filter((status) => status === 200)).toHaveLength(RESET.perAddress);
    expect(results.at(-1)).toBe(429);
    expect(await askReset('another@example.com', { 'x-forwarded-for': '203.0.113.8' })).toMatchObject({ status: 200 });
  });

  it('uses the address reported by the proxy in front, and ignores addresses added by the client', async () => {
    await forget();
    const results = await statuses(RESET.perAddress + 1, (n) =>
      askReset(`forger-${n}@example.com`, { 'x-forwarded-for': `10.0.0.${n}, 203.0.113.7` }),
    );
    expect(results.at(-1)).toBe(429);
  });

  it('applies to concurrent calls', async () => {
    await forget();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        askReset('burst@example.com', fromAnywhere(), n % 2 === 0 ? server : otherNode),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(RESET.perAccount ?? 0);
  });

  it('refuses even the correct password on sign-in, and reveals nothing about the account', async () => {
    await forget();
    const person = await server.signUp();
    const logIn = (email: string, password: string) =>
      server.anyone.call('POST', '/api/auth/login', { email, password }, fromAnywhere());
    for (const email of [person.user.email, 'unknown@example.com']) {
      const results = await statuses(LOGIN.perAccount ?? 0, () => logIn(email, 'a wrong one'));
      expect(results).toEqual(results.map(() => 401));
      expect(await logIn(email, 'a long enough one')).toMatchObject({ status: 429 });
    }
  });

  it('counts every spelling of an email address toward the same account', async () => {
    await forget();
    const spellings = Array.from(
      { length: LOGIN.perAccount ?? 0 },
      (_, n) => `spelled@${'\u{ad}'.repeat(n)}example.com`,
    );
    const logIn = (email: string) =>
      server.anyone.call('POST', '/api/auth/login', { email, password: 'a wrong one' }, fromAnywhere());
    for (const email of spellings) expect(await logIn(email)).toMatchObject({ status: 401 });
    expect(await logIn('spelled@ｅxample.com')).toMatchObject({ status: 429 });
  });

  it('stores neither addresses nor accounts in plain text', async () => {
    await forget();
    await askReset('secret@example.com', { 'x-forwarded-for': '203.0.113.7' });
    const keys = (await server.sql<{ key: string }>('select key from rate_limits order by key')).map(({ key }) => key);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^(?:address|who):reset-request:[\w-]{24}$/);
  });

  it('exists on all public routes except the listed ones, and is stricter per account than per address', () => {
    const limited = Object.entries(contract as Record<string, RouteSpec>).filter(([, { rateLimit }]) => rateLimit);
    const open = Object.entries(contract as Record<string, RouteSpec>).filter(([, { access }]) => access === 'public');
    const without = open.filter(([, { rateLimit }]) => !rateLimit).map(([key]) => key);
    expect(without.toSorted()).toEqual(UNLIMITED.filter((key) => key in contract).toSorted());
    for (const [, { rateLimit }] of limited)
      expect(rateLimit?.perAccount ?? 0).toBeLessThan(rateLimit?.perAddress ?? 0);
  });
});

/**
 * Public routes that are cheap and reveal nothing. Slack calls its route from a few addresses for all organizations,
 * and a call without its signature costs only one hash.
 */
const UNLIMITED = [
  'GET /api/auth/oidc',
  'GET /api/health',
  'GET /api/ready',
  'GET /api/version',
  'GET /api/schemas/workflow.json',
  'GET /api/waitlist/count',
  'POST /api/integrations/slack/interactivity',
];

describe('a server without rate limits', () => {
  it('doesn’t limit or count any calls', async () => {
    const server = await startTestServer();
    const ask = () => server.anyone.call('POST', '/api/auth/reset-request', { email: 'often@example.com' });
    for (let n = 0; n < (RESET.perAccount ?? 0) + 2; n += 1) expect(await ask()).toMatchObject({ status: 200 });
    expect(await server.sql('select 1 from rate_limits')).toEqual([]);
    await server.stop();
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ])('%s belongs to %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
