import type { Notification } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchClocks } from '../runs/watch-clocks.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { complete, letTimePass, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { MAX_ROWS } from '../../kernel/small-organization.ts';

const LIST = '/api/notifications';

describe('a notification to a role with many members', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let viewer: Person;
  let orgId: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, viewer, orgId } = await teamOf(server, ['reviewer', 'viewer']));
    const [first] = stepsNamed('First');
    if (!first) throw new Error('no step');
    await publish(owner, reviewer, 'many', [{ ...first, sla: '10h', assignee: 'viewer' }]);
    await server.sql(
      `with added as (
         insert into users (id, email, name, role, password_hash)
         select gen_random_uuid(), 'one-of-many-' || n || '@example.com', 'One of many', 'viewer', '-' from generate_series(1, $2) n
         returning id
       ) insert into memberships (org_id, user_id, role) select $1, id, 'viewer' from added`,
      [orgId, MAX_ROWS],
    );
  });
  afterAll(() => server.stop());

  const rowsOf = async (runId: string) =>
    (
      await server.sql<{ people: number; roles: number }>(
        `select (select count(*)::int from notifications where run_id = $1 and kind = 'step_assigned') as people,
                (select count(*)::int from role_notifications where run_id = $1) as roles`,
        [runId],
      )
    )[0];
  const unread = async (person: Person): Promise<number> =>
    (await person.get<{ unread: number }>(`${LIST}/count`)).unread;
  const ofRun = async (person: Person, runId: string): Promise<Notification[]> =>
    (await person.get<Notification[]>(LIST)).filter((notification) => notification.runId === runId);

  it('is stored as one row that each member can mark as read separately', async () => {
    const another = await server.signUp({});
    await joinOrganization(server, another, orgId, 'viewer');
    const run = await start(owner, 'many');
    expect(await rowsOf(run.id)).toEqual({ people: 0, roles: 1 });
    expect(await unread(viewer)).toBe(1);
    const [shown] = await ofRun(viewer, run.id);
    expect(shown).toMatchObject({ kind: 'step_assigned', title: 'First', stepId: 'step-1', readAt: null });
    const read = await viewer.post<Notification>(`${LIST}/${shown?.id ?? ''}/read`);
    expect(read).toMatchObject({ id: shown?.id, title: 'First', readAt: expect.any(String) as unknown });
    expect(await viewer.post<Notification>(`${LIST}/${shown?.id ?? ''}/read`)).toEqual(read);
    expect([await unread(viewer), await unread(another)]).toEqual([0, 1]);
    expect(await viewer.get(`${LIST}?unread=true`)).toEqual([]);
    expect(await another.get(`${LIST}?unread=true`)).toMatchObject([{ runId: run.id }]);
    await another.post(`${LIST}/read`);
    expect(await unread(another)).toBe(0);
    expect((await ofRun(another, run.id))[0]?.readAt).toEqual(expect.any(String));
  });

  it('is visible to people who have the role when they read it, but not to later members', async () => {
    const run = await start(owner, 'many');
    expect(await ofRun(reviewer, run.id)).toEqual([]);
    await joinOrganization(server, reviewer, orgId, 'viewer');
    expect(await ofRun(reviewer, run.id)).toMatchObject([{ kind: 'step_assigned' }]);
    await joinOrganization(server, reviewer, orgId, 'reviewer');
    const [missed] = await ofRun(viewer, run.id);
    expect(await ofRun(reviewer, run.id)).toEqual([]);
    expect((await reviewer.call('POST', `${LIST}/${missed?.id ?? ''}/read`)).status).toBe(404);
    const late = await server.signUp({});
    await joinOrganization(server, late, orgId, 'viewer');
    expect(await ofRun(late, run.id)).toEqual([]);
  });

  it('is listed once in pages together with personal notifications', async () => {
    await server.sql(
      `insert into notifications (org_id, user_id, id, source, kind, title, body, created_at)
      select $1, $2, gen_random_uuid(), 'page ' || n, 'message', 'Page ' || n, '', date_trunc('milliseconds', clock_timestamp()) - n * interval '1 ms'
      from generate_series(1, 3) n`,
      [orgId, viewer.user.id],
    );
    for (let n = 0; n < 3; n += 1) await start(owner, 'many');
    const all = await viewer.get<Notification[]>(`${LIST}?limit=100`);
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = await viewer.call<Notification[]>('GET', `${LIST}?limit=2${cursor}`);
      paged.push(...page.body.map(({ id }) => id));
      const next = page.headers.get('x-next-cursor');
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect(new Set(paged).size).toBe(paged.length);
    expect(paged.length).toBeGreaterThanOrEqual(8);
  });

  it('is emailed to members separately, shown once, and hidden from members who turned it off', async () => {
    await server.sql(`update memberships set role = 'admin' where org_id = $1 and role = 'viewer' and user_id <> $2`, [
      orgId,
      viewer.user.id,
    ]);
    const admin = await server.signUp({});
    await joinOrganization(server, admin, orgId, 'admin');
    const quiet = await server.signUp({});
    await joinOrganization(server, quiet, orgId, 'admin');
    await quiet.patch(`${LIST}/preferences`, { news: 'sla', channel: 'in-app', pace: 'off' });
    const run = await start(owner, 'many');
    await letTimePass(server, run.id, 11 * 3_600_000);
    await watchClocks(server.server.deps);
    const [sent] = await server.sql<{ shown: number; mailed: number; roles: number }>(
      `select count(*) filter (where is_shown)::int as shown, count(*) filter (where email in ('now', 'done'))::int as mailed,
              (select count(*)::int from role_notifications where run_id = $1 and kind = 'sla_breached' and step_id is not null) as roles
       from notifications where run_id = $1 and kind = 'sla_breached' and step_id is not null and user_id <> $2`,
      [run.id, owner.user.id],
    );
    expect(sent).toMatchObject({ shown: 1, roles: 1 });
    expect(sent?.mailed).toBeGreaterThan(MAX_ROWS);
    const breaches = async (person: Person) =>
      (await ofRun(person, run.id)).filter(({ kind, stepId }) => kind === 'sla_breached' && stepId !== null);
    expect(await breaches(admin)).toHaveLength(1);
    expect(await breaches(owner)).toHaveLength(1);
    expect(await breaches(quiet)).toEqual([]);
  });

  it('has one line together with personal notifications about the same run', async () => {
    await server.sql(`update memberships set role = 'admin' where org_id = $1 and role <> 'owner'`, [orgId]);
    await server.sql(`update users set proved_by = 'mailbox', proved_at = now() where name = 'One of many'`);
    await publish(owner, reviewer, 'approved', [
      { id: 'fill', title: 'Fill', assignee: 'admin', config: { requiresApproval: true } },
    ]);
    const run = await start(owner, 'approved');
    await complete(owner, run.id, 'fill');
    // One row for the assignment, and one for the request to approve the input.
    expect((await rowsOf(run.id))?.roles).toBe(2);
    await owner.post(`/api/runs/${run.id}/notes`, { text: `@${viewer.user.email} Please look` });
    const threads = async (query = '') =>
      (await viewer.get<Notification[]>(`${LIST}?grouped=true&workflow=approved${query}`)).filter(
        ({ runId, role }) => runId === run.id && role === null,
      );
    const [line, ...others] = await threads();
    expect([line, others]).toMatchObject([{ kind: 'mentioned', count: 2, readAt: null }, []]);
    expect(await threads('&unread=true')).toMatchObject([{ kind: 'mentioned', count: 2 }]);
    await viewer.post(`${LIST}/${line?.id ?? ''}/read`);
    expect(await threads()).toMatchObject([{ kind: 'mentioned', count: 2, readAt: null }]);
    expect(await threads('&unread=true')).toMatchObject([{ kind: 'input_submitted', count: 1 }]);
    await viewer.post(`${LIST}/${line?.id ?? ''}/read`, { group: true });
    expect(await threads()).toMatchObject([{ kind: 'mentioned', count: 2, readAt: expect.any(String) as unknown }]);
    expect(await threads('&unread=true')).toEqual([]);
  });
});

describe('an assignment that an earlier release enqueued', () => {
  it('is delivered once by the job of the earlier release', async () => {
    const server = await startTestServer();
    try {
      const { owner, reviewer, orgId } = await teamOf(server, ['reviewer']);
      const [first] = stepsNamed('First');
      if (!first) throw new Error('no step');
      await publish(owner, reviewer, 'queued', [{ ...first, assignee: reviewer.user.email }]);
      const { id: runId } = await start(owner, 'queued');
      const assigned = () =>
        server.sql(`select 1 from notifications where run_id = $1 and kind = 'step_assigned'`, [runId]);
      await server.sql('delete from notifications where run_id = $1', [runId]);
      const job = JSON.stringify({ orgId, runId, stepId: 'step-1', activation: 1 });
      for (let n = 0; n < 2; n += 1)
        await server.sql(`insert into outbox (task, payload) values ('notify_assignee', $1)`, [job]);
      await expect.poll(async () => (await assigned()).length, { timeout: 10_000 }).toBe(1);
    } finally {
      await server.stop();
    }
  });
});
