import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { complete, runOf } from '../../testing/runs.ts';
import type { Person, TestServer } from '../../testing/server.ts';
import { type SlackPosted, buttonsOf } from '../../testing/slack-blocks.ts';
import { sendSigned } from '../../testing/slack-calls.ts';
import type { FakeSlack } from '../../testing/slack.ts';
import { SLACK_PATH, type SlackScene, withSlackScene } from '../../testing/slack-scene.ts';

describe('Slack', () => {
  let scene: SlackScene;
  let slack: FakeSlack;
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;

  withSlackScene((given) => {
    ({ scene, slack, server, owner, reviewer } = given);
  });

  describe('the action handler', () => {
    it('completes a step with the typed text for the member whose address Slack confirms', async () => {
      await scene.connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await scene.running({ assignee: reviewer.user.email });
      const message = await scene.posted(run.title);
      const received = await slack.press(scene.interactivity(), {
        message,
        action: 'complete_step',
        userId,
        input: ' All checked ',
      });
      expect([received.status, await received.text()]).toEqual([200, '']);
      const done = await eventually(async () => {
        const now = await runOf(owner, run.id);
        return now.status === 'completed' ? now : undefined;
      });
      expect(done.steps[0]).toMatchObject({ output: { text: 'All checked' }, completedBy: { id: reviewer.user.id } });
      const shown = await eventually(() => slack.updated[0]);
      expect(shown).toMatchObject({ channel: message.channel, ts: message.ts });
      expect(shown.text).toContain(`Completed by ${reviewer.user.name}`);
      expect(buttonsOf(shown)).toEqual([]);
      const [event] = await server.sql<{ payload: string }>(
        `select payload from audit_events where run_id = $1 and action = 'step.completed'`,
        [run.id],
      );
      expect(event?.payload).toContain(`"sessionId":"slack:T0TEAM:${userId}"`);
    });

    it('approves with a comment, and counts one vote per person', async () => {
      await scene.connect();
      const channel = slack.addChannel('votes');
      await owner.patch(SLACK_PATH, { channelId: channel });
      const [first, second] = [slack.addMember(owner.user.email), slack.addMember(reviewer.user.email)];
      const run = await scene.running({ type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 2 } });
      const message = await scene.posted(run.title);
      await slack.press(scene.interactivity(), { message, action: 'approve_step', userId: first, input: 'Fine' });
      await eventually(() => slack.ephemeral.find(({ text }) => text === 'Your approval has been recorded: 1 of 2.'));
      await slack.press(scene.interactivity(), { message, action: 'approve_step', userId: first });
      await eventually(() => slack.ephemeral.find(({ text }) => text === 'You have already approved this step.'));
      await slack.press(scene.interactivity(), { message, action: 'approve_step', userId: second });
      await eventually(async () => ((await runOf(owner, run.id)).status === 'completed' ? true : undefined));
      expect(JSON.stringify((await runOf(owner, run.id)).history)).toContain('Fine');
    });

    it('refuses members whom the step doesn’t name, non-members, strangers in shared channels and unconfirmed addresses, and ignores other workspaces', async () => {
      await scene.connect();
      await owner.patch(SLACK_PATH, { channelId: slack.addChannel('open') });
      const outsider = await server.signUp();
      const run = await scene.running({ assignee: 'owner' });
      const message = await scene.posted(run.title);
      const whispers = async (userId: string, expected: RegExp): Promise<void> => {
        await slack.press(scene.interactivity(), { message, action: 'complete_step', userId, input: 'Mine now' });
        await eventually(() => slack.ephemeral.find(({ user, text }) => user === userId && expected.test(text)));
      };
      await whispers(slack.addMember(reviewer.user.email), /assigned to Owner/);
      const viewer = await server.signUp();
      await joinOrganization(server, viewer, owner.user.currentOrgId ?? '', 'viewer');
      await whispers(slack.addMember(viewer.user.email), /assigned to Owner/);
      const noMember = /belong to a member/;
      await whispers(slack.addMember(outsider.user.email), noMember);
      await whispers(slack.addMember(owner.user.email, { isStranger: true }), noMember);
      await whispers(slack.addMember(owner.user.email, { isConfirmed: false }), noMember);
      await slack.press(scene.interactivity(), {
        message,
        action: 'complete_step',
        userId: slack.addMember(owner.user.email),
        input: 'From elsewhere',
        team: 'T0ANOTHER',
      });
      await sleep(800);
      expect(await runOf(owner, run.id)).toMatchObject({ status: 'running', currentStepIds: ['step-1'] });
    });

    it.each([
      ['approval', 'approve_step'],
      ['manual', 'complete_step'],
    ])('refuses someone whose account is disabled, until it is enabled again (%s step)', async (type, action) => {
      await scene.connect();
      await owner.patch(SLACK_PATH, { channelId: slack.addChannel(`disabled-${type}`) });
      const userId = slack.addMember(reviewer.user.email);
      const run = await scene.running({ type, assignee: 'reviewer' });
      const message = await scene.posted(run.title);
      const press = () => slack.press(scene.interactivity(), { message, action, userId, input: 'Checked' });
      const setDisabled = (at: string | null) =>
        server.sql('update users set disabled_at = $2 where id = $1', [reviewer.user.id, at]);
      await setDisabled('now');
      await press();
      await eventually(() =>
        slack.ephemeral.find(({ user, text }) => user === userId && /belong to a member/.test(text)),
      );
      expect(await runOf(owner, run.id)).toMatchObject({ status: 'running', currentStepIds: ['step-1'] });
      await setDisabled(null);
      await press();
      await eventually(async () => ((await runOf(owner, run.id)).status === 'completed' ? true : undefined));
    });

    it('acts only once if Slack sends a click twice, and not if the step is no longer waiting', async () => {
      await scene.connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await scene.running({ assignee: reviewer.user.email });
      const message = await scene.posted(run.title);
      const press = { message, action: 'complete_step', userId, input: 'Done', trigger: `trigger-${run.id}` };
      await Promise.all([slack.press(scene.interactivity(), press), slack.press(scene.interactivity(), press)]);
      await eventually(async () => ((await runOf(owner, run.id)).status === 'completed' ? true : undefined));
      await slack.press(scene.interactivity(), press);
      await slack.press(scene.interactivity(), { ...press, trigger: `later-${run.id}` });
      await eventually(() =>
        slack.ephemeral.find(
          ({ text }) => text === `Completed by ${reviewer.user.name}. There is nothing left to do here.`,
        ),
      );
      const events = await server.sql(`select from audit_events where run_id = $1 and action = 'step.completed'`, [
        run.id,
      ]);
      expect(events).toHaveLength(1);
      expect(slack.ephemeral).toHaveLength(1);
    });

    describe('a message, after an action outside Slack,', () => {
      const shown = ({ ts }: SlackPosted) => slack.updated.filter((message) => message.ts === ts);
      const updated = (message: SlackPosted, expected: string): Promise<SlackPosted> =>
        eventually(() => shown(message).find(({ text }) => text.includes(expected)));
      const send = (id: string, what: string, by: Person, body: object = {}) =>
        by.post(`/api/runs/${id}/steps/step-1/${what}`, body);
      beforeEach(async () => {
        await scene.connect();
        slack.addMember(reviewer.user.email);
      });

      it('names the new person after a hand-over, and shows buttons again when the step returns', async () => {
        const run = await scene.running({ assignee: reviewer.user.email });
        const message = await scene.posted(run.title);
        await send(run.id, 'hand-over', reviewer, { to: owner.user.id, reason: 'I am ill' });
        const given = await updated(message, `is now waiting for ${owner.user.email}`);
        expect(buttonsOf(given)).toEqual([]);
        await send(run.id, 'release', owner);
        const back = await updated(message, 'is waiting for you');
        expect(buttonsOf(back)).toEqual(['Complete', 'Open in Stet']);
      });

      it('names the person who claimed the step, and still has its buttons if it is in the channel', async () => {
        await owner.patch(SLACK_PATH, { channelId: slack.addChannel('claims') });
        const run = await scene.running({ assignee: 'reviewer' });
        const message = await scene.posted(run.title);
        expect(message.text).toContain('is waiting for the reviewers');
        await send(run.id, 'claim', reviewer);
        const claimed = await updated(message, `is waiting for ${reviewer.user.email}`);
        expect(buttonsOf(claimed)).toEqual(['Complete', 'Open in Stet']);
      });

      it('is updated once without buttons when its step is completed, and later clicks show the outcome', async () => {
        const run = await scene.running({ assignee: reviewer.user.email });
        const message = await scene.posted(run.title);
        await complete(owner, run.id, 'step-1');
        const now = await updated(message, `Completed by ${owner.user.name}`);
        expect(buttonsOf(now)).toEqual([]);
        expect(now.channel).toBe(message.channel);
        await sleep(500);
        expect(shown(message)).toHaveLength(1);
        const userId = slack.addMember(owner.user.email);
        await slack.press(scene.interactivity(), { message, action: 'complete_step', userId, input: 'Late' });
        await eventually(() =>
          slack.ephemeral.find(
            ({ text }) => text === `Completed by ${owner.user.name}. There is nothing left to do here.`,
          ),
        );
      });

      it('shows that a step was skipped or its run was cancelled', async () => {
        const skipped = await scene.running({ assignee: reviewer.user.email });
        const first = await scene.posted(skipped.title);
        await send(skipped.id, 'skip', owner, { reason: 'Not needed' });
        expect(buttonsOf(await updated(first, `Skipped by ${owner.user.name}`))).toEqual([]);
        const cancelled = await scene.running({ assignee: reviewer.user.email });
        const second = await scene.posted(cancelled.title);
        await owner.post(`/api/runs/${cancelled.id}/cancel`, { reason: 'Over' });
        expect(buttonsOf(await updated(second, `The run was cancelled by ${owner.user.name}`))).toEqual([]);
      });

      it('shows no button while input awaits approval, and shows it again after a return', async () => {
        const run = await scene.running({
          assignee: reviewer.user.email,
          config: { requiresApproval: true, assignedRole: 'owner' },
        });
        const message = await scene.posted(run.title);
        await send(run.id, 'complete', reviewer, { output: { text: 'Mine' } });
        expect(buttonsOf(await updated(message, 'has submitted the input, which is waiting for approval'))).toEqual([]);
        await send(run.id, 'reject', owner, { comments: 'Once more' });
        const again = await updated(message, 'is waiting for you');
        expect(buttonsOf(again)).toEqual(['Complete', 'Open in Stet']);
      });

      it('is updated once Slack is reachable again and a rate limit has ended', async () => {
        const run = await scene.running({ assignee: reviewer.user.email });
        const message = await scene.posted(run.title);
        slack.fail('chat.update', {
          status: 429,
          headers: { 'retry-after': '1' },
          body: { ok: false, error: 'ratelimited' },
        });
        slack.fail('chat.update', { disconnect: true });
        await complete(owner, run.id, 'step-1');
        await updated(message, `Completed by ${owner.user.name}`);
        expect(slack.asked.filter(({ method }) => method === 'chat.update')).toHaveLength(3);
      });
    });

    it('refuses requests without a current signature from Slack', async () => {
      await scene.connect();
      const userId = slack.addMember(reviewer.user.email);
      const run = await scene.running({ assignee: reviewer.user.email });
      const message = await scene.posted(run.title);
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
        // The timestamp is so far in the future that it is invalid even on a slow machine.
        { seconds: now + 600 },
        { signature: 'v0=00' },
        { signature: 'v1=abc' },
      ]) {
        const received = await sendSigned(scene.interactivity(), body, forged);
        expect([received.status, await received.json()]).toMatchObject([401, { code: 'not_from_slack' }]);
      }
      const bare = await fetch(scene.interactivity(), {
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
        expect((await sendSigned(scene.interactivity(), odd)).status).toBe(200);
      await sleep(500);
      expect(await runOf(owner, run.id)).toMatchObject({ status: 'running' });
    });
  });
});
