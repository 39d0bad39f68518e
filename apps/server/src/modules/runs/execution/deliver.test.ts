import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../../testing/organization.ts';
import { complete, runOf, start } from '../../../testing/runs.ts';
import { type SmtpServer, startSmtpServer } from '../../../testing/mailbox.ts';
import { type Person, type TestServer, startTestServer } from '../../../testing/server.ts';

const RECIPIENTS = Array.from({ length: 40 }, (_, n) => `recipient-${n}@outside.example`);

describe('a message to many people', () => {
  let smtp: SmtpServer;
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let keys = 0;

  beforeAll(async () => {
    smtp = await startSmtpServer({ takesMs: 60 });
    server = await startTestServer({ SMTP_URL: smtp.url });
    ({ owner, reviewer } = await teamOf(server, ['reviewer']));
  });
  afterAll(async () => {
    await server.stop();
    await smtp.stop();
  });

  const send = async (): Promise<string> => {
    keys += 1;
    await publish(owner, reviewer, `message-${keys}`, [
      { id: 'tell', title: 'Tell', type: 'notification', config: { recipients: RECIPIENTS, channels: ['email'] } },
    ]);
    return (await start(owner, `message-${keys}`)).id;
  };
  /** The number of emails about a run that were sent to each address. */
  const mails = (runId: string): Map<string, number> => {
    const got = new Map<string, number>();
    for (const { to, text } of smtp.received)
      if (text.includes(runId)) for (const email of to) got.set(email, (got.get(email) ?? 0) + 1);
    return got;
  };
  const completes = async (id: string): Promise<void> => {
    await expect
      .poll(async () => (await runOf(owner, id)).status, { timeout: 50_000, interval: 100 })
      .toBe('completed');
  };
  const one = (emails: readonly string[]): Map<string, number> => new Map(emails.map((email) => [email, 1]));

  it('reaches each recipient exactly once, even if the run is repeatedly paused and resumed while it is being sent', async () => {
    const id = await send();
    for (let n = 0; n < 12; n++) {
      await expect.poll(() => mails(id).size, { timeout: 50_000, interval: 5 }).toBeGreaterThan(n);
      await owner.post(`/api/runs/${id}/pause`);
      await owner.post(`/api/runs/${id}/resume`);
    }
    await completes(id);
    await sleep(500);
    expect(mails(id)).toEqual(one(RECIPIENTS));
  });

  it('isn’t sent while the run is paused, and reaches the remaining people after it resumes', async () => {
    const id = await send();
    await expect.poll(() => mails(id).size, { timeout: 50_000, interval: 5 }).toBeGreaterThan(2);
    await owner.post(`/api/runs/${id}/pause`);
    await sleep(500);
    const before = mails(id).size;
    await sleep(1000);
    expect(mails(id).size).toBe(before);
    expect(before).toBeLessThan(RECIPIENTS.length);
    await owner.post(`/api/runs/${id}/resume`);
    await completes(id);
    expect(mails(id)).toEqual(one(RECIPIENTS));
  });

  it('is sent to a recipient claimed by a dead sender, but not to one claimed by a live sender', async () => {
    const [dead = '', alive = '', sent = '', fresh = ''] = RECIPIENTS;
    await publish(owner, reviewer, 'taken-over', [
      { id: 'go', title: 'Go', next: ['tell'] },
      {
        id: 'tell',
        title: 'Tell',
        type: 'notification',
        config: { recipients: [dead, alive, sent, fresh], channels: ['email'] },
      },
    ]);
    const { id } = await start(owner, 'taken-over');
    await server.sql(
      `insert into step_deliveries (org_id, run_id, step_id, activation, channel, recipient, state, claim, at)
       select org_id, id, 'tell', 1, 'email', d.recipient, d.state, 'another sender', now() - d.age::interval
       from runs, (values ($2, 'sending', '1 minute'), ($3, 'sending', '0'), ($4, 'sent', '0')) as d (recipient, state, age)
       where id = $1`,
      [id, dead, alive, sent],
    );
    await complete(owner, id, 'go');
    await expect.poll(() => mails(id), { timeout: 50_000 }).toEqual(one([dead, fresh]));
    await sleep(1000);
    expect((await runOf(owner, id)).status).toBe('running');
    await server.sql(`update step_deliveries set state = 'sent' where run_id = $1 and recipient = $2`, [id, alive]);
    await completes(id);
    expect(mails(id)).toEqual(one([dead, fresh]));
  });
});
