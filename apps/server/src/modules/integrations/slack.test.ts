import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@stet/domain/access';
import { type ContractKey, type SlackStatus, contract } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { eventually, mailTo } from '../../testing/mailbox.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import type { SlackPosted } from '../../testing/slack-blocks.ts';
import { sendSigned } from '../../testing/slack-calls.ts';
import { type FakeSlack, startFakeSlack } from '../../testing/slack.ts';

const HERE = '/api/integrations/slack';
const SECRET_KEY = 'one secret for all servers of an installation';

describe('Slack', () => {
  let slack: FakeSlack;
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let orgId: string;
  let keys = 0;

  beforeAll(async () => {
    slack = await startFakeSlack();
    server = await startTestServer({ ...slack.environment, SECRET_KEY });
  });
  afterAll(async () => {
    await server.stop();
    await slack.stop();
  });
  beforeEach(async () => {
    // What the organizations of former tests still had to send goes nowhere.
    await server.sql('delete from slack_connections');
    ({ owner, reviewer, orgId } = await teamOf(server, ['reviewer']));
    for (const list of [slack.asked, slack.posted, slack.updated, slack.whispered]) list.length = 0;
    slack.isAllowed = true;
    slack.comeBack();
  });

  const status = (who: Person = owner): Promise<SlackStatus> => who.get<SlackStatus>(`${HERE}/status`);
  const interactivity = (): string => `${server.server.url}${HERE}/interactivity`;

  /** Goes where a browser would go, without following; keeps the cookie as one would. */
  async function visit(address: string, cookie = ''): Promise<{ status: number; location: string; cookie: string }> {
    const response = await fetch(new URL(address, server.server.url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    });
    const set = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { status: response.status, location: response.headers.get('location') ?? '', cookie: set };
  }

  async function ticketOf(who: Person): Promise<{ url: string; cookie: string }> {
    const { body, headers } = await who.call<{ url: string }>('POST', `${HERE}/tickets`);
    return { url: body.url, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
  }
  /** Asks for a ticket and goes to Slack with it, in one browser. */
  async function goToSlack(who: Person = owner): Promise<{ location: string; cookie: string }> {
    const { url, cookie } = await ticketOf(who);
    return { location: (await visit(url, cookie)).location, cookie };
  }
  async function connect(who: Person = owner): Promise<string> {
    const atSlack = await goToSlack(who);
    const back = await visit(atSlack.location);
    return (await visit(back.location, atSlack.cookie)).location;
  }
  const askedFor = (method: string) => slack.asked.filter((each) => each.method === method);

  /** A live workflow of one step, and a run of it. */
  async function running(
    step: { type?: string; assignee?: string; config?: object; sla?: string } = {},
    name = 'A run',
  ) {
    keys += 1;
    const key = `slack-${keys}`;
    await publish(owner, reviewer, key, [{ id: 'step-1', title: `Step ${keys}`, ...step }]);
    return { ...(await start(owner, key, name)), title: `Step ${keys}`, workflow: `Title of ${key}` };
  }
  const about = (title: string) => slack.posted.filter(({ text }) => text.includes(title));
  const posted = (title: string): Promise<SlackPosted> => eventually(() => about(title)[0]);
  const buttons = ({ blocks }: SlackPosted): string[] =>
    blocks.flatMap(({ elements = [] }) => elements).map(({ text }) => text?.text ?? '');

  describe('is connected', () => {
    it('by a browser that comes back from Slack, and disconnected, with both in the audit trail', async () => {
      expect(await status(reviewer)).toMatchObject({ connected: false, available: true, workspace: null });
      expect(await connect()).toBe('/app/integrations?slack=success');
      expect(await status(reviewer)).toMatchObject({
        connected: true,
        workspace: 'Halden Works',
        channel: null,
        problem: null,
        connectedBy: owner.user.name,
      });
      const answered = await owner.call('DELETE', HERE);
      expect(answered).toMatchObject({ status: 200, body: { connected: false } });
      expect(await owner.call('DELETE', HERE)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      await eventually(() => slack.asked.find(({ method }) => method === 'auth.revoke'));
      const events = await server.sql<{ action: string; payload: string }>(
        `select action, payload from audit_events where org_id = $1 and action like 'integration.%' order by seq`,
        [orgId],
      );
      expect(events.map(({ action }) => action)).toEqual(['integration.connected', 'integration.disconnected']);
      expect(JSON.stringify(events)).not.toContain('xoxb');
    });

    it('not by whoever has no right to, and not where they lost it on the way', async () => {
      expect((await reviewer.call('POST', `${HERE}/tickets`)).status).toBe(403);
      const atSlack = await goToSlack();
      await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
        orgId,
        owner.user.id,
      ]);
      const back = await visit(atSlack.location);
      expect((await visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await status()).toMatchObject({ connected: false });
      expect(askedFor('oauth.v2.access')).toEqual([]);
    });

    it('not where it can’t be kept, and then the token that Slack gave is ended', async () => {
      await server.sql(`create function refuse_connection() returns trigger language plpgsql as
        $$ begin raise exception 'not kept'; end $$`);
      await server.sql(`create trigger refuse before insert on slack_connections
        for each row execute function refuse_connection()`);
      expect(await connect()).toBe('/app/integrations?slack=error');
      await server.sql('drop function refuse_connection cascade');
      expect(askedFor('oauth.v2.access')).toHaveLength(1);
      await eventually(() => askedFor('auth.revoke')[0]);
      expect(await connect()).toBe('/app/integrations?slack=success');
    });

    it('anew to another workspace, and then the token of the one before is ended, and to the same with the same token', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const first = await posted((await running({ assignee: reviewer.user.email })).title);
      slack.team.id = 'T0OTHER';
      expect(await connect()).toBe('/app/integrations?slack=success');
      slack.team.id = 'T0TEAM';
      await eventually(() => askedFor('auth.revoke')[0]);
      const second = await posted((await running({ assignee: reviewer.user.email })).title);
      expect(slack.isLive(first.token)).toBe(false);
      expect(slack.isLive(second.token)).toBe(true);

      slack.keepsToken = true;
      for (let n = 0; n < 2; n += 1) expect(await connect()).toBe('/app/integrations?slack=success');
      await eventually(async () => {
        const jobs = `select from outbox where task = 'revoke_slack_token'
          union all select from graphile_worker.jobs where task_identifier = 'revoke_slack_token'`;
        return (await server.sql(jobs)).length === 0 ? true : undefined;
      });
      slack.keepsToken = false;
      const third = await posted((await running({ assignee: reviewer.user.email })).title);
      expect(slack.isLive(third.token)).toBe(true);
    });

    it('not where the person says no, or the session has ended meanwhile', async () => {
      slack.isAllowed = false;
      expect(await connect()).toBe('/app/integrations?slack=error');
      slack.isAllowed = true;
      const atSlack = await goToSlack();
      const back = await visit(atSlack.location);
      await owner.post('/api/auth/logout');
      expect((await visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await status(reviewer)).toMatchObject({ connected: false });
    });

    it('once by a ticket and once by a state, by the browser that asked, and by nothing that was made up', async () => {
      const { url, cookie } = await ticketOf(owner);
      const atSlack = { location: (await visit(url, cookie)).location, cookie };
      expect((await visit(url, cookie)).location).toBe('/app/integrations?slack=error');
      const back = await visit(atSlack.location);
      // Another browser: whoever sends a link to what comes back connects nothing by it.
      expect((await visit(back.location)).location).toBe('/app/integrations?slack=error');
      expect((await visit(back.location, atSlack.cookie)).location).toBe('/app/integrations?slack=error');
      expect(await status()).toMatchObject({ connected: false });

      const again = await goToSlack();
      const once = await visit(again.location);
      expect((await visit(once.location, again.cookie)).location).toBe('/app/integrations?slack=success');
      expect((await visit(once.location, again.cookie)).location).toBe('/app/integrations?slack=error');
      const state = new URL(once.location).searchParams.get('state') ?? '';
      for (const address of [
        `${HERE}/install?ticket=made-up`,
        `${HERE}/install?ticket=${encodeURIComponent(state)}`,
        `${HERE}/callback`,
        `${HERE}/callback?code=made-up`,
        `${HERE}/callback?code=made-up&state=made-up`,
      ])
        expect((await visit(address, again.cookie)).location).toBe('/app/integrations?slack=error');
      expect((await visit(`${HERE}/install`)).location).toBe('/app/integrations');
    });

    it('not by a ticket that one browser asked for and another was sent away with', async () => {
      const asked = await owner.call<{ url: string }>('POST', `${HERE}/tickets`);
      const attributes = asked.headers.get('set-cookie')?.split('; ').slice(1);
      expect(attributes).toEqual([`Path=${HERE}`, 'Max-Age=960', 'HttpOnly', 'SameSite=Lax']);
      for (const cookie of ['', 'stet_slack=made-up', (await ticketOf(owner)).cookie]) {
        const { url } = await ticketOf(owner);
        const sent = await visit(url, cookie);
        expect(sent).toMatchObject({ location: '/app/integrations?slack=error', cookie: '' });
      }
      expect(slack.asked).toEqual([]);
    });

    it('with a token that is sealed in the database, and read by a server with a new secret that knows the old one', async () => {
      await connect();
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
        SECRET_KEY: `another, ${SECRET_KEY}`,
        SECRET_KEY_PREVIOUS: SECRET_KEY,
      };
      const next = await startTestServerOn(server.database, environment);
      await server.sql(`insert into outbox (task, payload) values ('reseal_tokens', '{}')`);
      // Either server may do the job; it is the new one that finds something to do.
      await eventually(async () => {
        if ((await sealed()) !== before) return true;
        await server.sql(`insert into outbox (task, payload) values ('reseal_tokens', '{}')`);
        await sleep(300);
        return undefined;
      });
      await next.server.stop();
      expect(await status()).toMatchObject({ connected: true, problem: 'secret_key_changed' });
    });

    it('to a channel of the organization’s choice, which has to be there', async () => {
      expect(await owner.get(`${HERE}/channels`)).toEqual([]);
      expect((await owner.call('PATCH', HERE, { channelId: 'C1' })).status).toBe(404);
      await connect();
      const ids = ['zebra', 'approvals', 'middle'].map((name) => slack.addChannel(name));
      const names = (await owner.get<{ name: string }[]>(`${HERE}/channels`)).map(({ name }) => name);
      expect(names.filter((name) => ['zebra', 'approvals', 'middle'].includes(name))).toEqual([
        'approvals',
        'middle',
        'zebra',
      ]);
      expect(await owner.call('PATCH', HERE, { channelId: 'C0NOWHERE' })).toMatchObject({ status: 404 });
      expect(await owner.patch(HERE, { channelId: ids[1] })).toMatchObject({ channel: { name: 'approvals' } });
      expect(await status(reviewer)).toMatchObject({ channel: { id: ids[1], name: 'approvals' } });
      expect(await owner.patch(HERE, { channelId: null })).toMatchObject({ channel: null });
      slack.goDown();
      expect(await owner.call('GET', `${HERE}/channels`)).toMatchObject({
        status: 503,
        body: { code: 'slack_unavailable' },
      });
    });
  });

  describe('tells the assignee', () => {
    it('of run, step, due time and link, once, in person', async () => {
      await connect();
      const id = slack.addMember(reviewer.user.email);
      const run = await running({ assignee: reviewer.user.email.toUpperCase(), sla: '4h' }, 'Nordlicht <GmbH> & Co');
      const message = await posted(run.title);
      expect(message.channel).toBe(`D${id.slice(1)}`);
      const said = JSON.stringify(message.blocks);
      expect(said).toContain(`/app/runs/${run.id}`);
      expect(said).toContain('Nordlicht &lt;GmbH&gt; &amp; Co');
      expect(said).toMatch(/<!date\^\d{10}\^/);
      expect(said).toContain('waits for you');
      expect(buttons(message)).toEqual(['Complete', 'Open in Stet']);
    });

    it('once, whatever makes the job come again, on two servers, and however often a client asks for the same', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const other = await startTestServerOn(server.database, { ...slack.environment, SECRET_KEY });
      const run = await running({ assignee: reviewer.user.email });
      const ask = { assignee: reviewer.user.email, message: run.title, workflowName: run.workflow };
      for (let n = 0; n < 3; n += 1)
        expect(await owner.call('POST', `${HERE}/notify`, ask)).toMatchObject({ status: 200 });
      const about1 = { kind: 'step', runId: run.id, stepId: 'step-1', activation: 1 };
      for (let n = 0; n < 5; n += 1)
        await server.sql(`insert into outbox (task, payload) values ('tell_in_slack', $1)`, [
          JSON.stringify({ orgId, about: about1 }),
        ]);
      await posted(run.title);
      await complete(reviewer, run.id, 'step-1');
      // The step is done by now; its message was sent a moment ago all the same.
      await owner.post(`${HERE}/notify`, ask);
      await sleep(1500);
      expect(about(run.title)).toHaveLength(1);
      await other.server.stop();
    });

    it('as a client asks for it, once, where the server knows of no such step', async () => {
      await connect();
      slack.addMember('someone@example.com');
      const ask = { assignee: 'someone@example.com', message: 'Water the plants', workflowName: 'Office' };
      for (let n = 0; n < 2; n += 1) {
        expect(await reviewer.call('POST', `${HERE}/notify`, ask)).toMatchObject({ status: 200 });
        await posted('Water the plants');
      }
      await sleep(500);
      expect(about('Water the plants')).toHaveLength(1);
    });

    it('in the organization’s channel where nobody has the address or a role is meant, and nowhere where there is none', async () => {
      await connect();
      const nobody = await running({ assignee: 'nobody@example.com' });
      await eventually(async () => {
        const [row] = await server.sql<{ state: string }>('select state from slack_messages where org_id = $1', [
          orgId,
        ]);
        return row?.state === 'failed' ? true : undefined;
      });
      expect(about(nobody.title)).toEqual([]);
      const channel = slack.addChannel('team');
      await owner.patch(HERE, { channelId: channel });
      const byRole = await running({ assignee: 'reviewer', type: 'approval' });
      const message = await posted(byRole.title);
      expect(message.channel).toBe(channel);
      expect(JSON.stringify(message.blocks)).toContain('waits for the reviewers');
      expect(buttons(message)).toEqual(['Approve', 'Open in Stet']);
      const byMail = await running({ assignee: 'nobody@example.com' });
      expect(JSON.stringify((await posted(byMail.title)).blocks)).toContain('waits for nobody@example.com');
      for (const assignee of ['Unassigned', 'system', '']) await running({ assignee });
      await sleep(500);
      expect(slack.posted.filter(({ token }) => token !== '')).toHaveLength(2);
    });

    it('without a way to complete where there is a form to fill in', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const fields = [{ id: 'amount', label: 'Amount', kind: 'number' }];
      const run = await running({ assignee: reviewer.user.email, config: { fields } });
      expect(buttons(await posted(run.title))).toEqual(['Open in Stet']);
    });

    it('after a rate limit is over, not before', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      slack.fail('chat.postMessage', {
        status: 429,
        headers: { 'retry-after': '2' },
        body: { ok: false, error: 'ratelimited' },
      });
      const run = await running({ assignee: reviewer.user.email });
      const tries = (): number => slack.asked.filter(({ method }) => method === 'chat.postMessage').length;
      await eventually(() => (tries() === 1 ? true : undefined));
      const refusedAt = Date.now();
      await posted(run.title);
      expect(Date.now() - refusedAt).toBeGreaterThan(1900);
      expect(tries()).toBe(2);
    });

    it('of all that came while Slack was dead, once it is back; meanwhile mail and everything else goes on', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      slack.goDown();
      const runs = await Promise.all(Array.from({ length: 4 }, () => running({ assignee: reviewer.user.email })));
      for (const { title } of runs)
        await mailTo(server.dataDir, reviewer.user.email, ({ text }) => text.includes(title));
      slack.comeBack();
      for (const { title } of runs) await posted(title);
      await sleep(500);
      expect(runs.map(({ title }) => about(title).length)).toEqual([1, 1, 1, 1]);
    });

    it('when Slack answers with an error of its own, or hangs up without having taken it', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      slack.fail('users.lookupByEmail', { hangUp: true });
      slack.fail('chat.postMessage', { status: 503 });
      const run = await running({ assignee: reviewer.user.email });
      await expect.poll(() => about(run.title).length, { timeout: 30_000 }).toBe(1);
      const asked = slack.asked.map(({ method }) => method).filter((method) => method !== 'oauth.v2.access');
      expect(asked).toEqual([
        'users.lookupByEmail',
        'users.lookupByEmail',
        'chat.postMessage',
        'users.lookupByEmail',
        'chat.postMessage',
      ]);
    });

    it('of what waited while the token was of no use, once the organization is connected anew', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      slack.endTokens();
      const run = await running({ assignee: reviewer.user.email });
      await eventually(async () => ((await status()).problem === 'invalid_auth' ? true : undefined));
      const second = await running({ assignee: reviewer.user.email });
      await sleep(500);
      expect(about(run.title)).toEqual([]);
      await connect();
      await posted(run.title);
      await posted(second.title);
      expect(await status()).toMatchObject({ connected: true, problem: null });
    });

    it('of what waited while the token could not be read, once it can, and of nothing that has moved on by then', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const before = 'update slack_connections set sealed_token = $2 where org_id = $1';
      const [kept] = await server.sql<{ sealed: string }>(
        'select sealed_token as sealed from slack_connections where org_id = $1',
        [orgId],
      );
      await server.sql(before, [orgId, 'v1.00000000.unreadable']);
      const [waits, over] = [
        await running({ assignee: reviewer.user.email }),
        await running({ assignee: reviewer.user.email }),
      ];
      const states = async () =>
        (
          await server.sql<{ state: string }>('select state from slack_messages where org_id = $1 order by state', [
            orgId,
          ])
        ).map(({ state }) => state);
      await expect.poll(states, { timeout: 10_000 }).toEqual(['waiting', 'waiting']);
      await complete(reviewer, over.id, 'step-1');
      const sweep = async (): Promise<void> => {
        await server.sql(`update slack_messages set at = at - interval '21 minutes' where org_id = $1`, [orgId]);
        await server.sql(`insert into outbox (task, payload) values ('sweep_slack', '{}')`);
      };
      await sweep();
      await sleep(1500);
      expect(await states()).toEqual(['waiting', 'waiting']);
      await server.sql(before, [orgId, kept?.sealed]);
      await sweep();
      await posted(waits.title);
      await expect.poll(states, { timeout: 10_000 }).toEqual(['failed', 'sent']);
      expect(about(over.title)).toEqual([]);
    });

    it('once, though the database doesn’t take for a while that it was sent', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      await server.sql(`create function refuse_sent() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$`);
      await server.sql(`create trigger refuse before update on slack_messages
        for each row when (new.state = 'sent') execute function refuse_sent()`);
      const run = await running({ assignee: reviewer.user.email });
      await posted(run.title);
      await sleep(1000);
      await server.sql('drop function refuse_sent cascade');
      const stateOf = async () =>
        (await server.sql<{ state: string }>('select state from slack_messages where org_id = $1', [orgId]))[0]?.state;
      await expect.poll(stateOf, { timeout: 20_000 }).toBe('sent');
      expect(about(run.title)).toHaveLength(1);
    });

    it('with what people wrote as words, whatever means something to Slack: in blocks, and in the text beside them', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const named = await running({ assignee: reviewer.user.email }, 'Run <!channel> one');
      const message = await posted(named.title);
      expect(message.text).toContain('Run &lt;!channel&gt; one');
      expect(JSON.stringify(message.blocks)).not.toContain('<!channel>');
      await complete(reviewer, named.id, 'step-1');
      await owner.post(`${HERE}/notify`, {
        assignee: reviewer.user.email,
        message: '<!channel> <https://evil.example|Reset>',
        workflowName: 'A & <B>',
      });
      const asked = await posted('evil.example');
      expect(asked.text).toContain('&lt;!channel&gt; &lt;https://evil.example|Reset&gt;');
      expect(asked.text).toContain('A &amp; &lt;B&gt;');
      const config = { recipients: [reviewer.user.email], channels: ['slack'], template: '<!here> {{run.name}}' };
      const told = await running({ type: 'notification', config }, '<@U1>');
      expect((await posted(told.title)).text).toContain('&lt;!here&gt; &lt;@U1&gt;');
    });

    it('by a notification step’s own channel, and lists whom it didn’t reach', async () => {
      await connect();
      slack.addMember(reviewer.user.email);
      const config = {
        recipients: [reviewer.user.email, 'nobody@example.com'],
        channels: ['slack'],
        template: 'Hello {{run.name}}',
      };
      const run = await running({ type: 'notification', config }, 'World');
      const message = await posted(run.title);
      expect(JSON.stringify(message.blocks)).toContain('Hello World');
      await expect.poll(async () => (await runOf(owner, run.id)).status, { timeout: 20_000 }).toBe('completed');
      expect(JSON.stringify((await runOf(owner, run.id)).history)).toContain('nobody@example.com (slack)');
      expect(about(run.title)).toHaveLength(1);
    });
  });

  describe('acts', () => {
    it('as the member whose address Slack confirms: completes with what was typed', async () => {
      await connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await running({ assignee: reviewer.user.email });
      const message = await posted(run.title);
      const heard = await slack.press(interactivity(), {
        message,
        action: 'complete_step',
        userId,
        input: ' All checked ',
      });
      expect([heard.status, await heard.text()]).toEqual([200, '']);
      const done = await eventually(async () => {
        const now = await runOf(owner, run.id);
        return now.status === 'completed' ? now : undefined;
      });
      expect(done.steps[0]).toMatchObject({ output: { text: 'All checked' }, completedBy: { id: reviewer.user.id } });
      const shown = await eventually(() => slack.updated[0]);
      expect(shown).toMatchObject({ channel: message.channel, ts: message.ts });
      expect(shown.text).toContain(`Completed by ${reviewer.user.name}`);
      expect(buttons(shown)).toEqual([]);
      const [event] = await server.sql<{ payload: string }>(
        `select payload from audit_events where run_id = $1 and action = 'step.completed'`,
        [run.id],
      );
      expect(event?.payload).toContain(`"sessionId":"slack:T0TEAM:${userId}"`);
    });

    it('approves with a comment, each person with their own vote', async () => {
      await connect();
      const channel = slack.addChannel('votes');
      await owner.patch(HERE, { channelId: channel });
      const [first, second] = [slack.addMember(owner.user.email), slack.addMember(reviewer.user.email)];
      const run = await running({ type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 2 } });
      const message = await posted(run.title);
      await slack.press(interactivity(), { message, action: 'approve_step', userId: first, input: 'Fine' });
      await eventually(() => slack.whispered.find(({ text }) => text === 'Your approval is recorded: 1 of 2.'));
      await slack.press(interactivity(), { message, action: 'approve_step', userId: first });
      await eventually(() => slack.whispered.find(({ text }) => text === 'You have approved this step already.'));
      await slack.press(interactivity(), { message, action: 'approve_step', userId: second });
      await eventually(async () => ((await runOf(owner, run.id)).status === 'completed' ? true : undefined));
      expect(JSON.stringify((await runOf(owner, run.id)).history)).toContain('Fine');
    });

    it('not for whoever may not, is no member, is a guest of another workspace, or has an address nobody confirmed', async () => {
      await connect();
      await owner.patch(HERE, { channelId: slack.addChannel('open') });
      const outsider = await server.signUp();
      const run = await running({ assignee: 'owner' });
      const message = await posted(run.title);
      const whispers = async (userId: string, said: RegExp): Promise<void> => {
        await slack.press(interactivity(), { message, action: 'complete_step', userId, input: 'Mine now' });
        await eventually(() => slack.whispered.find(({ user, text }) => user === userId && said.test(text)));
      };
      await whispers(slack.addMember(reviewer.user.email), /assigned to someone else/);
      const noMember = /not that of a member/;
      await whispers(slack.addMember(outsider.user.email), noMember);
      await whispers(slack.addMember(owner.user.email, { isStranger: true }), noMember);
      await whispers(slack.addMember(owner.user.email, { isConfirmed: false }), noMember);
      await slack.press(interactivity(), {
        message,
        action: 'complete_step',
        userId: slack.addMember(owner.user.email),
        input: 'From elsewhere',
        team: 'T0ANOTHER',
      });
      await sleep(800);
      expect(await runOf(owner, run.id)).toMatchObject({ status: 'running', currentStepIds: ['step-1'] });
    });

    it('once for a press that Slack sends twice, and not on a step that has moved on', async () => {
      await connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await running({ assignee: reviewer.user.email });
      const message = await posted(run.title);
      const press = { message, action: 'complete_step', userId, input: 'Done', trigger: `trigger-${run.id}` };
      await Promise.all([slack.press(interactivity(), press), slack.press(interactivity(), press)]);
      await eventually(async () => ((await runOf(owner, run.id)).status === 'completed' ? true : undefined));
      await slack.press(interactivity(), press);
      await slack.press(interactivity(), { ...press, trigger: `later-${run.id}` });
      await eventually(() =>
        slack.whispered.find(
          ({ text }) => text === `Completed by ${reviewer.user.name}. There is nothing left to do here.`,
        ),
      );
      const events = await server.sql(`select from audit_events where run_id = $1 and action = 'step.completed'`, [
        run.id,
      ]);
      expect(events).toHaveLength(1);
      expect(slack.whispered).toHaveLength(1);
    });

    describe('elsewhere', () => {
      const shown = ({ ts }: SlackPosted) => slack.updated.filter((message) => message.ts === ts);
      const settled = (message: SlackPosted, said: string): Promise<SlackPosted> =>
        eventually(() => shown(message).find(({ text }) => text.includes(said)));
      const send = (id: string, what: string, by: Person, body: object = {}) =>
        by.post(`/api/runs/${id}/steps/step-1/${what}`, body);
      beforeEach(async () => {
        await connect();
        slack.addMember(reviewer.user.email);
      });

      it('what is done takes its buttons from the message, once, and pressing them all the same says what became of it', async () => {
        const run = await running({ assignee: reviewer.user.email });
        const message = await posted(run.title);
        await complete(owner, run.id, 'step-1');
        const now = await settled(message, `Completed by ${owner.user.name}`);
        expect(buttons(now)).toEqual([]);
        expect(now.channel).toBe(message.channel);
        await sleep(500);
        expect(shown(message)).toHaveLength(1);
        const userId = slack.addMember(owner.user.email);
        await slack.press(interactivity(), { message, action: 'complete_step', userId, input: 'Late' });
        await eventually(() =>
          slack.whispered.find(
            ({ text }) => text === `Completed by ${owner.user.name}. There is nothing left to do here.`,
          ),
        );
      });

      it('a step that was skipped, or whose run was cancelled, says so', async () => {
        const skipped = await running({ assignee: reviewer.user.email });
        const first = await posted(skipped.title);
        await send(skipped.id, 'skip', owner);
        expect(buttons(await settled(first, `Skipped by ${owner.user.name}`))).toEqual([]);
        const cancelled = await running({ assignee: reviewer.user.email });
        const second = await posted(cancelled.title);
        await owner.post(`/api/runs/${cancelled.id}/cancel`, { reason: 'Over' });
        expect(buttons(await settled(second, `The run was cancelled by ${owner.user.name}`))).toEqual([]);
      });

      it('input that waits for an approval has no button, and has one again where it was sent back', async () => {
        const run = await running({
          assignee: reviewer.user.email,
          config: { requiresApproval: true, assignedRole: 'owner' },
        });
        const message = await posted(run.title);
        await send(run.id, 'complete', reviewer, { output: { text: 'Mine' } });
        expect(buttons(await settled(message, 'has sent the input; it waits for an approval'))).toEqual([]);
        await send(run.id, 'reject', owner, { comments: 'Once more' });
        const again = await settled(message, 'waits for you');
        expect(buttons(again)).toEqual(['Complete', 'Open in Stet']);
      });

      it('is told once Slack is back, and after a rate limit is over', async () => {
        const run = await running({ assignee: reviewer.user.email });
        const message = await posted(run.title);
        slack.fail('chat.update', {
          status: 429,
          headers: { 'retry-after': '1' },
          body: { ok: false, error: 'ratelimited' },
        });
        slack.fail('chat.update', { hangUp: true });
        await complete(owner, run.id, 'step-1');
        await settled(message, `Completed by ${owner.user.name}`);
        expect(slack.asked.filter(({ method }) => method === 'chat.update')).toHaveLength(3);
      });
    });

    it('on nothing that Slack didn’t sign at this time', async () => {
      await connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await running({ assignee: reviewer.user.email });
      const message = await posted(run.title);
      const value = message.blocks.flatMap(({ elements = [] }) => elements)[0]?.value;
      const payload = {
        type: 'block_actions',
        trigger_id: 'forged',
        team: { id: slack.team.id },
        user: { id: userId },
        container: { channel_id: message.channel, message_ts: message.ts },
        actions: [{ action_id: 'complete_step', value }],
        state: { values: { input: { input: { value: 'Forged' } } } },
      };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const now = Math.floor(Date.now() / 1000);
      for (const forged of [
        { secret: 'another secret' },
        { seconds: now - 301 },
        // Well ahead: it comes nearer while a busy machine gets to it.
        { seconds: now + 600 },
        { signature: 'v0=00' },
        { signature: 'v1=abc' },
      ]) {
        const heard = await sendSigned(interactivity(), body, forged);
        expect([heard.status, await heard.json()]).toMatchObject([401, { code: 'not_from_slack' }]);
      }
      const bare = await fetch(interactivity(), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
      expect(bare.status).toBe(401);
      for (const odd of [
        '',
        'payload=',
        'payload={',
        `payload=${encodeURIComponent('{"type":"view_submission"}')}`,
        'a=1',
      ])
        expect((await sendSigned(interactivity(), odd)).status).toBe(200);
      await sleep(500);
      expect(await runOf(owner, run.id)).toMatchObject({ status: 'running' });
    });
  });

  it('is seen by every API token that reads, and written to by those alone that act on steps', async () => {
    await connect();
    const body = { assignee: reviewer.user.email, message: 'By a program', workflowName: 'Elsewhere' };
    slack.addMember(reviewer.user.email);
    for (const make of [organizationToken, personalToken] as const) {
      const tokenWith = (...scopes: Permission[]) =>
        make === personalToken
          ? personalToken(server, owner, scopes)
          : organizationToken(server, owner, 'viewer', scopes);
      const reads = await tokenWith('workflow.read');
      expect(await reads.get<SlackStatus>(`${HERE}/status`)).toMatchObject({ connected: true });
      expect(await reads.call('POST', `${HERE}/notify`, body)).toMatchObject({
        status: 403,
        body: { code: 'token_scope', details: [{ permission: 'step.act_assigned' }] },
      });
      const acts = await tokenWith('workflow.read', 'step.act_assigned');
      expect(await acts.call('POST', `${HERE}/notify`, body)).toMatchObject({ status: 200 });
      expect(await acts.call('POST', `${HERE}/tickets`)).toMatchObject({ status: 403 });
    }
    expect((await posted('By a program')).channel).toMatch(/^D/);
    const viewer = await server.signUp();
    await joinOrganization(server, viewer, orgId, 'viewer');
    expect(await viewer.call('POST', `${HERE}/notify`, body)).toMatchObject({ status: 200 });
  });

  it('answers as the contract says', async () => {
    const answers = async (key: ContractKey, body?: object): Promise<void> => {
      const [method = '', path = ''] = key.split(' ');
      const spec = contract[key];
      const answered = await owner.call(method, path, body);
      expect({ key, status: answered.status }).toEqual({ key, status: 200 });
      if (!('contentType' in spec.ok)) expect(answered.body).toStrictEqual(spec.ok.parse(answered.body));
    };
    await connect();
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

describe('without a Slack app', () => {
  it('the installation says so, and nothing else changes', async () => {
    const server = await startTestServer();
    const { owner } = await teamOf(server, ['reviewer']);
    expect(await owner.get(`${HERE}/status`)).toMatchObject({ connected: false, available: false });
    expect(await owner.call('POST', `${HERE}/tickets`)).toMatchObject({
      status: 404,
      body: { error: 'This installation has no Slack app' },
    });
    const notify = { assignee: 'a@example.com', message: 'Step', workflowName: 'Flow' };
    expect((await owner.call('POST', `${HERE}/notify`, notify)).status).toBe(200);
    const heard = await sendSigned(`${server.server.url}${HERE}/interactivity`, 'payload={}');
    expect(heard.status).toBe(404);
    await server.stop();
  });
});
