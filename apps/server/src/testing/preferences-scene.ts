import type { NotificationPreferences } from '@stet/contract';
import { expect } from 'vitest';
import { makeDigests } from '../modules/notifications/make-digests.job.ts';
import { type ReceivedMail, eventually, mailsIn } from './mailbox.ts';
import { stepsNamed, teamOf } from './organization.ts';
import { type Person, startTestServer, startTestServerOn } from './server.ts';
import { startFakeSlack } from './slack.ts';

export const PREFERENCES = '/api/notifications/preferences';

/** Two nodes of an installation with a Slack workspace, and a team's notifications. */
export async function startPreferencesScene() {
  const slack = await startFakeSlack();
  const environment = { ...slack.environment, SECRET_KEY: 'one secret for all servers of an installation' };
  const one = await startTestServer(environment);
  const other = await startTestServerOn(one.database, environment);
  let team = await teamOf(one, ['editor', 'reviewer']);
  let keys = 0;
  const newKey = (): string => `told-${(keys += 1)}`;

  const pick = (who: Person, kind: string, channel: string, pace: string) =>
    who.patch<NotificationPreferences>(PREFERENCES, { news: kind, channel, pace });
  async function connectSlack(): Promise<void> {
    const { body, headers } = await team.owner.call<{ url: string }>('POST', '/api/integrations/slack/tickets');
    const mine = headers.get('set-cookie')?.split(';')[0];
    const visit = async (address: string, cookie = '') => {
      const response = await fetch(new URL(address, one.server.url), { redirect: 'manual', headers: { cookie } });
      return response.headers.get('location') ?? '';
    };
    const back = await visit(await visit(body.url, mine));
    expect(await visit(back, mine)).toBe('/app/integrations?slack=success');
  }
  /** Submits a draft with this title for review. Returns its id. */
  async function submitted(title: string, by: Person = team.editor): Promise<string> {
    const drafts = `/api/workflows/${newKey()}/drafts`;
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
  /** Waits until no due entry is left in the outbox, and no job in the queue. */
  const quiet = async (): Promise<void> => {
    await eventually(async () => {
      const [row] = await one.sql<{ left: number }>(
        `select (select count(*) from outbox where run_at < now())::int
                + (select count(*) from graphile_worker._private_jobs)::int as left`,
      );
      return row?.left === 0 ? true : undefined;
    });
  };
  /** Moves notifications to a time before the last due digest. */
  const dayPasses = () =>
    one.sql(`update notifications set created_at = created_at - interval '2 days' where org_id = $1`, [team.orgId]);
  const digests = () => Promise.all([one, other, one, other].map(({ server }) => makeDigests(server.deps)));

  return {
    slack,
    one,
    newKey,
    lastKey: (): string => `told-${keys}`,
    pick,
    connectSlack,
    submitted,
    mails,
    subjectsTo,
    mailed,
    quiet,
    dayPasses,
    digests,
    /** Creates a team without notifications. */
    reset: async () => {
      team = await teamOf(one, ['editor', 'reviewer']);
      slack.posted.length = 0;
      return team;
    },
    stop: async (): Promise<void> => {
      await other.server.stop();
      await one.stop();
      await slack.stop();
    },
  };
}
