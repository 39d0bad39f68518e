import { setTimeout as sleep } from 'node:timers/promises';
import { type ContractKey, contract } from '@stet/contract';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/mailbox.ts';
import { teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { sendSigned } from '../../testing/slack-calls.ts';
import type { FakeSlack } from '../../testing/slack.ts';
import { SLACK_PATH, type SlackScene, withSlackScene } from '../../testing/slack-scene.ts';

describe('Slack', () => {
  let scene: SlackScene;
  let slack: FakeSlack;
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let orgId: string;

  withSlackScene((given) => {
    ({ scene, slack, server, owner, reviewer, orgId } = given);
  });

  describe('the connection', () => {
    it('is created when a browser returns from Slack, and can be ended; the trail records both', async () => {
      expect(await scene.status(reviewer)).toMatchObject({ connected: false, available: true, workspace: null });
      expect(await scene.connect()).toBe('/app/integrations?slack=success');
      expect(await scene.status(reviewer)).toMatchObject({
        connected: true,
        workspace: 'Halden Works',
        channel: null,
        problem: null,
        connectedBy: owner.user.name,
      });
      const answered = await owner.call('DELETE', SLACK_PATH);
      expect(answered).toMatchObject({ status: 200, body: { connected: false } });
      expect(await owner.call('DELETE', SLACK_PATH)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      await eventually(() => slack.asked.find(({ method }) => method === 'auth.revoke'));
      const events = await server.sql<{ action: string; payload: string }>(
        `select action, payload from audit_events where org_id = $1 and action like 'integration.%' order by seq`,
        [orgId],
      );
      expect(events.map(({ action }) => action)).toEqual(['integration.connected', 'integration.disconnected']);
      expect(JSON.stringify(events)).not.toContain('xoxb');
    });

    it('is refused to people without the permission, even if they lost the permission while they were at Slack', async () => {
      expect((await reviewer.call('POST', `${SLACK_PATH}/tickets`)).status).toBe(403);
      const atSlack = await scene.goToSlack();
      await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
        orgId,
        owner.user.id,
      ]);
      const back = await scene.visit(atSlack.location);
      expect((await scene.visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await scene.status()).toMatchObject({ connected: false });
      expect(scene.askedFor('oauth.v2.access')).toEqual([]);
    });

    it('is not created if saving fails, and the token that Slack issued is then revoked', async () => {
      await server.sql(`create function refuse_connection() returns trigger language plpgsql as
        $$ begin raise exception 'not kept'; end $$`);
      await server.sql(`create trigger refuse before insert on slack_connections
        for each row execute function refuse_connection()`);
      expect(await scene.connect()).toBe('/app/integrations?slack=error');
      await server.sql('drop function refuse_connection cascade');
      expect(scene.askedFor('oauth.v2.access')).toHaveLength(1);
      await eventually(() => scene.askedFor('auth.revoke')[0]);
      expect(await scene.connect()).toBe('/app/integrations?slack=success');
    });

    it('revokes its token when a different workspace replaces it, but not when renewed with the same token', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const first = await scene.posted((await scene.running({ assignee: reviewer.user.email })).title);
      slack.team.id = 'T0OTHER';
      expect(await scene.connect()).toBe('/app/integrations?slack=success');
      slack.team.id = 'T0TEAM';
      await eventually(() => scene.askedFor('auth.revoke')[0]);
      const second = await scene.posted((await scene.running({ assignee: reviewer.user.email })).title);
      expect(slack.isLive(first.token)).toBe(false);
      expect(slack.isLive(second.token)).toBe(true);

      slack.reusesToken = true;
      for (let n = 0; n < 2; n += 1) expect(await scene.connect()).toBe('/app/integrations?slack=success');
      await eventually(async () => {
        const jobs = `select from outbox where task = 'revoke_slack_token'
          union all select from graphile_worker.jobs where task_identifier = 'revoke_slack_token'`;
        return (await server.sql(jobs)).length === 0 ? true : undefined;
      });
      slack.reusesToken = false;
      const third = await scene.posted((await scene.running({ assignee: reviewer.user.email })).title);
      expect(slack.isLive(third.token)).toBe(true);
    });

    it('is not created if the person refuses or if the session has ended in the meantime', async () => {
      slack.isAllowed = false;
      expect(await scene.connect()).toBe('/app/integrations?slack=error');
      slack.isAllowed = true;
      const atSlack = await scene.goToSlack();
      const back = await scene.visit(atSlack.location);
      await owner.post('/api/auth/logout');
      expect((await scene.visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await scene.status(reviewer)).toMatchObject({ connected: false });
    });

    it('is created only once per ticket and state, in the requesting browser, and never with made-up values', async () => {
      const { url, cookie } = await scene.ticketOf(owner);
      const atSlack = { location: (await scene.visit(url, cookie)).location, cookie };
      expect((await scene.visit(url, cookie)).location).toBe('/app/integrations?slack=error');
      const back = await scene.visit(atSlack.location);
      // Opening the callback link in a different browser doesn't connect anything.
      expect((await scene.visit(back.location)).location).toBe('/app/integrations?slack=error');
      expect((await scene.visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await scene.status()).toMatchObject({ connected: false });

      const again = await scene.goToSlack();
      const once = await scene.visit(again.location);
      expect((await scene.visit(once.location, again.cookie)).location).toBe('/app/integrations?slack=success');
      expect((await scene.visit(once.location, again.cookie)).location).toBe('/app/integrations?slack=error');
      const state = new URL(once.location).searchParams.get('state') ?? '';
      for (const address of [
        `${SLACK_PATH}/install`,
        `${SLACK_PATH}/install?ticket=made-up`,
        `${SLACK_PATH}/install?ticket=${encodeURIComponent(state)}`,
        `${SLACK_PATH}/callback`,
        `${SLACK_PATH}/callback?code=made-up`,
        `${SLACK_PATH}/callback?code=made-up&state=made-up`,
      ])
        expect((await scene.visit(address, again.cookie)).location).toBe('/app/integrations?slack=error');
    });

    it('is not created with a ticket that a different browser requested', async () => {
      const asked = await owner.call<{ url: string }>('POST', `${SLACK_PATH}/tickets`);
      const attributes = asked.headers.get('set-cookie')?.split('; ').slice(1);
      expect(attributes).toEqual([`Path=${SLACK_PATH}`, 'Max-Age=960', 'HttpOnly', 'SameSite=Lax']);
      for (const cookie of ['', 'stet_slack=made-up', (await scene.ticketOf(owner)).cookie]) {
        const { url } = await scene.ticketOf(owner);
        const sent = await scene.visit(url, cookie);
        expect(sent).toMatchObject({ location: '/app/integrations?slack=error', cookie: '' });
      }
      expect(slack.asked).toEqual([]);
    });

    it('stores its token encrypted; a server with a new secret and the old one encrypts it again with the new one', async () => {
      await scene.connect();
      const sealed = async (): Promise<string> =>
        (
          await server.sql<{ sealed_token: string }>('select sealed_token from slack_connections where org_id = $1', [
            orgId,
          ])
        )[0]?.sealed_token ?? '';
      const before = await sealed();
      expect(before).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
      const dump = await server.sql(`select * from slack_connections where org_id = $1`, [orgId]);
      expect(JSON.stringify(dump)).not.toContain('xoxb');
      const environment = {
        ...slack.environment,
        SECRET_KEY: `another, ${scene.environment.SECRET_KEY}`,
        SECRET_KEY_PREVIOUS: scene.environment.SECRET_KEY,
      };
      const next = await startTestServerOn(server.database, environment);
      await server.sql(`insert into outbox (task, payload) values ('reseal_tokens', '{}')`);
      // Either server may execute the job, but only the new one encrypts the token again.
      await eventually(async () => {
        if ((await sealed()) !== before) return true;
        await server.sql(`insert into outbox (task, payload) values ('reseal_tokens', '{}')`);
        await sleep(300);
        return undefined;
      });
      await next.server.stop();
      expect(await scene.status()).toMatchObject({ connected: true, problem: 'secret_key_changed' });
    });

    it('can have a channel, but only one that exists in Slack', async () => {
      expect(await owner.get(`${SLACK_PATH}/channels`)).toEqual([]);
      expect((await owner.call('PATCH', SLACK_PATH, { channelId: 'C1' })).status).toBe(404);
      await scene.connect();
      const ids = ['zebra', 'approvals', 'middle'].map((name) => slack.addChannel(name));
      const names = (await owner.get<{ name: string }[]>(`${SLACK_PATH}/channels`)).map(({ name }) => name);
      expect(names.filter((name) => ['zebra', 'approvals', 'middle'].includes(name))).toEqual([
        'approvals',
        'middle',
        'zebra',
      ]);
      expect(await owner.call('PATCH', SLACK_PATH, { channelId: 'C0NOWHERE' })).toMatchObject({ status: 404 });
      expect(await owner.patch(SLACK_PATH, { channelId: ids[1] })).toMatchObject({ channel: { name: 'approvals' } });
      expect(await scene.status(reviewer)).toMatchObject({ channel: { id: ids[1], name: 'approvals' } });
      expect(await owner.patch(SLACK_PATH, { channelId: null })).toMatchObject({ channel: null });
      slack.startOutage();
      expect(await owner.call('GET', `${SLACK_PATH}/channels`)).toMatchObject({
        status: 503,
        body: { code: 'slack_unavailable' },
      });
    });
  });

  it('sends responses that match the contract', async () => {
    const answers = async (key: ContractKey, body?: object): Promise<void> => {
      const [method = '', path = ''] = key.split(' ');
      const spec = contract[key];
      const answered = await owner.call(method, path, body);
      expect({ key, status: answered.status }).toEqual({ key, status: 200 });
      if (!('contentType' in spec.ok)) expect(answered.body).toStrictEqual(spec.ok.parse(answered.body));
    };
    await scene.connect();
    await answers('GET /api/integrations/slack/status');
    await answers('POST /api/integrations/slack/tickets');
    await answers('GET /api/integrations/slack/channels');
    await answers('POST /api/integrations/slack/notify', {
      assignee: 'a@example.com',
      message: 'A',
      workflowName: 'B',
    });
    await answers('PATCH /api/integrations/slack', { channelId: null });
    await answers('DELETE /api/integrations/slack');
  });
});

describe('a server without a Slack app', () => {
  it('reports that Slack is not set up, but accepts requests to notify someone in Slack', async () => {
    const server = await startTestServer();
    const { owner } = await teamOf(server, ['reviewer']);
    expect(await owner.get(`${SLACK_PATH}/status`)).toMatchObject({ connected: false, available: false });
    expect(await owner.call('POST', `${SLACK_PATH}/tickets`)).toMatchObject({
      status: 404,
      body: { error: "Slack isn't set up on this server" },
    });
    const notify = { assignee: 'a@example.com', message: 'Step', workflowName: 'Flow' };
    expect((await owner.call('POST', `${SLACK_PATH}/notify`, notify)).status).toBe(200);
    const received = await sendSigned(`${server.server.url}${SLACK_PATH}/interactivity`, 'payload={}');
    expect(received.status).toBe(404);
    await server.stop();
  });
});
