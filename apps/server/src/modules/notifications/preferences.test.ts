import type { Notification } from '@stet/contract';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/mailbox.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { letTimePass, start } from '../../testing/runs.ts';
import type { Person } from '../../testing/server.ts';
import { watchClocks } from '../runs/watch-clocks.ts';
import { PREFERENCES, startPreferencesScene } from '../../testing/preferences-scene.ts';

const HOUR = 3_600_000;
const scene = await startPreferencesScene();
const { slack, one, newKey, pick, connectSlack, submitted, subjectsTo, mailed, quiet, dayPasses, digests } = scene;

describe('notification preferences', () => {
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let orgId: string;
  beforeEach(async () => {
    ({ owner, editor, reviewer, orgId } = await scene.reset());
  });
  afterAll(() => scene.stop());

  it('have defaults until the person chooses, and apply to one person in one organization', async () => {
    expect(await editor.get(PREFERENCES)).toEqual({
      paces: DEFAULT_PREFERENCES,
      digest: { hour: 8, timeZone: 'UTC' },
      slackConnected: false,
    });
    const changed = await pick(editor, 'mentions', 'email', 'daily');
    expect(changed.paces.mentions).toEqual({ 'in-app': 'at_once', email: 'daily', slack: 'off' });
    expect(await editor.get(PREFERENCES)).toEqual(changed);
    expect(await reviewer.get(PREFERENCES)).toMatchObject({ paces: DEFAULT_PREFERENCES });
    await owner.patch(`/api/organizations/${orgId}/working-hours`, {
      workingHours: {
        timeZone: 'Europe/Berlin',
        week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []],
        holidays: [],
      },
    });
    expect(await reviewer.get(PREFERENCES)).toMatchObject({ digest: { hour: 8, timeZone: 'Europe/Berlin' } });
  });

  it("can't be set to a choice that isn't available", async () => {
    for (const body of [
      { news: 'assignments', channel: 'in-app', pace: 'off' },
      { news: 'mentions', channel: 'in-app', pace: 'daily' },
      { news: 'mentions', channel: 'pigeon', pace: 'off' },
      { news: 'mentions', channel: 'email' },
    ])
      expect(await editor.call('PATCH', PREFERENCES, body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  });

  it('turn off emails and list entries of one kind without affecting other people', async () => {
    await pick(reviewer, 'review_requests', 'email', 'off');
    await pick(reviewer, 'review_requests', 'in-app', 'off');
    await submitted('Quiet');
    await mailed(owner, 'Review requested: Quiet');
    await quiet();
    expect(await subjectsTo(reviewer)).toEqual([]);
    expect(await reviewer.get<Notification[]>('/api/notifications')).toEqual([]);
    expect(await reviewer.get('/api/notifications/count')).toEqual({ unread: 0 });
    expect(await owner.get('/api/notifications/count')).toEqual({ unread: 1 });
  });

  it('apply to assignments and SLA crossings', async () => {
    await pick(reviewer, 'assignments', 'email', 'off');
    await pick(reviewer, 'sla', 'email', 'off');
    await pick(owner, 'sla', 'in-app', 'off');
    const key = newKey();
    const [step] = stepsNamed('Sign');
    if (!step) throw new Error('no step');
    await publish(editor, owner, key, [{ ...step, sla: '10h', assignee: reviewer.user.email }]);
    const { id } = await start(owner, key, 'Clocked');
    await letTimePass(one, id, 11 * HOUR);
    await watchClocks(one.server.deps);
    await mailed(owner, 'Breached: Sign');
    await quiet();
    // The merge may close the request for a review before its email is sent.
    const mails = await subjectsTo(reviewer);
    expect(mails.filter((subject) => !subject.startsWith('Review requested'))).toEqual([]);
    const list = await reviewer.get<Notification[]>('/api/notifications');
    expect(list.map(({ kind }) => kind).toSorted()).toEqual(['review_requested', 'sla_breached', 'step_assigned']);
    const owners = await owner.get<Notification[]>('/api/notifications');
    expect(owners.map(({ kind }) => kind)).toEqual(['review_requested']);
  });

  describe('in Slack', () => {
    const postedTo = (text: string) => slack.posted.filter((each) => JSON.stringify(each).includes(text));

    it('apply to steps, without posting to the channel instead, and to personal notifications', async () => {
      slack.addMember(reviewer.user.email);
      await connectSlack();
      const all = slack.addChannel('all');
      await one.sql(`update slack_connections set channel_id = $2, channel_name = 'all' where org_id = $1`, [
        orgId,
        all,
      ]);
      await pick(reviewer, 'review_requests', 'slack', 'at_once');
      await pick(owner, 'review_requests', 'slack', 'at_once');
      await pick(reviewer, 'assignments', 'slack', 'off');
      await submitted('Told in Slack');
      await eventually(() => postedTo('Told in Slack')[0]);
      const key = newKey();
      const [step] = stepsNamed('Not in Slack');
      if (!step) throw new Error('no step');
      await publish(editor, owner, key, [{ ...step, assignee: reviewer.user.email }]);
      await start(owner, key, 'A run');
      await owner.post('/api/integrations/slack/notify', {
        assignee: reviewer.user.email,
        message: 'Not in Slack by a call',
        workflowName: 'Elsewhere',
      });
      await quiet();
      // The owner has no Slack account, and personal notifications aren't posted to the channel.
      const isPublic = postedTo('Told in Slack').map(({ channel }) => channel === all);
      expect(isPublic).toEqual([false]);
      expect(postedTo('Not in Slack')).toEqual([]);
    });

    it('apply to the Slack digest separately from the email digest', async () => {
      slack.addMember(reviewer.user.email);
      await connectSlack();
      await pick(reviewer, 'review_requests', 'slack', 'daily');
      await pick(reviewer, 'review_requests', 'email', 'off');
      await submitted('Later in Slack');
      await quiet();
      expect(postedTo('Later in Slack')).toEqual([]);
      await dayPasses();
      await digests();
      await quiet();
      expect(postedTo('Later in Slack')).toMatchObject([{ text: 'Daily digest, 1 item' }]);
      expect(await subjectsTo(reviewer)).toEqual([]);
    });
  });
});
