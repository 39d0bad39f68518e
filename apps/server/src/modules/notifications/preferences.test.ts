import type { Notification, NotificationPreferences } from '@stet/contract';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReceivedMail, eventually, linkIn, mailsIn } from '../../testing/mailbox.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { letTimePass, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { type FakeSlack, startFakeSlack } from '../../testing/slack.ts';
import { watchClocks } from '../runs/watch-clocks.ts';
import { makeDigests } from './make-digests.job.ts';

const HERE = '/api/notifications/preferences';
const HOUR = 3_600_000;

describe('preferences of who is told', () => {
  let slack: FakeSlack;
  let one: TestServer;
  let other: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let orgId: string;
  let keys = 0;

  beforeAll(async () => {
    slack = await startFakeSlack();
    const environment = { ...slack.environment, SECRET_KEY: 'one secret for all servers of an installation' };
    one = await startTestServer(environment);
    other = await startTestServerOn(one.database, environment);
  });
  afterAll(async () => {
    await other.server.stop();
    await one.stop();
    await slack.stop();
  });
  beforeEach(async () => {
    ({ owner, editor, reviewer, orgId } = await teamOf(one, ['editor', 'reviewer']));
    slack.posted.length = 0;
  });

  const pick = (who: Person, news: string, channel: string, pace: string) =>
    who.patch<NotificationPreferences>(HERE, { news, channel, pace });
  async function connectSlack(): Promise<void> {
    const { body, headers } = await owner.call<{ url: string }>('POST', '/api/integrations/slack/tickets');
    const mine = headers.get('set-cookie')?.split(';')[0];
    const visit = async (address: string, cookie = '') => {
      const response = await fetch(new URL(address, one.server.url), { redirect: 'manual', headers: { cookie } });
      return response.headers.get('location') ?? '';
    };
    const back = await visit(await visit(body.url, mine));
    expect(await visit(back, mine)).toBe('/app/integrations?slack=success');
  }
  /** Puts a draft of this title in review; answers its id. */
  async function submitted(title: string, by: Person = editor): Promise<string> {
    keys += 1;
    const drafts = `/api/workflows/told-${keys}/drafts`;
    const { draftId } = await by.post<{ draftId: string }>(drafts, { metadata: { title }, steps: stepsNamed('A') });
    await by.post(`${drafts}/${draftId}/submit`);
    return draftId;
  }
  const mails = async (): Promise<ReceivedMail[]> =>
    (await Promise.all([one, other].map(({ dataDir }) => mailsIn(dataDir)))).flat();
  const subjectsTo = async (who: Person): Promise<string[]> =>
    (await mails()).filter(({ to }) => to.includes(who.user.email)).map(({ headers }) => headers.get('subject') ?? '');
  const mailed = (who: Person, subject: string): Promise<string> =>
    eventually(async () => (await subjectsTo(who)).find((each) => each === subject));
  /** Everything that was left to be done so far has been. */
  const quiet = async (): Promise<void> => {
    await eventually(async () => {
      const [row] = await one.sql<{ left: number }>(
        `select (select count(*) from outbox where run_at < now())::int
                + (select count(*) from graphile_worker._private_jobs)::int as left`,
      );
      return row?.left === 0 ? true : undefined;
    });
  };
  /** As if it had been told before the last digest was due. */
  const dayPasses = () =>
    one.sql(`update notifications set created_at = created_at - interval '2 days' where org_id = $1`, [orgId]);
  const digests = () => Promise.all([one, other, one, other].map(({ server }) => makeDigests(server.deps)));

  it('are the defaults until something is picked, and hold in this organization for this person alone', async () => {
    expect(await editor.get(HERE)).toEqual({
      paces: DEFAULT_PREFERENCES,
      digest: { hour: 8, timeZone: 'UTC' },
      slackConnected: false,
    });
    const changed = await pick(editor, 'mentions', 'email', 'daily');
    expect(changed.paces.mentions).toEqual({ 'in-app': 'at_once', email: 'daily', slack: 'off' });
    expect(await editor.get(HERE)).toEqual(changed);
    expect(await reviewer.get(HERE)).toMatchObject({ paces: DEFAULT_PREFERENCES });
    await owner.patch(`/api/organizations/${orgId}/working-hours`, {
      workingHours: {
        timeZone: 'Europe/Berlin',
        week: [[{ from: 540, to: 1020 }], [], [], [], [], [], []],
        holidays: [],
      },
    });
    expect(await reviewer.get(HERE)).toMatchObject({ digest: { hour: 8, timeZone: 'Europe/Berlin' } });
  });

  it('refuse what can’t be picked', async () => {
    for (const body of [
      { news: 'assignments', channel: 'in-app', pace: 'off' },
      { news: 'mentions', channel: 'in-app', pace: 'daily' },
      { news: 'mentions', channel: 'pigeon', pace: 'off' },
      { news: 'mentions', channel: 'email' },
    ])
      expect(await editor.call('PATCH', HERE, body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
  });

  it('keep news out of the mail and out of the list where it is off, and others’ stay as they are', async () => {
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

  it('hold for assignments and for clocks', async () => {
    await pick(reviewer, 'assignments', 'email', 'off');
    await pick(reviewer, 'sla', 'email', 'off');
    await pick(owner, 'sla', 'in-app', 'off');
    keys += 1;
    const [step] = stepsNamed('Sign');
    if (!step) throw new Error('no step');
    await publish(editor, owner, `told-${keys}`, [{ ...step, sla: '10h', assignee: reviewer.user.email }]);
    const { id } = await start(owner, `told-${keys}`, 'Clocked');
    await letTimePass(one, id, 11 * HOUR);
    await watchClocks(one.server.deps);
    await mailed(owner, 'Breached: Sign');
    await quiet();
    expect(await subjectsTo(reviewer)).toEqual(['Review requested: Title of told-' + String(keys)]);
    const list = await reviewer.get<Notification[]>('/api/notifications');
    expect(list.map(({ kind }) => kind).toSorted()).toEqual(['review_requested', 'sla_breached', 'step_assigned']);
    const owners = await owner.get<Notification[]>('/api/notifications');
    expect(owners.map(({ kind }) => kind)).toEqual(['review_requested']);
  });

  describe('hold back for the digest', () => {
    it('everything of a day in one mail with links that open pages, once, however many nodes look', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await pick(reviewer, 'mentions', 'email', 'daily');
      const draftId = await submitted('First to review');
      await submitted('Second to review');
      await editor.post(`/api/workflows/told-${keys - 1}/drafts/${draftId}/comments`, {
        body: `@${reviewer.user.email} what do you think?`,
      });
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);
      // In the list it stood at once.
      expect(await reviewer.get('/api/notifications/count')).toEqual({ unread: 3 });

      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);

      await dayPasses();
      await digests();
      await quiet();
      await digests();
      await quiet();
      const sent = (await mails()).filter(({ to }) => to.includes(reviewer.user.email));
      expect(sent.map(({ headers }) => headers.get('subject'))).toEqual([
        expect.stringMatching(/^Daily digest, 3 items: Team /),
      ]);
      const [mail] = sent;
      if (!mail) throw new Error('no digest');
      expect(linkIn(mail, '/app/review')).toContain(draftId);
      const links = [...mail.text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url).pathname);
      expect([...new Set(links)].toSorted()).toEqual(['/app', '/app/review', '/app/settings/notifications']);
      expect(mail.text).toMatch(/First to review[^]*Second to review[^]*First to review[^]*what do you\s+think\?/);
      expect(mail.headers.get('message-id')).toMatch(/^<[\da-f-]{36}@stet>$/);
    });

    it('no second digest on the same day: what comes late is in the next', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await submitted('Early');
      await dayPasses();
      await digests();
      await quiet();
      await submitted('Late');
      await one.sql(
        `update notifications set created_at = now() - interval '1 day' where org_id = $1 and title = 'Late'`,
        [orgId],
      );
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      await one.sql(`update digests set day = day - 1 where org_id = $1`, [orgId]);
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(2);
      expect(
        (await mails()).filter(({ to, text }) => to.includes(reviewer.user.email) && text.includes('Late')),
      ).toHaveLength(1);
    });

    it('nothing where nothing was held back, for those who have left, and what was switched off since', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await pick(owner, 'review_requests', 'email', 'daily');
      const admin = await one.signUp({ name: 'Ann' });
      await joinOrganization(one, admin, orgId, 'admin');
      await pick(admin, 'review_requests', 'email', 'daily');
      await submitted('For three');
      await pick(owner, 'review_requests', 'email', 'off');
      await one.sql('delete from memberships where org_id = $1 and user_id = $2', [orgId, admin.user.id]);
      await dayPasses();
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      for (const who of [owner, admin, editor]) expect(await subjectsTo(who)).toEqual([]);
      expect(await one.sql('select from digests where org_id = $1', [orgId])).toHaveLength(1);
    });

    it('a digest that a node died over, and another one sends', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await submitted('Interrupted');
      await dayPasses();
      // As a node leaves it that was killed while it sent.
      await one.sql(
        `create function die() returns trigger language plpgsql as $$ begin
           if new.org_id = '${orgId}' then new.state := 'sending'; new.claim := gen_random_uuid(); new.claimed_at := now(); end if;
           return new; end $$`,
      );
      await one.sql('create trigger die before insert on digests for each row execute function die()');
      await digests();
      await one.sql('drop trigger die on digests');
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);
      await one.sql(`update digests set claimed_at = now() - interval '1 hour' where org_id = $1`, [orgId]);
      await one.sql(`update outbox set run_at = now() - interval '1 second' where task = 'send_digest'`);
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      expect(await one.sql('select state from digests where org_id = $1', [orgId])).toEqual([{ state: 'sent' }]);
    });
  });

  describe('hold in Slack', () => {
    const postedTo = (text: string) => slack.posted.filter((each) => JSON.stringify(each).includes(text));

    it('for steps, which are then not told to the channel either, and for news, to the person alone', async () => {
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
      keys += 1;
      const [step] = stepsNamed('Not in Slack');
      if (!step) throw new Error('no step');
      await publish(editor, owner, `told-${keys}`, [{ ...step, assignee: reviewer.user.email }]);
      await start(owner, `told-${keys}`, 'A run');
      await owner.post('/api/integrations/slack/notify', {
        assignee: reviewer.user.email,
        message: 'Not in Slack by a call',
        workflowName: 'Elsewhere',
      });
      await quiet();
      // The owner has no account there, and what is theirs is not for the channel.
      const told = postedTo('Told in Slack').map(({ channel }) => channel === all);
      expect(told).toEqual([false]);
      expect(postedTo('Not in Slack')).toEqual([]);
    });

    it('and in a digest of its own there', async () => {
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
