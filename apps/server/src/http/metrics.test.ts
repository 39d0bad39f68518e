import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../testing/organization.ts';
import { type TestServer, startTestServer } from '../testing/server.ts';

/** The value of a metric as Prometheus would read it. */
const valueOf = (text: string, metric: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
};

describe('the metrics', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('show requests by route, the process, and how the installation stands', async () => {
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
    // Neither whose things nor which: a number for each route and no address.
    expect(body).not.toContain(person.user.email);
    expect(body).not.toContain(person.user.currentOrgId);
  });

  it('count events without a checkpoint, work that was given up, and trails that were changed', async () => {
    const person = await server.signUp();
    const orgId = person.user.currentOrgId;
    await server.sql(
      `insert into audit_verifications (org_id, id, state, problem) values ($1, gen_random_uuid(), 'broken', 'bad_hash')
                      on conflict (org_id) do update set state = 'broken', problem = 'bad_hash'`,
      [orgId],
    );
    const { body } = await server.anyone.call<string>('GET', '/metrics');
    expect(valueOf(body, 'stet_audit_broken_trails')).toBe(1);
    expect(valueOf(body, 'stet_audit_unsealed_seconds')).toBeGreaterThan(0);
    expect(valueOf(body, 'stet_jobs{state="given_up"}')).toBe(0);
  });

  it('are not there for whom a proxy brings, unless there is a token', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect((await server.anyone.call('GET', '/metrics', undefined, { [name]: '203.0.113.9' })).status).toBe(404);
  });
});

describe('metrics with a token', () => {
  const token = 'a token for Prometheus';
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ METRICS_TOKEN: token });
  });
  afterAll(() => server.stop());

  it('are for those who show it, from whatever address, and for nobody else', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await server.anyone.call('GET', '/metrics', undefined, headers)).status;
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await ask({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
    expect(await ask({})).toBe(404);
    expect(await ask({ authorization: token })).toBe(404);
    expect(await ask({ authorization: 'Bearer another' })).toBe(404);
  });
});
