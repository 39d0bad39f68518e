import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually, mailTo } from '../../testing/mailbox.ts';
import { complete } from '../../testing/runs.ts';
import type { Person, TestServer } from '../../testing/server.ts';
import type { FakeSlack } from '../../testing/slack.ts';
import { type SlackScene, withSlackScene } from '../../testing/slack-scene.ts';

describe('Slack', () => {
  let scene: SlackScene;
  let slack: FakeSlack;
  let server: TestServer;
  let reviewer: Person;
  let orgId: string;

  withSlackScene((given) => {
    ({ scene, slack, server, reviewer, orgId } = given);
  });

  describe('a notification to the assignee', () => {
    it('is sent only after a rate limit has ended', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      slack.fail('chat.postMessage', {
        status: 429,
        headers: { 'retry-after': '2' },
        body: { ok: false, error: 'ratelimited' },
      });
      const run = await scene.running({ assignee: reviewer.user.email });
      const tries = (): number => slack.asked.filter(({ method }) => method === 'chat.postMessage').length;
      await eventually(() => (tries() === 1 ? true : undefined));
      const refusedAt = Date.now();
      await scene.posted(run.title);
      expect(Date.now() - refusedAt).toBeGreaterThan(1900);
      expect(tries()).toBe(2);
    });

    it('is sent for every event during an outage once Slack is back, while emails are sent immediately', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      slack.startOutage();
      const runs = await Promise.all(Array.from({ length: 4 }, () => scene.running({ assignee: reviewer.user.email })));
      for (const { title } of runs)
        await mailTo(server.dataDir, reviewer.user.email, ({ text }) => text.includes(title));
      slack.endOutage();
      for (const { title } of runs) await scene.posted(title);
      await sleep(500);
      expect(runs.map(({ title }) => scene.about(title).length)).toEqual([1, 1, 1, 1]);
    });

    it('is retried if Slack responds with an error or disconnects before accepting the message', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      slack.fail('users.lookupByEmail', { disconnect: true });
      slack.fail('chat.postMessage', { status: 503 });
      const run = await scene.running({ assignee: reviewer.user.email });
      await expect.poll(() => scene.about(run.title).length, { timeout: 30_000 }).toBe(1);
      const asked = slack.asked.map(({ method }) => method).filter((method) => method !== 'oauth.v2.access');
      expect(asked).toEqual([
        'users.lookupByEmail',
        'users.lookupByEmail',
        'chat.postMessage',
        'users.lookupByEmail',
        'chat.postMessage',
      ]);
    });

    it('is sent when the organization reconnects if its token was invalid', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      slack.revokeTokens();
      const run = await scene.running({ assignee: reviewer.user.email });
      await eventually(async () => ((await scene.status()).problem === 'invalid_auth' ? true : undefined));
      const second = await scene.running({ assignee: reviewer.user.email });
      await sleep(500);
      expect(scene.about(run.title)).toEqual([]);
      await scene.connect();
      await scene.posted(run.title);
      await scene.posted(second.title);
      expect(await scene.status()).toMatchObject({ connected: true, problem: null });
    });

    it('is sent once the organization’s token can be decrypted again, unless the step is no longer waiting', async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      const before = 'update slack_connections set sealed_token = $2 where org_id = $1';
      const [savedConnection] = await server.sql<{ sealed: string }>(
        'select sealed_token as sealed from slack_connections where org_id = $1',
        [orgId],
      );
      await server.sql(before, [orgId, 'v1.00000000.unreadable']);
      const [waits, over] = [
        await scene.running({ assignee: reviewer.user.email }),
        await scene.running({ assignee: reviewer.user.email }),
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
      await server.sql(before, [orgId, savedConnection?.sealed]);
      await sweep();
      await scene.posted(waits.title);
      await expect.poll(states, { timeout: 10_000 }).toEqual(['failed', 'sent']);
      expect(scene.about(over.title)).toEqual([]);
    });

    it("is sent once, even if the database temporarily can't save that it was sent", async () => {
      await scene.connect();
      slack.addMember(reviewer.user.email);
      await server.sql(`create function refuse_sent() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$`);
      await server.sql(`create trigger refuse before update on slack_messages
        for each row when (new.state = 'sent') execute function refuse_sent()`);
      const run = await scene.running({ assignee: reviewer.user.email });
      await scene.posted(run.title);
      await sleep(1000);
      await server.sql('drop function refuse_sent cascade');
      const stateOf = async () =>
        (await server.sql<{ state: string }>('select state from slack_messages where org_id = $1', [orgId]))[0]?.state;
      await expect.poll(stateOf, { timeout: 20_000 }).toBe('sent');
      expect(scene.about(run.title)).toHaveLength(1);
    });
  });
});
