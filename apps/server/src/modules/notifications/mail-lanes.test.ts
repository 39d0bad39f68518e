import type { Notification, Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SmtpServer, startSmtpServer } from '../../testing/mailbox.ts';
import { publish, teamOf } from '../../testing/organization.ts';
import { runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const BURST = 30;

describe('emails to a slow server', () => {
  let smtp: SmtpServer;
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;

  beforeAll(async () => {
    smtp = await startSmtpServer({ holds: true });
    server = await startTestServer({ SMTP_URL: smtp.url, SIMULATED_FAILURE_RATE: '0' });
    ({ owner, reviewer } = await teamOf(server, ['reviewer']));
    await publish(owner, reviewer, 'burst', [{ id: 'do', title: 'Do', assignee: reviewer.user.email }]);
    await publish(owner, reviewer, 'work', [
      { id: 'count', title: 'Count', type: 'automated', config: { script: 'return 3' }, next: ['decide'] },
      {
        id: 'decide',
        title: 'Decide',
        type: 'condition',
        config: { condition: 'count = 3', trueNext: 'play' },
        next: ['play'],
      },
      { id: 'play', title: 'Play', type: 'automated', next: [] },
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await smtp.stop();
  });

  const assignments = (): number => smtp.received.filter(({ text }) => text.includes('is waiting for you')).length;
  const soon = { timeout: 120_000, interval: 50 };

  it("don't delay scripts, conditions, notifications, or an email for which a person is waiting", async () => {
    for (let n = 0; n < BURST; n++) await start(owner, 'burst', `Burst ${n}`);
    const { id } = await start(owner, 'work');
    await owner.post('/api/auth/reset-request', { email: owner.user.email });

    let run: Run | undefined;
    await expect.poll(async () => (run = await runOf(owner, id)).status, soon).toBe('completed');
    expect(run?.stepsCompleted).toBe(3);
    const notified = async () =>
      (await reviewer.get<Notification[]>('/api/notifications?limit=100')).filter(
        ({ kind }) => kind === 'step_assigned',
      );
    await expect.poll(async () => (await notified()).length, soon).toBe(BURST);
    await expect.poll(() => smtp.received.some(({ to }) => to.includes(owner.user.email)), soon).toBe(true);
    expect(assignments()).toBeLessThan(BURST);
    smtp.release();

    await expect.poll(assignments, soon).toBe(BURST);
  }, 300_000);
});
