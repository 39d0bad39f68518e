import type {
  AuditEventView,
  Group,
  InstalledOrganization,
  InstalledPerson,
  Notification,
  QueuedDelivery,
  QueuedJob,
  SentInvitation,
  Task,
  User,
} from '@stet/contract';
import { installationRoutes } from '@stet/contract/installation';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assertStillMaySignUp } from '../accounts/may-sign-up.ts';
import { containing } from '../../testing/backup-scene.ts';
import { whileLocked } from '../../testing/delayed-change.ts';
import { type Received, listen } from '../../testing/events.ts';
import { eventually, linkIn, mailTo, mailsIn } from '../../testing/mailbox.ts';
import { personalToken } from '../../testing/api-tokens.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { verified } from '../../testing/proof-scene.ts';
import { addressOf, routes } from '../../testing/routes.ts';
import { act, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const ADMIN = 'admin@installation.example';
const ours = routes.filter(([, { access }]) => access === 'installation');

describe('the administration of an installation', () => {
  let server: TestServer;
  let admin: Person;
  beforeAll(async () => {
    server = await startTestServer({ STET_ADMINS: `other@example.com, ${ADMIN.toUpperCase()}` });
    admin = await server.signUp({ email: ADMIN, name: 'Ada Admin' });
  });
  afterAll(() => server.stop());

  const request = (person: Pick<Person, 'call'>, key: (typeof ours)[number][0]) => {
    const { method, path } = addressOf(key, { params: { id: key.includes('jobs') ? '1' : randomUUID() } });
    return person.call<{ code: string }>(method, path, method === 'GET' ? undefined : { action: 'retry' });
  };
  const disable = ({ user }: Person) =>
    admin.call('POST', `/api/installation/people/${user.id}`, { action: 'disable' });
  const enable = ({ user }: Person) => admin.call('POST', `/api/installation/people/${user.id}`, { action: 'enable' });
  const notified = async (person: Person, kind: string): Promise<string[]> =>
    (await person.get<Notification[]>('/api/notifications'))
      .filter((each) => each.kind === kind)
      .map(({ title, body }) => `${title}: ${body}`.replaceAll(/[\u2066-\u2069]/g, ''));
  const lastEvent = async (person: Person) => (await person.get<unknown[]>('/api/audit/events?limit=1'))[0];

  it.each(ours)('%s doesn’t exist for anyone but administrators, nor for their tokens', async (key) => {
    const { owner } = await teamOf(server, []);
    expect(await request(owner, key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const token = await personalToken(server, admin);
    expect((await request(token, key)).status).toBe(404);
    expect((await request(server.anyone, key)).status).toBe(401);
  });

  it('needs a proved address, and the API shows only to administrators that they are administrators', async () => {
    expect(await admin.get<User>('/api/auth/me')).toMatchObject({ isInstallationAdmin: true });
    const unproved = await server.signUp({ email: 'other@example.com', proved: false });
    expect((await unproved.call('GET', '/api/installation')).status).toBe(404);
    expect(await unproved.get<User>('/api/auth/me')).not.toHaveProperty('isInstallationAdmin');
  });

  it('shows the state of the installation', async () => {
    const state = installationRoutes['GET /api/installation'].ok.parse(await admin.get('/api/installation'));
    expect(state).toMatchObject({ signUp: 'open', passwordSignIn: true, backup: null, backupProblem: null });
    expect(state.people).toBeGreaterThan(0);
  });

  it('finds organizations and people by a part of their name, address or URL prefix', async () => {
    const { owner, orgId } = await teamOf(server, []);
    const names = async (path: string) => (await admin.get<{ name: string }[]>(path)).map(({ name }) => name);
    const [team] = await server.sql<{ name: string; slug: string }>(
      `select name, slug from organizations where id = '${orgId}'`,
    );
    // Other URL prefixes may contain this one.
    expect(await names(`/api/installation/organizations?q=${team?.slug.toUpperCase()}`)).toContain(team?.name);
    expect(await names(`/api/installation/organizations?q=${team?.name.slice(5).toUpperCase()}`)).toEqual([team?.name]);
    expect(await names(`/api/installation/people?q=${encodeURIComponent(owner.user.email.toUpperCase())}`)).toEqual([
      owner.user.name,
    ]);
    for (const list of ['organizations', 'people'])
      expect(await names(`/api/installation/${list}?q=${encodeURIComponent('%_')}`)).toEqual([]);
  });

  it('lists all organizations and people in pages', async () => {
    const { owner, reviewer, orgId } = await teamOf(server, ['reviewer']);
    await publish(owner, reviewer, 'flow');
    await start(owner, 'flow');
    const readAll = async <Row>(path: string): Promise<Row[]> => {
      const rows: Row[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Reply<Row[]> = await admin.call<Row[]>('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
        expect(page.status).toBe(200);
        rows.push(...page.body);
        cursor = page.headers.get('x-next-cursor');
      }
      return rows;
    };
    const organizations = installationRoutes['GET /api/installation/organizations'].ok.parse(
      await readAll<InstalledOrganization>('/api/installation/organizations'),
    );
    const [{ organizations: count, people } = { organizations: 0, people: 0 }] = await server.sql<{
      organizations: number;
      people: number;
    }>(
      'select (select count(*)::int from organizations) as organizations, (select count(*)::int from users) as people',
    );
    expect(new Set(organizations.map(({ id }) => id)).size).toBe(count);
    expect(organizations.find(({ id }) => id === orgId)).toMatchObject({
      members: 2,
      owners: [owner.user.email],
      workflows: 1,
      runs: 1,
    });
    const everyone = installationRoutes['GET /api/installation/people'].ok.parse(
      await readAll<InstalledPerson>('/api/installation/people'),
    );
    expect(new Set(everyone.map(({ id }) => id)).size).toBe(people);
    expect(everyone.find(({ id }) => id === owner.user.id)).toMatchObject({
      sessions: 1,
      isProved: true,
      disabledAt: null,
    });
  });

  it('ends sessions, sends reset links, disables and enables, each with the administrator’s name in the trail', async () => {
    const person = await server.signUp();
    const act = (action: string) => admin.call('POST', `/api/installation/people/${person.user.id}`, { action });
    const signedIn = async (): Promise<Person> => {
      const login = { email: person.user.email, password: 'a long enough one' };
      const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', login);
      return { ...person, ...server.as(token) };
    };
    const by = { actor: { id: admin.user.id, name: 'Ada Admin' }, data: { by: 'administrator' } };
    expect((await act('end_sessions')).status).toBe(200);
    expect((await person.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await act('send_reset_link')).status).toBe(200);
    linkIn(await mailTo(server.dataDir, person.user.email, ({ text }) => text.includes('password')), '/reset-password');
    expect((await act('disable')).status).toBe(200);
    const login = { email: person.user.email, password: 'a long enough one' };
    expect((await server.anyone.call('POST', '/api/auth/login', login)).status).toBe(403);
    expect((await act('send_reset_link')).status).toBe(403);
    expect((await act('enable')).status).toBe(200);
    const again = await signedIn();
    const events = await again.get<{ action: string }[]>('/api/audit/events?limit=20');
    for (const action of [
      'session.signed_out',
      'account.password_reset_requested',
      'account.disabled',
      'account.enabled',
    ])
      expect(events.find((each) => each.action === action)).toMatchObject(by);
    expect(await verified(again)).toMatchObject({ state: 'ok', problem: null });
    expect(await admin.call('POST', `/api/installation/people/${admin.user.id}`, { action: 'disable' })).toMatchObject({
      status: 400,
    });
    expect((await admin.call('POST', `/api/installation/people/${randomUUID()}`, { action: 'enable' })).status).toBe(
      404,
    );
  });

  it('revokes the invitations of a disabled person in all their organizations, so they can’t return with one', async () => {
    const { found, add, logIn } = secondPersonBench(server);
    const [first, second] = [await found(true), await found(true)];
    const jon = await add(first, 'admin', { mailed: true });
    const inviting = ({ user }: Person) => `/api/organizations/${user.currentOrgId}/invitations`;
    const act = (action: string) => admin.call('POST', `/api/installation/people/${jon.user.id}`, { action });
    const open = (link: string) => server.anyone.call('GET', `/api/invitations/${link.split('/').at(-1)}`);
    const email = `again-${randomUUID()}@example.com`;
    const sent = await jon.post<SentInvitation>(inviting(jon), { email, role: 'admin' });
    const mailed = linkIn(await mailTo(server.dataDir, email), '/invite/');
    const other = await first.post<SentInvitation>(inviting(first), { email: `other-${email}`, role: 'viewer' });
    await join(second, jon);
    const elsewhere = await (
      await logIn(jon.user.email)
    ).post<SentInvitation>(inviting(second), { email, role: 'viewer' });
    expect((await act('disable')).status).toBe(200);
    for (const link of [sent.link, mailed, elsewhere.link]) expect((await open(link)).status).toBe(404);
    expect((await open(other.link)).status).toBe(200);
    for (const each of [first, second]) {
      const [revoked] = await each.get<AuditEventView[]>('/api/audit/events?action=invitation.revoked');
      expect(revoked).toMatchObject({
        actor: { id: admin.user.id },
        data: { email, sentBy: jon.user.id, because: 'account_disabled', by: 'administrator' },
      });
      expect(await verified(each)).toMatchObject({ state: 'ok', problem: null });
      expect(await notified(each, 'invitations_revoked')).toEqual([
        `Invitations revoked: This server’s administrator disabled the account of ${jon.user.name}, so 1 pending invitation was revoked: ${email}. Invite them again if they should still join.`,
      ]);
    }
    expect((await act('enable')).status).toBe(200);
    expect((await open(sent.link)).status).toBe(404);
    expect(await notified(first, 'invitations_revoked')).toHaveLength(1);
    const again = await first.post<SentInvitation>(inviting(first), { email, role: 'viewer' });
    expect((await open(again.link)).status).toBe(200);

    async function join(by: Person, who: Person): Promise<void> {
      const { link } = await by.post<SentInvitation>(inviting(by), { email: who.user.email, role: 'admin' });
      await (await logIn(who.user.email)).post(`/api/invitations/${link.split('/').at(-1)}/join`);
    }
  });

  describe('the invitations of a disabled person', () => {
    async function scene() {
      const { found, add, logIn } = secondPersonBench(server);
      const mara = await found(true);
      const jon = await add(mara, 'admin', { mailed: true });
      const inviting = `/api/organizations/${mara.user.currentOrgId}/invitations`;
      return {
        mara,
        jon,
        act: (action: string) => admin.call('POST', `/api/installation/people/${jon.user.id}`, { action }),
        invite: (by: Person) =>
          by.call<SentInvitation>('POST', inviting, { email: `late-${randomUUID()}@example.com`, role: 'admin' }),
        statusOf: async ({ link }: SentInvitation) =>
          (await server.anyone.call('GET', `/api/invitations/${link.split('/').at(-1)}`)).status,
        again: () => logIn(jon.user.email),
      };
    }

    it('are revoked even if they are being sent while the account is disabled', async () => {
      const { mara, jon, act, invite, statusOf, again } = await scene();
      const head = {
        text: 'select from audit_heads where org_id = $1 for update',
        values: [mara.user.currentOrgId],
      };
      const [sent, disabled] = await whileLocked<Reply<unknown>>(server, head, [
        () => invite(jon),
        () => act('disable'),
      ]);
      expect([sent?.status, disabled?.status]).toEqual([201, 200]);
      expect(await statusOf(sent?.body as SentInvitation)).toBe(404);
      expect((await act('enable')).status).toBe(200);
      expect(await statusOf(sent?.body as SentInvitation)).toBe(404);
      const later = await invite(await again());
      expect(await statusOf(later.body)).toBe(200);
    });

    it('are revoked even if PostgreSQL has to end a deadlock with a change that locks them before the membership', async () => {
      const { mara, jon, act, invite, statusOf, again } = await scene();
      const { body: sent } = await invite(jon);
      const other = new pg.Client({ ...server.database.connection });
      await other.connect();
      await other.query('begin');
      await other.query('select from invitations where invited_by = $1 for update', [jon.user.id]);
      const disabling = act('disable');
      await vi.waitFor(async () => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(await server.sql(waiting)).toHaveLength(1);
      }, 10_000);
      await other.query('select from memberships where user_id = $1 for share', [jon.user.id]);
      await other.query('commit');
      await other.end();
      expect((await disabling).status).toBe(200);
      expect(await statusOf(sent)).toBe(404);
      const events = await mara.get<AuditEventView[]>('/api/audit/events?action=account.disabled');
      expect(events).toHaveLength(1);
      expect((await act('enable')).status).toBe(200);
      expect((await invite(await again())).status).toBe(201);
    });

    it('are revoked once if the account is disabled while the person is removed', async () => {
      const { mara, jon, act, invite } = await scene();
      await invite(jon);
      const invitations = { text: 'select from invitations where invited_by = $1 for update', values: [jon.user.id] };
      const [removed, disabled] = await whileLocked<Reply<unknown>>(server, invitations, [
        () => mara.call('DELETE', `/api/organizations/${mara.user.currentOrgId}/users/${jon.user.id}`),
        () => act('disable'),
      ]);
      expect([removed?.status, disabled?.status]).toEqual([200, 200]);
      const revoked = await mara.get<AuditEventView[]>('/api/audit/events?action=invitation.revoked');
      expect(revoked).toMatchObject([{ data: { because: 'member_removed' } }]);
      expect(await verified(mara)).toMatchObject({ state: 'ok', problem: null });
    });

    it('stay invalid after the account is enabled, even if an earlier release disabled it without revoking them', async () => {
      const { mara, jon, act, invite, statusOf } = await scene();
      const [{ body: sent }, { body: other }] = [await invite(jon), await invite(mara)];
      await server.sql('update users set disabled_at = now() where id = $1', [jon.user.id]);
      expect((await act('enable')).status).toBe(200);
      expect(await statusOf(sent)).toBe(404);
      expect(await statusOf(other)).toBe(200);
      const [revoked] = await mara.get<AuditEventView[]>('/api/audit/events?action=invitation.revoked');
      expect(revoked).toMatchObject({ data: { sentBy: jon.user.id, because: 'account_disabled' } });
      expect(await notified(mara, 'invitations_revoked')).toEqual([containing(sent.email)]);
      expect(await verified(mara)).toMatchObject({ state: 'ok', problem: null });
    });
  });

  describe('releases the steps that a disabled person has', () => {
    /** A team with a run whose step is for a group of two viewers. The first one has claimed it. */
    const claimedBy = async (ann: Person, ben: Person) => {
      const team = await teamOf(server, ['reviewer']);
      for (const each of [ben, ann]) await joinOrganization(server, each, team.orgId, 'viewer');
      const members = [ann, ben].map(({ user }) => user.id);
      await team.owner.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members });
      await publish(team.owner, team.reviewer, 'pay', [
        { id: 'work', title: 'Work', assignee: 'group:finance', next: [] },
      ]);
      const { id } = await start(team.owner, 'pay');
      expect((await act(ann, id, 'work', 'claim')).status).toBe(200);
      return { ...team, id };
    };
    const tasksOf = async (person: Person) => (await person.get<Task[]>('/api/tasks')).map(({ runId }) => runId);

    it('in all organizations, also in a paused run, and notifies the people who get them back', async () => {
      const [ann, ben] = [await server.signUp({ name: 'Ann' }), await server.signUp({ name: 'Ben' })];
      const teams = [await claimedBy(ann, ben), await claimedBy(ann, ben)];
      await teams[1]?.owner.post(`/api/runs/${teams[1].id}/pause`);
      expect((await disable(ann)).status).toBe(200);
      for (const [at, { owner, orgId, id }] of teams.entries()) {
        await joinOrganization(server, ben, orgId, 'viewer');
        expect((await runOf(owner, id)).history.find(({ action }) => action === 'released')).toMatchObject({
          actor: { id: admin.user.id },
          data: { holder: { id: ann.user.id, name: 'Ann' }, because: 'account_disabled' },
        });
        expect(await notified(ben, 'step_handed_over')).toEqual([
          `Work: Ann no longer does this step in “A run”. ${at === 0 ? 'It is waiting for you.' : 'It will wait for you once the run continues.'}`,
        ]);
        if (at === 1) await owner.post(`/api/runs/${id}/resume`);
        expect(await tasksOf(ben)).toEqual([id]);
      }
      expect((await enable(ann)).status).toBe(200);
      const { orgId, id } = teams[1] as (typeof teams)[number];
      await joinOrganization(server, ben, orgId, 'viewer');
      expect((await act(ben, id, 'work', 'complete', { output: { text: 'Paid' } })).body.run.status).toBe('completed');
    });

    it('and notifies every open page that shows them within a second', async () => {
      const [ann, ben] = [await server.signUp({ name: 'Ann' }), await server.signUp({ name: 'Ben' })];
      const teams = [await claimedBy(ann, ben), await claimedBy(ann, ben)];
      const owners = await Promise.all(teams.map(({ owner, id }) => listen(server, owner, id)));
      const bens = await listen(server, ben);
      const changed = (subject: string, id?: string) => (received: Received) =>
        received.event === 'changed' &&
        received.data.subject === subject &&
        (id ?? received.data.id) === received.data.id;
      expect((await disable(ann)).status).toBe(200);
      const began = Date.now();
      for (const [at, { until }] of owners.entries()) {
        await until(changed('run', teams[at]?.id));
        await until(changed('user', ann.user.id));
      }
      await bens.until(changed('run', teams[1]?.id));
      await bens.until(changed('notification'));
      expect(Date.now() - began).toBeLessThan(1000);
      for (const { close } of [...owners, bens]) close();
    });

    it('and someone who had handed an approval over to the disabled person can decide it again', async () => {
      const { found, add } = secondPersonBench(server);
      const owner = await found(true);
      const reviewer = await add(owner, 'reviewer', { mailed: true });
      const editor = await add(owner, 'editor', { mailed: true });
      await publish(owner, reviewer, 'check', [
        { id: 'check', title: 'Check', type: 'approval', assignee: reviewer.user.email, next: [] },
      ]);
      const { id } = await start(owner, 'check');
      const handOver = { to: editor.user.id, reason: 'I am ill' };
      expect((await act(reviewer, id, 'check', 'hand-over', handOver)).status).toBe(200);
      expect(await tasksOf(reviewer)).toEqual([]);
      expect((await disable(editor)).status).toBe(200);
      expect(await tasksOf(reviewer)).toEqual([id]);
      expect(await notified(reviewer, 'step_handed_over')).toEqual([
        `Check: ${editor.user.name} no longer does this step in “A run”. It is waiting for you.`,
      ]);
      expect((await act(reviewer, id, 'check', 'approve')).body.run.status).toBe('completed');
      expect(await verified(owner)).toMatchObject({ state: 'ok', problem: null });
    });
  });

  it('sends no emails to disabled accounts, which find their notifications once they are enabled', async () => {
    const [ann, ben] = [await server.signUp({ name: 'Ann' }), await server.signUp({ name: 'Ben' })];
    const { owner, reviewer, orgId } = await teamOf(server, ['reviewer']);
    for (const each of [ann, ben]) await joinOrganization(server, each, orgId, 'viewer');
    const title = `Work ${randomUUID()}`;
    const assignee = `${ann.user.email}, ${ben.user.email}`;
    await publish(owner, reviewer, 'mailed', [{ id: 'work', title, assignee, next: [] }]);
    expect((await disable(ann)).status).toBe(200);
    await start(owner, 'mailed');
    const ask = ({ user: { email } }: Person) => server.anyone.post('/api/auth/reset-request', { email });
    for (const each of [ann, ben]) await ask(each);
    await mailTo(server.dataDir, ben.user.email, ({ text }) => text.includes(title));
    await mailTo(server.dataDir, ben.user.email, ({ text }) => text.includes('password'));
    expect((await enable(ann)).status).toBe(200);
    const again = await secondPersonBench(server).logIn(ann.user.email);
    expect((await notified(again, 'step_assigned')).join()).toContain(title);
    await ask(ann);
    const reset = await mailTo(server.dataDir, ann.user.email);
    expect(reset.text).toContain('password');
    expect((await mailsIn(server.dataDir)).filter(({ to }) => to.includes(ann.user.email))).toHaveLength(1);
  });

  describe('an account can be disabled and enabled', () => {
    /** A member with an invitation and a claimed step in an organization that `end` ends, and a membership elsewhere. */
    const scene = async () => {
      const { found, add } = secondPersonBench(server);
      const owner = await found(true);
      const orgId = owner.user.currentOrgId ?? '';
      const reviewer = await add(owner, 'reviewer', { mailed: true });
      const jon = await add(owner, 'admin', { mailed: true });
      await publish(owner, reviewer, 'work', [{ id: 'work', title: 'Work', assignee: jon.user.email, next: [] }]);
      const { id } = await start(owner, 'work');
      expect((await act(jon, id, 'work', 'claim')).status).toBe(200);
      const email = `late-${randomUUID()}@example.com`;
      const sent = await jon.post<SentInvitation>(`/api/organizations/${orgId}/invitations`, { email, role: 'viewer' });
      const other = await teamOf(server, []);
      await joinOrganization(server, jon, other.orgId, 'editor');
      const actionsIn = async (org: string, actions: string[]) =>
        (
          await server.sql<{ action: string }>(
            'select action from audit_events where org_id = $1 and action = any ($2) order by seq',
            [org, actions],
          )
        ).map(({ action }) => action);
      const recorded = ['account.disabled', 'account.enabled', 'invitation.revoked', 'step.released'];
      return {
        owner,
        jon,
        id,
        sent,
        orgId,
        end: (past: string) =>
          server.sql(
            `insert into ending_organizations (org_id, ends_at, passed_since)
             values ($1, now() + interval '30 days' - $2::interval, case when $2::interval > '30 days' then now() - interval '25 hours' end)`,
            [orgId, past],
          ),
        ending: () => actionsIn(orgId, recorded),
        elsewhere: () => actionsIn(other.orgId, recorded),
      };
    };

    it('while one of its organizations ends, where its invitations are revoked and its steps stay as they are', async () => {
      const { owner, jon, id, sent, end, ending, elsewhere } = await scene();
      await end('0 days');
      expect((await disable(jon)).status).toBe(200);
      expect((await jon.call('GET', '/api/auth/me')).status).toBe(401);
      expect(await ending()).toEqual(['account.disabled', 'invitation.revoked']);
      expect(await elsewhere()).toEqual(['account.disabled']);
      expect((await runOf(owner, id)).history.map(({ action }) => action)).not.toContain('released');
      expect((await enable(jon)).status).toBe(200);
      expect((await server.anyone.call('GET', `/api/invitations/${sent.link.split('/').at(-1)}`)).status).toBe(404);
      expect(await ending()).toEqual(['account.disabled', 'invitation.revoked', 'account.enabled']);
      expect(await verified(owner)).toMatchObject({ state: 'ok', problem: null });
    });

    it('if an earlier release disabled it without revoking the invitations of an organization that ends now', async () => {
      const { jon, end, ending } = await scene();
      await server.sql('update users set disabled_at = now() where id = $1', [jon.user.id]);
      await end('0 days');
      expect((await enable(jon)).status).toBe(200);
      expect(await ending()).toEqual(['account.enabled', 'invitation.revoked']);
    });

    it('while one of its organizations is being deleted, where nothing more is recorded', async () => {
      const { jon, end, ending, elsewhere } = await scene();
      await end('32 days');
      expect((await disable(jon)).status).toBe(200);
      expect((await enable(jon)).status).toBe(200);
      expect(await ending()).toEqual([]);
      expect(await elsewhere()).toEqual(['account.disabled', 'account.enabled']);
    });

    it('with personal tokens while one of its organizations is being deleted, and no job fails', async () => {
      const { jon, orgId, end } = await scene();
      const token = async (org: string) => {
        await server.sql('update users set current_org_id = $2 where id = $1', [jon.user.id, org]);
        return personalToken(server, jon);
      };
      const elsewhere = jon.user.currentOrgId === orgId ? orgId : (jon.user.currentOrgId ?? '');
      await token(elsewhere);
      await end('32 days');
      expect((await disable(jon)).status).toBe(200);
      await eventually(async () => {
        const left = await server.sql(
          `select from outbox where task = 'revoke_personal_tokens' and payload ->> 'userId' = $1
           union all select from graphile_worker._private_jobs where payload ->> 'userId' = $1`,
          [jon.user.id],
        );
        return left.length === 0 ? true : undefined;
      });
    });
  });

  it('lists failed jobs with the reason, retries them and drops them', async () => {
    const { owner, orgId } = await teamOf(server, []);
    const insert = async (): Promise<string> => {
      const [job] = await server.sql<{ id: string }>(
        `insert into graphile_worker._private_jobs (task_id, payload, attempts, max_attempts, last_error, run_at)
         select id, $1, 12, 12, 'no route to mail.example', now() + interval '1 day'
         from graphile_worker._private_tasks where identifier = 'mail_notice' returning id::text`,
        [{ userId: randomUUID(), orgId, notificationId: randomUUID() }],
      );
      return job?.id ?? '';
    };
    const [first, second] = [await insert(), await insert()];
    const jobs = installationRoutes['GET /api/installation/jobs'].ok.parse(
      await admin.get<QueuedJob[]>('/api/installation/jobs'),
    );
    expect(jobs.filter(({ id }) => [first, second].includes(id))).toMatchObject([
      { state: 'failed', reason: 'no route to mail.example' },
      { state: 'failed' },
    ]);
    expect((await admin.call('POST', `/api/installation/jobs/${first}`, { action: 'drop' })).status).toBe(200);
    expect((await admin.call('POST', `/api/installation/jobs/${first}`, { action: 'drop' })).status).toBe(404);
    expect(await lastEvent(owner)).toMatchObject({ action: 'job.dropped', actor: { name: 'Ada Admin' } });
    expect((await admin.call('POST', `/api/installation/jobs/${second}`, { action: 'retry' })).status).toBe(200);
    expect(await verified(owner)).toMatchObject({ state: 'ok' });
  });

  it('lists failed deliveries with the reason, retries them and drops them', async () => {
    const { owner, orgId } = await teamOf(server, []);
    const [webhookId, id] = [randomUUID(), randomUUID()];
    await server.sql(
      `insert into webhooks (org_id, id, name, url, actions, after_seq, created_by, is_active) values ($1, $2, 'ERP', 'https://erp.invalid', '{}', 0, $3, false)`,
      [orgId, webhookId, owner.user.id],
    );
    await server.sql(
      `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, attempts, ended_at, last_problem) values ($1, $2, $3, 'run.started', 'run:1', 'dead', 9, now(), 'connection refused')`,
      [orgId, id, webhookId],
    );
    const deliveries = installationRoutes['GET /api/installation/deliveries'].ok.parse(
      await admin.get<QueuedDelivery[]>('/api/installation/deliveries'),
    );
    expect(deliveries).toMatchObject([{ id, webhook: 'ERP', state: 'dead', reason: 'connection refused' }]);
    expect((await admin.call('POST', `/api/installation/deliveries/${id}/retry`)).status).toBe(200);
    expect(await lastEvent(owner)).toMatchObject({ action: 'webhook.redelivered', actor: { name: 'Ada Admin' } });
    expect((await admin.call('POST', `/api/installation/deliveries/${id}/drop`)).status).toBe(200);
    expect(await lastEvent(owner)).toMatchObject({ action: 'webhook.delivery_dropped', actor: { name: 'Ada Admin' } });
    expect((await admin.call('POST', `/api/installation/deliveries/${id}/drop`)).status).toBe(404);
    expect(await server.sql('select from webhook_deliveries where id = $1', [id])).toEqual([]);
  });

  it('doesn’t drop a delivery that was delivered or is being sent', async () => {
    const { owner, orgId } = await teamOf(server, []);
    const webhookId = randomUUID();
    await server.sql(
      `insert into webhooks (org_id, id, name, url, actions, after_seq, created_by, is_active) values ($1, $2, 'ERP', 'https://erp.invalid', '{}', 0, $3, false)`,
      [orgId, webhookId, owner.user.id],
    );
    for (const [state, claimed] of [
      ['delivered', null],
      ['waiting', '1 minute'],
    ]) {
      const id = randomUUID();
      await server.sql(
        `insert into webhook_deliveries (org_id, id, webhook_id, action, subject, state, claimed_until, ended_at)
         values ($1, $2, $3, 'run.started', 'run:1', $4, now() + $5::interval, case when $4 = 'delivered' then now() end)`,
        [orgId, id, webhookId, state, claimed],
      );
      expect((await admin.call('POST', `/api/installation/deliveries/${id}/drop`)).status).toBe(404);
      expect(await server.sql('select from webhook_deliveries where id = $1', [id])).toHaveLength(1);
    }
  });

  it('immediately changes who can sign up, and shows who changed it', async () => {
    const signUp = (email: string) =>
      server.anyone.call('POST', '/api/auth/signup', { email, name: 'New Here', password: 'a long enough one' });
    const change = (to: string | null) => admin.call('POST', '/api/installation/sign-up', { signUp: to });
    const state = async () =>
      installationRoutes['GET /api/installation'].ok.parse(await admin.get('/api/installation'));
    expect(await state()).toMatchObject({ signUp: 'open', signUpChange: null });
    expect((await change('closed')).status).toBe(200);
    expect(await signUp('one@sign-up.example')).toMatchObject({ status: 403, body: { code: 'sign_up_closed' } });
    expect(await server.anyone.get('/api/auth/oidc')).toMatchObject({ signUp: 'closed' });
    expect(await change('domain:Sign-Up.example')).toMatchObject({
      status: 200,
      body: { message: containing('sign-up.example') },
    });
    expect((await signUp('two@sign-up.example')).status).toBe(201);
    expect((await signUp('two@other.example')).status).toBe(403);
    expect(await state()).toMatchObject({
      signUp: 'domains',
      signUpDomains: ['sign-up.example'],
      signUpChange: { by: ADMIN },
    });
    expect(await change('sometimes')).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect((await change(null)).status).toBe(200);
    expect(await state()).toMatchObject({ signUp: 'open', signUpChange: null });
    expect((await signUp('two@other.example')).status).toBe(201);
  });

  it('applies a change of who can sign up even to a sign-up that is in progress', async () => {
    expect((await admin.call('POST', '/api/installation/sign-up', { signUp: 'closed' })).status).toBe(200);
    const { deps } = server.server;
    const refused = deps.db.transaction(null, (tx) => assertStillMaySignUp(deps, tx, 'late@example.com'));
    await expect(refused).rejects.toMatchObject({ refusal: { code: 'sign_up_closed' } });
    expect((await admin.call('POST', '/api/installation/sign-up', { signUp: null })).status).toBe(200);
    await deps.db.transaction(null, (tx) => assertStillMaySignUp(deps, tx, 'late@example.com'));
  });
});

it('the administration of an installation exists for no one if STET_ADMINS isn’t set', async () => {
  const server = await startTestServer();
  const person = await server.signUp();
  expect((await person.call('GET', '/api/installation')).status).toBe(404);
  await server.stop();
});
