import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@stet/domain/access';
import type { SlackStatus } from '@stet/contract';
import { describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { eventually } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { complete, runOf } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { buttonsOf, problemOf } from '../../testing/slack-blocks.ts';
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

  describe('a notification in Slack', () => {
    it('is a direct message to the assignee with run, step, due time, link and button', async () => {
      await scene.connect();
      const id = slack.addMember(reviewer.user.email);
      const run = await scene.running(
        { assignee: reviewer.user.email.toUpperCase(), sla: '4h' },
        'Nordlicht <GmbH> & Co',
      );
      const message = await scene.posted(run.title);
      expect(message.channel).toBe(`D${id.slice(1)}`);
      const text = JSON.stringify(message.blocks);
      expect(text).toContain(`/app/runs/${run.id}`);
      expect(text).toContain('Nordlicht &lt;GmbH&gt; &amp; Co');
      expect(text).toMatch(/<!date\^\d{10}\^/);
      expect(text).toContain('is waiting for you');
      expect(buttonsOf(message)).toEqual(['Complete', 'Open in Stet']);
    });

    it('is sent once, even if the job runs repeatedly or on two servers, or a client repeats its request', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const other = await startTestServerOn(server.database, scene.environment);
      const run = await scene.running({ assignee: reviewer.user.email });
      const ask = { assignee: reviewer.user.email, message: run.title, workflowName: run.workflow };
      for (let n = 0; n < 3; n += 1)
        expect(await owner.call('POST', `${SLACK_PATH}/notify`, ask)).toMatchObject({ status: 200 });
      const about1 = { kind: 'step', runId: run.id, stepId: 'step-1', activation: 1 };
      for (let n = 0; n < 5; n += 1)
        await server.sql(`insert into outbox (task, payload) values ('tell_in_slack', $1)`, [
          JSON.stringify({ orgId, about: about1 }),
        ]);
      await scene.posted(run.title);
      await complete(reviewer, run.id, 'step-1');
      // The step is already done, and its message was sent a moment ago.
      await owner.post(`${SLACK_PATH}/notify`, ask);
      await sleep(1500);
      expect(scene.about(run.title)).toHaveLength(1);
      await other.server.stop();
    });

    it('is sent once if a client repeats its request about a step unknown to the server', async () => {
      await scene.connect();
      slack.addMember('someone@example.com');
      const ask = { assignee: 'someone@example.com', message: 'Water the plants', workflowName: 'Office' };
      for (let n = 0; n < 2; n += 1) {
        expect(await reviewer.call('POST', `${SLACK_PATH}/notify`, ask)).toMatchObject({ status: 200 });
        await scene.posted('Water the plants');
      }
      // A different message isn't a repetition.
      await reviewer.post(`${SLACK_PATH}/notify`, { ...ask, message: 'Feed the fish' });
      await scene.posted('Feed the fish');
      expect(scene.about('Water the plants')).toHaveLength(1);
    });

    it("goes to the organization's channel, if there is one, for roles and unknown addresses", async () => {
      await scene.connect();
      const nobody = await scene.running({ assignee: 'nobody@example.com' });
      await eventually(async () => {
        const [row] = await server.sql<{ state: string }>('select state from slack_messages where org_id = $1', [
          orgId,
        ]);
        return row?.state === 'failed' ? true : undefined;
      });
      expect(scene.about(nobody.title)).toEqual([]);
      const channel = slack.addChannel('team');
      await owner.patch(SLACK_PATH, { channelId: channel });
      const byRole = await scene.running({ assignee: 'reviewer', type: 'approval' });
      const message = await scene.posted(byRole.title);
      expect(message.channel).toBe(channel);
      expect(JSON.stringify(message.blocks)).toContain('is waiting for the reviewers');
      expect(buttonsOf(message)).toEqual(['Approve', 'Open in Stet']);
      const byMail = await scene.running({ assignee: 'nobody@example.com' });
      expect(JSON.stringify((await scene.posted(byMail.title)).blocks)).toContain('is waiting for nobody@example.com');
      for (const assignee of ['Unassigned', 'system', '']) await scene.running({ assignee });
      await sleep(500);
      expect(slack.posted.filter(({ token }) => token !== '')).toHaveLength(2);
    });

    it('isn’t sent to someone whose account is disabled', async () => {
      await scene.connect();
      const gone = await server.signUp();
      await joinOrganization(server, gone, orgId, 'viewer');
      for (const { user } of [gone, owner]) slack.addMember(user.email);
      await server.sql('update users set disabled_at = now() where id = $1', [gone.user.id]);
      const run = await scene.running({ assignee: gone.user.email });
      await scene.posted((await scene.running({ assignee: owner.user.email })).title);
      await sleep(500);
      expect(scene.about(run.title)).toEqual([]);
      await server.sql('update users set disabled_at = null where id = $1', [gone.user.id]);
      await scene.posted((await scene.running({ assignee: gone.user.email })).title);
    });

    it('has no button for completing the step if there is a form to fill in', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const fields = [{ id: 'amount', label: 'Amount', kind: 'number' }];
      const run = await scene.running({ assignee: reviewer.user.email, config: { fields } });
      expect(buttonsOf(await scene.posted(run.title))).toEqual(['Open in Stet']);
    });

    it("contains users' text escaped for Slack, both in blocks and in the fallback text", async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const named = await scene.running({ assignee: reviewer.user.email }, 'Run <!channel> one');
      const message = await scene.posted(named.title);
      expect(message.text).toContain('Run &lt;!channel&gt; one');
      expect(JSON.stringify(message.blocks)).not.toContain('<!channel>');
      await complete(reviewer, named.id, 'step-1');
      await owner.post(`${SLACK_PATH}/notify`, {
        assignee: reviewer.user.email,
        message: '<!channel> <https://evil.example|Reset>',
        workflowName: 'A & <B>',
      });
      const asked = await scene.posted('evil.example');
      expect(asked.text).toContain('&lt;!channel&gt; &lt;https://evil.example|Reset&gt;');
      expect(asked.text).toContain('A &amp; &lt;B&gt;');
      const config = { recipients: [reviewer.user.email], channels: ['slack'], template: '<!here> {{run.name}}' };
      const run = await scene.running({ type: 'notification', config }, '<@U1>');
      expect((await scene.posted(run.title)).text).toContain('&lt;!here&gt; &lt;@U1&gt;');
    });

    it('is sent for a note that mentions the person, as plain text, and cut if it is long', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      await reviewer.patch('/api/notifications/preferences', {
        news: 'mentions',
        channel: 'slack',
        pace: 'at_once',
      });
      const run = await scene.running({}, 'Run *bold* <!here>');
      const text = `@The reviewer <!channel> <https://evil.example|Reset> \u202Eabc ${'😀'.repeat(4000)}`;
      await owner.post(`/api/runs/${run.id}/notes`, { text, stepId: 'step-1' });
      const { text: fallback, blocks } = await scene.posted('evil.example');
      const shown = JSON.stringify(blocks);
      for (const part of [fallback, shown]) {
        expect(part).toContain('&lt;!channel&gt; &lt;https://evil.example|Reset&gt;');
        expect(part).not.toMatch(/<!(?:channel|here)>|<https:\/\/evil|\p{Surrogate}/u);
      }
      expect(problemOf(blocks)).toBeNull();
      expect(shown).toContain(`/app/runs/${run.id}`);
    });

    it('is sent for a notification step, and the history lists the people who couldn’t be reached', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const config = {
        recipients: [reviewer.user.email, 'nobody@example.com'],
        channels: ['slack'],
        template: 'Hello {{run.name}}',
      };
      const run = await scene.running({ type: 'notification', config }, 'World');
      const message = await scene.posted(run.title);
      expect(JSON.stringify(message.blocks)).toContain('Hello World');
      await expect.poll(async () => (await runOf(owner, run.id)).status, { timeout: 20_000 }).toBe('completed');
      expect(JSON.stringify((await runOf(owner, run.id)).history)).toContain('nobody@example.com (slack)');
      expect(scene.about(run.title)).toHaveLength(1);
    });
  });

  it('shows its status to tokens that can read, and sends messages only for tokens that can act', async () => {
    await scene.connect();
    const body = { assignee: reviewer.user.email, message: 'Run for API tokens', workflowName: 'Elsewhere' };
    slack.addMember(reviewer.user.email);
    for (const make of [organizationToken, personalToken] as const) {
      const tokenWith = (...scopes: Permission[]) =>
        make === personalToken
          ? personalToken(server, owner, scopes)
          : organizationToken(server, owner, 'viewer', scopes);
      const reads = await tokenWith('workflow.read');
      expect(await reads.get<SlackStatus>(`${SLACK_PATH}/status`)).toMatchObject({ connected: true });
      expect(await reads.call('POST', `${SLACK_PATH}/notify`, body)).toMatchObject({
        status: 403,
        body: { code: 'token_scope', details: [{ permission: 'step.act_assigned' }] },
      });
      const acts = await tokenWith('workflow.read', 'step.act_assigned');
      expect(await acts.call('POST', `${SLACK_PATH}/notify`, body)).toMatchObject({ status: 200 });
      expect(await acts.call('POST', `${SLACK_PATH}/tickets`)).toMatchObject({ status: 403 });
    }
    expect((await scene.posted('Run for API tokens')).channel).toMatch(/^D/);
    const viewer = await server.signUp();
    await joinOrganization(server, viewer, orgId, 'viewer');
    expect(await viewer.call('POST', `${SLACK_PATH}/notify`, body)).toMatchObject({ status: 200 });
  });
});
