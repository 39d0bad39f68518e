import type { HistoryEntry } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../testing/events.ts';
import { mailsIn } from '../../testing/mailbox.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { complete, letTimePass, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';
import { watchClocks } from './watch-clocks.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
type Notified = { user_id: string; kind: string; title: string };

describe('the periodic check of SLAs', () => {
  let one: TestServer;
  let other: TestServer;
  let owner: Person;
  let reviewer: Person;
  let viewer: Person;

  beforeAll(async () => {
    const SECRET_KEY = 'one secret for all servers of an installation';
    one = await startTestServer({ SECRET_KEY });
    other = await startTestServerOn(one.database, { SECRET_KEY });
    ({ owner, reviewer, viewer } = await teamOf(one, ['reviewer', 'viewer']));
    const [first, second] = stepsNamed('First', 'Second');
    if (!first || !second) throw new Error('no steps');
    await publish(owner, reviewer, 'timed', [
      { ...first, sla: '10h', assignee: reviewer.user.email },
      { ...second, sla: '100h', assignee: 'viewer' },
    ]);
  });
  afterAll(async () => {
    await other.server.stop();
    await one.stop();
  });

  const sweepAll = (): Promise<unknown> =>
    Promise.all([one, other, one, other, one].map(({ server }) => watchClocks(server.deps)));
  const clocksOf = async (id: string): Promise<string[]> =>
    (await runOf(owner, id)).history
      .filter(({ action }: HistoryEntry) => ['at_risk', 'breached', 'reminded'].includes(action))
      .map(({ action, stepId, actor }) => `${action} ${stepId ?? 'run'} ${actor.name}`);
  const notificationsOf = async (id: string): Promise<string[]> =>
    (
      await one.sql<Notified>(
        `select user_id, kind, title from notifications where run_id = $1 and kind like 'sla%' order by created_at, user_id`,
        [id],
      )
    ).map(({ user_id, kind, title }) => `${kind} ${title} ${nameOf(user_id)}`);
  const nameOf = (id: string): string =>
    id === owner.user.id ? 'owner' : id === reviewer.user.id ? 'reviewer' : id === viewer.user.id ? 'viewer' : id;

  it('records each crossing and notifies people only once, even if several nodes check concurrently', async () => {
    const { id } = await start(owner, 'timed', 'Swept');
    await sweepAll();
    expect(await clocksOf(id)).toEqual([]);
    await letTimePass(one, id, 9 * HOUR);
    await sweepAll();
    expect(await clocksOf(id)).toEqual(['at_risk step-1 system']);
    expect(await notificationsOf(id)).toEqual(['sla_at_risk First reviewer']);
    await letTimePass(one, id, 2 * HOUR);
    await sweepAll();
    await sweepAll();
    expect(await clocksOf(id)).toEqual(['at_risk step-1 system', 'breached step-1 system']);
    expect((await notificationsOf(id)).slice(1).toSorted()).toEqual([
      'sla_breached First owner',
      'sla_breached First reviewer',
    ]);
  });

  it('emails the responsible people only once about each crossing', async () => {
    const { id } = await start(owner, 'timed', 'Mailed');
    await letTimePass(one, id, 11 * HOUR);
    await sweepAll();
    const sent = async (): Promise<string[]> =>
      (await Promise.all([one, other].map(({ dataDir }) => mailsIn(dataDir))))
        .flat()
        .filter(({ headers, text }) => headers.get('subject') === 'Breached: First' && text.includes('Mailed'))
        .flatMap(({ to }) => to)
        .toSorted();
    await expect.poll(sent, { timeout: 20_000 }).toEqual([owner.user.email, reviewer.user.email].toSorted());
    await sweepAll();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await sent()).toHaveLength(2);
  });

  it('skips a paused run until it resumes', async () => {
    const { id } = await start(owner, 'timed', 'Paused');
    await owner.post(`/api/runs/${id}/pause`);
    await letTimePass(one, id, 30 * HOUR);
    await sweepAll();
    expect(await clocksOf(id)).toEqual([]);
    await owner.post(`/api/runs/${id}/resume`);
    await sweepAll();
    expect(await clocksOf(id)).toEqual([]);
    await letTimePass(one, id, 9 * HOUR);
    await sweepAll();
    expect(await clocksOf(id)).toEqual(['at_risk step-1 system']);
  });

  it('records the breach of a step that was completed before the check', async () => {
    const { id } = await start(owner, 'timed', 'Late');
    await letTimePass(one, id, 12 * HOUR);
    await complete(owner, id, 'step-1');
    await sweepAll();
    expect(await clocksOf(id)).toEqual(['breached step-1 system']);
  });

  it('notifies the recipients of escalations too, and reminds everyone after the configured interval', async () => {
    await reviewer.patch('/api/workflows/timed/escalation', {
      tell: [viewer.user.email.toUpperCase()],
      againAfterMinutes: 30,
    });
    const { id } = await start(owner, 'timed', 'Escalated');
    await letTimePass(one, id, 11 * HOUR);
    await sweepAll();
    expect((await notificationsOf(id)).toSorted()).toEqual([
      'sla_breached First owner',
      'sla_breached First reviewer',
      'sla_breached First viewer',
    ]);
    await letTimePass(one, id, 31 * MINUTE);
    await sweepAll();
    expect(await clocksOf(id)).toEqual(['breached step-1 system', 'reminded step-1 system']);
    expect(await notificationsOf(id)).toHaveLength(6);
    await complete(owner, id, 'step-1');
    await letTimePass(one, id, 31 * MINUTE);
    await sweepAll();
    expect((await clocksOf(id)).filter((line) => line.startsWith('reminded'))).toHaveLength(1);
    await reviewer.patch('/api/workflows/timed/escalation', { tell: [], againAfterMinutes: null });
  });

  it('notifies open event streams, and the list of runs is correct before and after it', async () => {
    const { id } = await start(owner, 'timed', 'Seen breached');
    const stream = await listen(other, owner);
    await stream.until(({ event }) => event === 'hello');
    await letTimePass(one, id, 11 * HOUR);
    const breached = async () =>
      (await owner.get<{ id: string }[]>('/api/runs?sla=breached&limit=200')).some((run) => run.id === id);
    // The list is correct even before the first check.
    expect(await breached()).toBe(true);
    stream.received.length = 0;
    await sweepAll();
    await stream.until((received) => received.event === 'changed' && received.data.id === id);
    expect(await breached()).toBe(true);
    expect((await owner.get<{ id: string }[]>('/api/runs?sla=on_track&limit=200')).some((run) => run.id === id)).toBe(
      false,
    );
    stream.close();
  });
});
