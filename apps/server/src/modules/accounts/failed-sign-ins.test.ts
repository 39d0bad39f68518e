import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { recordFailedSignIns } from './failed-sign-ins.ts';

describe('failed sign-ins', () => {
  const lines: string[] = [];
  let server: TestServer;
  let person: Person;
  let owner: Person;
  beforeAll(async () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    server = await startTestServer({}, { log });
    [person, owner] = await Promise.all([server.signUp(), server.signUp({ team: 'Northwind' })]);
    await joinOrganization(server, person, owner.user.currentOrgId ?? '', 'viewer');
  });
  afterAll(() => server.stop());

  const guess = (email: string) => server.anyone.call('POST', '/api/auth/login', { email, password: 'a wild guess' });
  const counted = async (): Promise<number> => {
    const rows = await server.sql<{ sum: number }>(
      `select coalesce(max(count), 0)::int as sum from failed_sign_ins where user_id = $1`,
      [person.user.id],
    );
    return rows[0]?.sum ?? 0;
  };
  const events = () =>
    server.sql<{ org_id: string; actor: string; data: { count: number; from: string } }>(
      `select org_id, actor, payload::json -> 'data' as data from audit_events
       where action = 'session.sign_in_failed' and subject_id = $1 order by org_id, seq`,
      [person.user.id],
    );

  it('are counted and logged in one line each, without email or network addresses', async () => {
    const before = lines.length;
    for (const email of [person.user.email, 'nobody@example.com']) expect((await guess(email)).status).toBe(401);
    const logged = lines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toMatchObject([
      { event: 'sign_in_failed', userId: person.user.id, network: expect.any(String) as string },
      { event: 'sign_in_failed', userId: null },
    ]);
    expect(logged[0]?.['network']).toBe(logged[1]?.['network']);
    expect(lines.join('')).not.toMatch(/example\.com|127\.0\.0\.1|a wild guess/);
    const metrics = await (await fetch(`${server.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^stet_sign_ins_failed_total 2$/m);
  });

  it('are recorded as one event per hour, with their number, in the trails of the account’s organizations', async () => {
    await guess(person.user.email);
    await expect.poll(counted).toBe(2);
    await recordFailedSignIns(server.server.deps);
    expect(await events()).toEqual([]);

    await server.sql(`update failed_sign_ins set hour = hour - interval '1 hour'`);
    await guess(person.user.email);
    await Promise.all([recordFailedSignIns(server.server.deps), recordFailedSignIns(server.server.deps)]);
    const found = await events();
    expect(found.map(({ org_id, data }) => [org_id, data.count])).toEqual(
      [person.user.currentOrgId ?? '', owner.user.currentOrgId ?? ''].toSorted().map((orgId) => [orgId, 2]),
    );
    expect(found.map(({ actor }) => actor)).toEqual(['system', 'system']);
    expect(Date.parse(found[0]?.data.from ?? '')).toBeLessThan(Date.now());
    await expect.poll(counted).toBe(1);
  });
});
