import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../testing/organization.ts';
import { freePort } from '../testing/provider-sign-in.ts';
import { type TestServer, startTestServer } from '../testing/server.ts';

/** The value of a metric in the response. */
const valueOf = (text: string, metric: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
};

describe('metrics', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({}, { sealEveryMs: 3_600_000 });
  });
  afterAll(() => server.stop());

  it('show requests by route, the event loop lag, and the gauges of the installation', async () => {
    const person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First'));
    await server.sql(
      `insert into outbox (task, payload, run_at, turn_of) values ('nobody', '{}', now() - interval '7 minutes', 'x')`,
    );
    const { status, body, headers } = await server.anyone.call<string>('GET', '/metrics');
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/plain']);
    expect(valueOf(body, 'stet_database_up')).toBe(1);
    expect(valueOf(body, 'stet_jobs{state="due"}')).toBeGreaterThanOrEqual(1);
    expect(valueOf(body, 'stet_jobs_oldest_seconds')).toBeGreaterThanOrEqual(420);
    expect(valueOf(body, 'stet_audit_broken_trails')).toBe(0);
    expect(valueOf(body, 'stet_database_waiting')).toBe(0);
    expect(valueOf(body, 'stet_database_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
    expect(body).toMatch(
      /http_request_duration_seconds_count\{method="POST",route="\/api\/auth\/signup",status="2\d\d"\} 1/,
    );
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    // Requests are counted by method, route and status, without names and addresses.
    expect(body).not.toContain(person.user.email);
    expect(body).not.toContain(person.user.currentOrgId);
  });

  it('show how many changes share transactions, and how long they wait', async () => {
    const person = await server.signUp();
    await publish(person, person, 'shared', stepsNamed('First'));
    const before = await server.anyone.call<string>('GET', '/metrics');
    const runs = Array.from({ length: 12 }, (_, n) => person.post('/api/runs', { key: 'shared', name: `Run ${n}` }));
    await Promise.all(runs);
    const after = await server.anyone.call<string>('GET', '/metrics');
    const added = (metric: string): number =>
      (valueOf(after.body, metric) ?? Number.NaN) - (valueOf(before.body, metric) ?? Number.NaN);
    expect(added('stet_changes_per_transaction_sum')).toBe(12);
    expect(added('stet_changes_per_transaction_count')).toBeLessThanOrEqual(12);
    expect(added('stet_change_wait_seconds_count')).toBe(12);
    expect(added('stet_changes_repeated_total')).toBe(0);
  });

  it('show the age of events without a checkpoint, and the numbers of broken trails and failed jobs', async () => {
    const person = await server.signUp();
    const orgId = person.user.currentOrgId;
    await server.sql(
      `insert into audit_verifications (org_id, id, state, problem, is_broken) values ($1, gen_random_uuid(), 'broken', 'bad_hash', true)
                      on conflict (org_id) do update set state = 'broken', problem = 'bad_hash', is_broken = true`,
      [orgId],
    );
    const failedJobs = async () =>
      valueOf((await server.anyone.call<string>('GET', '/metrics')).body, 'stet_jobs{state="given_up"}');
    expect(await failedJobs()).toBe(0);
    // Workers ignore jobs of an unknown task, so this one keeps its number of attempts.
    await server.sql(`select graphile_worker.add_job('nobody', '{}', max_attempts => 1)`);
    await server.sql(`update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1`);
    await expect.poll(failedJobs).toBe(1);
    const { body } = await server.anyone.call<string>('GET', '/metrics');
    expect(valueOf(body, 'stet_audit_broken_trails')).toBe(1);
    expect(valueOf(body, 'stet_audit_unsealed_seconds')).toBeGreaterThan(0);
  });

  it('are unavailable through a proxy without a token', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect((await server.anyone.call('GET', '/metrics', undefined, { [name]: '203.0.113.9' })).status).toBe(404);
  });
});

/** Sends a different Host header, which `fetch` doesn't allow. */
function statusBy(host: string, url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((answered, failed) => {
    const sent = request(`${url}/metrics`, { headers: { ...headers, host } }, (response) => {
      response.resume();
      answered(response.statusCode);
    });
    sent.on('error', failed).end();
  });
}

describe('the metrics endpoint', () => {
  it("accepts only the host names in HOST and PUBLIC_URL and this machine's own names", async () => {
    const port = String(await freePort());
    const server = await startTestServer({ PORT: port, PUBLIC_URL: 'https://stet.example.com' });
    const at = `http://127.0.0.1:${port}`;
    for (const host of [
      'stet.example.com',
      'STET.example.com:443',
      'localhost',
      '127.0.0.1:3000',
      '127.0.0.7',
      '[::1]',
    ])
      expect([host, await statusBy(host, at)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'stet.example.com.evil.example', 'localhost.evil.example', '127.0.0.1.nip.io'])
      expect([host, await statusBy(host, at)]).toEqual([host, 404]);
    await server.stop();
  });

  it('accepts any host name if the request contains the token', async () => {
    const token = 'a token for Prometheus';
    const server = await startTestServer({ METRICS_TOKEN: token });
    const at = server.server.url;
    expect(await statusBy('stet:3000', at, { authorization: `Bearer ${token}` })).toBe(200);
    expect(await statusBy('localhost', at)).toBe(404);
    await server.stop();
  });
});

describe('metrics with a token', () => {
  const token = 'a token for Prometheus';
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ METRICS_TOKEN: token });
  });
  afterAll(() => server.stop());

  it('are available from any address with the token, but never without it', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await server.anyone.call('GET', '/metrics', undefined, headers)).status;
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await ask({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
    expect(await ask({})).toBe(404);
    expect(await ask({ authorization: token })).toBe(404);
    expect(await ask({ authorization: 'Bearer another' })).toBe(404);
  });
});
