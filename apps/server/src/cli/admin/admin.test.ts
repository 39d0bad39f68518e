import { randomUUID } from 'node:crypto';
import type { User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { containing } from '../../testing/backup-scene.ts';
import { type Received, listen } from '../../testing/events.ts';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { verified } from '../../testing/proof-scene.ts';
import { act, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

describe('administration on the command line', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let orgId: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, orgId } = await teamOf(server, ['reviewer']));
    await publish(owner, reviewer, 'flow');
    await start(owner, 'flow');
    env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
  });
  afterAll(() => server.stop());

  const listed = async <T>(...args: string[]): Promise<T[]> => {
    const { code, out, stderr } = await stet(['admin', ...args, '--json'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(out) as T[];
  };
  const lastEvent = async (): Promise<unknown> => (await owner.get<unknown[]>('/api/audit/events?limit=1'))[0];

  it('lists organizations with their size and last activity', async () => {
    const organizations = await listed<Record<string, unknown>>('organizations');
    const [head] = await server.sql<{ seq: number; at: Date }>(
      'select seq::int, at from audit_heads where org_id = $1',
      [orgId],
    );
    expect(organizations).toHaveLength(2);
    expect(organizations.find(({ id }) => id === orgId)).toMatchObject({
      type: 'team',
      members: 2,
      owners: [owner.user.email],
      workflows: 1,
      runs: 1,
      events: head?.seq,
      lastEventAt: head?.at.toISOString(),
    });
    expect((await stet(['admin', 'organizations'], env)).out).toMatch(/^NAME +PREFIX .*\n.*team-/);
  });

  it('lists people with their organizations and sessions, of all organizations or of one', async () => {
    await server.signUp({ name: 'Somebody Else' });
    expect(await listed('people')).toHaveLength(3);
    const [organization] = await server.sql<{ slug: string }>('select slug from organizations where id = $1', [orgId]);
    const people = await listed<Record<string, unknown>>('people', '--organization', organization?.slug ?? '');
    expect(new Set(people.map(({ email }) => email))).toEqual(new Set([owner.user.email, reviewer.user.email]));
    expect(people.find(({ email }) => email === owner.user.email)).toMatchObject({
      sessions: 1,
      provedBy: 'mailbox',
      organizations: [`${organization?.slug} owner`],
    });
  });

  it('notifies open pages, within a second after the command, that an account was disabled and its step released', async () => {
    const leaver = await server.signUp();
    await joinOrganization(server, leaver, orgId, 'editor');
    const { id } = await start(owner, 'flow');
    const [first] = (await runOf(owner, id)).currentStepIds;
    expect((await act(leaver, id, first ?? '', 'claim')).status).toBe(200);
    const page = await listen(server, owner, id);
    const changed = (subject: string, of: string) => (received: Received) =>
      received.event === 'changed' && received.data.subject === subject && received.data.id === of;
    expect(await stet(['admin', 'disable', leaver.user.email], env)).toMatchObject({ code: 0 });
    const ended = Date.now();
    await page.until(changed('user', leaver.user.id));
    await page.until(changed('run', id));
    expect(Date.now() - ended).toBeLessThan(1000);
    page.close();
  });

  it('signs a person out, with an event in the trail', async () => {
    const leaver = await server.signUp();
    const other = server.as(leaver.token);
    expect(await stet(['admin', 'end-sessions', leaver.user.email.toUpperCase()], env)).toMatchObject({ code: 0 });
    expect((await other.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await owner.call('GET', '/api/auth/me')).status).toBe(200);
    const login = { email: leaver.user.email, password: 'a long enough one' };
    const again = server.as((await server.anyone.post<{ token: string }>('/api/auth/login', login)).token);
    expect(await verified({ ...leaver, ...again })).toMatchObject({ state: 'ok', problem: null });
    const [, ended] = await again.get<unknown[]>('/api/audit/events?limit=2');
    expect(ended).toMatchObject({
      action: 'session.signed_out',
      actor: { kind: 'system' },
      data: { by: 'administrator' },
    });
  });

  it('sends or prints a link for setting a new password', async () => {
    expect(await stet(['admin', 'reset-link', owner.user.email], env)).toMatchObject({ code: 0, out: '' });
    linkIn(await mailTo(server.dataDir, owner.user.email, ({ text }) => text.includes('password')), '/reset-password');
    expect(await lastEvent()).toMatchObject({
      action: 'account.password_reset_requested',
      data: { by: 'administrator' },
    });
    const { out } = await stet(['admin', 'reset-link', owner.user.email, '--print'], {
      ...env,
      PUBLIC_URL: 'https://stet.example.com',
    });
    const link = new URL(out.trim());
    expect(link.origin + link.pathname).toBe('https://stet.example.com/reset-password');
    expect(await lastEvent()).toMatchObject({
      action: 'account.password_reset_requested',
      data: { by: 'administrator' },
    });
    const body = { token: link.searchParams.get('token'), password: 'quite a different one' };
    expect((await server.anyone.call('POST', '/api/auth/reset', body)).status).toBe(200);
    expect((await server.anyone.call('POST', '/api/auth/reset', body)).status).not.toBe(200);
    const login = { email: owner.user.email, password: 'quite a different one' };
    owner = { ...owner, ...server.as((await server.anyone.post<{ token: string }>('/api/auth/login', login)).token) };
  });

  it('lists jobs with the reasons for their failures, retries them and drops them', async () => {
    const [task] = await server.sql<{ id: number }>(
      `select id from graphile_worker._private_tasks where identifier = 'mail_notice'`,
    );
    const insert = async (reason: string): Promise<string> => {
      const [job] = await server.sql<{ id: string }>(
        `insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, last_error, run_at)
         values ($1, $2, 12, 12, $3, now() + interval '1 day') returning id::text`,
        [task?.id, { userId: randomUUID(), orgId, notificationId: randomUUID() }, reason],
      );
      return job?.id ?? '';
    };
    const [first, second] = [await insert('no route to mail.example\n at line 1'), await insert('refused')];
    const failed = await listed<{ id: string; reason: string }>('jobs', '--failed');
    expect(failed.map(({ id }) => id)).toEqual([first, second]);
    expect((await stet(['admin', 'jobs'], env)).out).toMatch(
      new RegExp(`\n${first} +mail_notice +failed +12 +- +no route to mail.example\n`),
    );
    expect(await stet(['admin', 'jobs', 'drop', second], env)).toMatchObject({ code: 0 });
    expect(await stet(['admin', 'jobs', 'drop', second], env)).toMatchObject({
      code: 1,
      stderr: `Not in the queue, or being executed: ${second}.\n`,
    });
    expect(await stet(['admin', 'jobs', 'retry', first], env)).toMatchObject({ code: 0 });
    expect(await listed('jobs', '--failed')).toEqual([]);
    expect(await owner.get('/api/audit/events?limit=2')).toMatchObject([
      { action: 'job.retried', data: { job: first, task: 'mail_notice', by: 'administrator' } },
      { action: 'job.dropped', data: { job: second, task: 'mail_notice', by: 'administrator' } },
    ]);
    expect(await stet(['admin', 'jobs', 'retry', 'all'], env)).toMatchObject({ code: 2 });
  });

  it('retries all jobs of a task that failed for good, at most 500 at a time with one event each time', async () => {
    const [task] = await server.sql<{ id: number }>(
      `select id from graphile_worker._private_tasks where identifier = 'mail_notice'`,
    );
    await server.sql(
      `insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, last_error, run_at)
       select $1, jsonb_build_object('orgId', $2::text, 'userId', gen_random_uuid(), 'notificationId', gen_random_uuid()), 12, 12, 'refused', now()
       from generate_series(1, 1100)`,
      [task?.id, orgId],
    );
    const { code, out } = await stet(['jobs', 'retry', 'mail_notice', '--json'], env);
    expect({ code, retried: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      retried: [{ task: 'mail_notice', jobs: 1100 }],
    });
    const events = await owner.get<{ action: string; data: { jobs: number } }[]>('/api/audit/events?limit=3');
    expect(events.map(({ action, data }) => [action, data.jobs])).toEqual([
      ['job.retried', 100],
      ['job.retried', 500],
      ['job.retried', 500],
    ]);
    expect(events[0]).toMatchObject({ data: { task: 'mail_notice', by: 'administrator' } });
    expect((await stet(['jobs', 'retry'], env)).stderr).toBe('There was nothing to retry.\n');
  });

  it('refuses to retry jobs in a database of an older version', async () => {
    const [last] = await server.sql<object>(
      'delete from stet_migrations where number = (select max(number) from stet_migrations) returning *',
    );
    const outcome = await stet(['jobs', 'retry'], env);
    await server.sql('insert into stet_migrations select * from json_populate_record(null::stet_migrations, $1)', [
      JSON.stringify(last),
    ]);
    expect(outcome).toMatchObject({ code: 1, stderr: containing('one of an older version. Check DATABASE_URL') });
  });

  it('lists failed webhook deliveries with the reasons, and retries one with an event in the trail, or drops it', async () => {
    const webhookId = randomUUID();
    await server.sql(
      `insert into webhooks (org_id, id, name, url, actions, after_seq, created_by, is_active) values ($1, $2, 'ERP', 'https://erp.invalid', '{}', 0, $3, false)`,
      [orgId, webhookId, owner.user.id],
    );
    const id = randomUUID();
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, attempts, ended_at, last_problem) values ($1, $2, $3, 'run.started', 'run:1', 'dead', 9, now(), 'connection refused')`,
      [orgId, id, webhookId],
    );
    expect(await listed('webhooks')).toMatchObject([
      { id, webhook: 'ERP', state: 'dead', problem: 'connection refused' },
    ]);
    expect(await stet(['admin', 'webhooks', 'retry', id], env)).toMatchObject({ code: 0 });
    expect(await listed('webhooks')).toMatchObject([{ id, state: 'waiting', attempts: 0 }]);
    expect(await lastEvent()).toMatchObject({ action: 'webhook.redelivered', data: { by: 'administrator' } });
    expect(await stet(['admin', 'webhooks', 'drop', id], env)).toMatchObject({ code: 0 });
    expect(await listed('webhooks')).toEqual([]);
    expect(await stet(['admin', 'webhooks', 'drop', id], env)).toMatchObject({ code: 1 });
    expect(await stet(['admin', 'webhooks', 'retry', randomUUID()], env)).toMatchObject({
      code: 1,
      stderr: 'There is no such delivery.\n',
    });
  });

  it('ends the sessions and API tokens of a disabled account, and refuses sign-ins and reset links until it is enabled', async () => {
    const leaver = await server.signUp();
    const { email } = leaver.user;
    const { secret } = await leaver.post<{ secret: string }>('/api/tokens', {
      name: 'Script',
      scopes: ['workflow.read'],
      expiresInDays: 30,
    });
    expect((await server.as(secret).call('GET', '/api/workflows')).status).toBe(200);
    expect(await stet(['admin', 'disable', email], env)).toMatchObject({ code: 0 });
    for (const access of [leaver.token, secret])
      expect((await server.as(access).call('GET', '/api/workflows')).status).toBe(401);
    const login = { email, password: 'a long enough one' };
    expect(await server.anyone.call('POST', '/api/auth/login', login)).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
    expect(await server.anyone.call('POST', '/api/auth/login', { ...login, password: 'wrong' })).toMatchObject({
      status: 401,
      body: { code: 'bad_credentials' },
    });
    expect((await listed<Record<string, unknown>>('people')).find((each) => each['email'] === email)).toMatchObject({
      disabledAt: expect.any(String) as string,
    });
    expect(await stet(['admin', 'disable', email], env)).toMatchObject({
      code: 1,
      stderr: containing('already disabled'),
    });
    for (const command of [['allow-password'], ['reset-link'], ['reset-link', '--print']])
      expect(await stet(['admin', ...command, email], env)).toMatchObject({
        code: 1,
        out: '',
        stderr: `${email} is disabled. Enable the account first: stet admin enable ${email}\n`,
      });
    expect(await stet(['admin', 'allow-password', email, '--hours', '0'], env)).toMatchObject({ code: 0 });
    expect(await stet(['admin', 'enable', email], env)).toMatchObject({ code: 0 });
    const again = server.as((await server.anyone.post<{ token: string }>('/api/auth/login', login)).token);
    // A job records in the trail that the token has ended.
    await vi.waitFor(async () => {
      const events = await again.get<{ action: string }[]>('/api/audit/events?limit=10');
      expect(events.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['account.disabled', 'account.enabled', 'token.revoked']),
      );
    }, 20_000);
    expect(await verified({ ...leaver, ...again })).toMatchObject({ state: 'ok', problem: null });
  });

  it('records in all organizations of a person, in one transaction, that their account was disabled', async () => {
    const leaver = await server.signUp();
    const { currentOrgId: second } = await leaver.post<User>('/api/organizations', {
      name: 'Second',
      slug: 'second-of-leaver',
    });
    const { email, id } = leaver.user;
    expect(await stet(['admin', 'disable', email], env)).toMatchObject({ code: 0 });
    const events = await server.sql<{ org_id: string; transaction: string }>(
      `select org_id, xmin::text as transaction from audit_events where action = 'account.disabled' and subject_id = $1`,
      [id],
    );
    expect(new Set(events.map((event) => event.org_id))).toEqual(new Set([second, leaver.user.currentOrgId]));
    expect(new Set(events.map(({ transaction }) => transaction)).size).toBe(1);
    expect(await stet(['admin', 'enable', email], env)).toMatchObject({ code: 0 });
    const login = { email, password: 'a long enough one' };
    const again = {
      ...leaver,
      ...server.as((await server.anyone.post<{ token: string }>('/api/auth/login', login)).token),
    };
    for (const organizationId of [second, leaver.user.currentOrgId]) {
      await again.post('/api/users/switch-organization', { organizationId });
      expect(await verified(again)).toMatchObject({ state: 'ok', problem: null });
    }
  });

  it('gives an organization a new owner only if no owner can sign in, and notifies the members', async () => {
    const team = await teamOf(server, ['editor', 'viewer']);
    const [found] = await server.sql<{ slug: string }>('select slug from organizations where id = $1', [team.orgId]);
    const slug = found?.slug ?? '';
    const { email } = team.editor.user;
    expect(await stet(['admin', 'new-owner', slug, email], env)).toMatchObject({
      code: 1,
      stderr: containing(`${team.owner.user.email} can still sign in`),
    });
    await stet(['admin', 'disable', team.owner.user.email], env);
    expect(await stet(['admin', 'new-owner', slug, reviewer.user.email], env)).toMatchObject({
      code: 1,
      stderr: containing('is not a member'),
    });
    expect(await stet(['admin', 'new-owner', slug, email], env)).toMatchObject({ code: 0 });
    expect(await team.editor.get('/api/auth/me')).toMatchObject({ orgRole: 'owner' });
    const [event] = await team.editor.get<unknown[]>('/api/audit/events?limit=1');
    expect(event).toMatchObject({
      action: 'member.role_changed',
      actor: { kind: 'system' },
      data: { before: { role: 'editor' }, after: { role: 'owner' }, by: 'administrator' },
    });
    for (const person of [team.editor, team.viewer])
      expect(await person.get('/api/notifications')).toMatchObject([{ title: 'Role changed from editor to owner' }]);
  });

  it('refuses an unknown address', async () => {
    for (const command of ['end-sessions', 'reset-link'])
      expect(await stet(['admin', command, 'nobody@example.com'], env)).toMatchObject({
        code: 1,
        stderr: 'There is no account with the address nobody@example.com.\n',
      });
  });

  it('changes who can sign up, until SIGN_UP applies again', async () => {
    const signUp = async (...args: string[]) => {
      const { code, stderr } = await stet(['admin', 'sign-up', ...args], { ...env, SIGN_UP: 'closed' });
      return { code, stderr };
    };
    expect((await stet(['admin', 'sign-up'], env)).stderr).toMatch(
      /^Anyone can sign up. This is the default; SIGN_UP is not set/,
    );
    const current = async () => (await server.anyone.get<{ signUp: string }>('/api/auth/oidc')).signUp;
    expect((await signUp()).stderr).toMatch(/^Only invited people can sign up. Set by SIGN_UP in this environment/);
    expect(await signUp('domain:example.com')).toMatchObject({ code: 0 });
    expect(await current()).toBe('domains');
    expect((await signUp()).stderr).toMatch(
      /^Invited people and addresses at example.com can sign up. Set by command on .+ UTC; this overrides SIGN_UP\.$/m,
    );
    expect(await signUp('sometimes')).toMatchObject({ code: 2 });
    expect(await signUp('default')).toMatchObject({ code: 0 });
    expect(await current()).toBe('open');
  });
});
