import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stet } from '../../cli/stet.fixture.ts';
import { LONG_RETRY_TRIES, TRIES, shortenWaits } from '../../db/job-retries.ts';
import { type SmtpServer, startSmtpServer } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const SOON = { timeout: 20_000, interval: 50 };

describe('mail that hasn’t been sent yet', () => {
  let smtp: SmtpServer;
  let server: TestServer;
  let person: Person;

  beforeAll(async () => {
    smtp = await startSmtpServer({ refusals: 2 });
    server = await startTestServer({ SMTP_URL: smtp.url });
    person = await server.signUp({ team: 'Patience' });
  });
  afterAll(async () => {
    await server.stop();
    await smtp.stop();
  });

  type Queued = { attempts: number; tries: number; minutes: number };
  const jobOf = async (task: string): Promise<Queued | undefined> =>
    (
      await server.sql<Queued>(
        `select j.attempts, j.max_attempts as tries, extract(epoch from j.run_at - now())::float8 / 60 as minutes
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = $1 and j.locked_at is null`,
        [task],
      )
    )[0];
  const setJob = (task: string, change: string) =>
    server.sql(
      `update graphile_worker._private_jobs set ${change}
       where task_id = (select id from graphile_worker._private_tasks where identifier = $1)`,
      [task],
    );
  /** Creates a digest with one item, whose email hasn't been sent. Returns its id. */
  async function digest(who: Person): Promise<string> {
    const [orgId, id] = [person.user.currentOrgId, randomUUID()];
    await server.sql(`insert into digests (org_id, id, user_id, day) values ($1, $2, $3, current_date)`, [
      orgId,
      id,
      who.user.id,
    ]);
    await server.sql(
      `insert into notifications (org_id, user_id, id, source, kind, title, body, email, digest_id)
       values ($1, $2, gen_random_uuid(), $3, 'review_requested', 'Held back', 'A review', 'daily', $4)`,
      [orgId, who.user.id, `test:${id}`, id],
    );
    await server.sql(`insert into outbox (task, payload, job_key, turn_of) values ('send_digest', $1, $2, $3)`, [
      JSON.stringify({ orgId, id }),
      `digest:${id}`,
      orgId,
    ]);
    return id;
  }
  const stateOf = async (id: string): Promise<string | undefined> =>
    (await server.sql<{ state: string }>('select state from digests where id = $1', [id]))[0]?.state;

  it('is retried every hour for some days if the SMTP server refuses it, and after that only on request', async () => {
    const id = await digest(person);
    await expect.poll(() => jobOf('send_digest'), SOON).toMatchObject({ attempts: 1, tries: LONG_RETRY_TRIES });
    expect(await stateOf(id)).toBe('waiting');
    // A job of an older release has its next attempt in six hours.
    await setJob('send_digest', `attempts = 11, max_attempts = ${TRIES}, run_at = now() + interval '6 hours'`);
    await server.sql(shortenWaits(['send_digest']));
    const shortened = await jobOf('send_digest');
    expect(shortened).toMatchObject({ attempts: 11, tries: LONG_RETRY_TRIES });
    expect(shortened?.minutes).toBeLessThanOrEqual(60);
    expect(shortened?.minutes).toBeGreaterThan(50);

    await setJob('send_digest', `attempts = max_attempts - 1, run_at = now()`);
    await expect.poll(() => stateOf(id), SOON).toBe('given_up');
    await expect.poll(async () => (await jobOf('send_digest'))?.attempts, SOON).toBe(LONG_RETRY_TRIES);
    expect(smtp.received).toEqual([]);
    const env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
    expect((await stet(['doctor'], env)).out).toContain('1 job of send_digest failed for good');

    expect(await stet(['jobs', 'retry', 'mail_notice'], env)).toMatchObject({
      code: 0,
      out: '',
      stderr: 'There was nothing to retry.\n',
    });
    const { code, out } = await stet(['jobs', 'retry', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([{ task: 'send_digest', jobs: 1 }]);
    await expect.poll(() => stateOf(id), SOON).toBe('sent');
    expect(smtp.received).toHaveLength(1);
  }, 60_000);

  it('is sent although its notification is forty days old', async () => {
    const [orgId, userId] = [person.user.currentOrgId, person.user.id];
    await server.sql(
      `insert into notifications (org_id, user_id, id, source, kind, title, body, email, created_at)
       values ($1, $2, gen_random_uuid(), 'test:old', 'role_changed', 'Role changed', 'You are an owner.', 'now',
               now() - interval '40 days')`,
      [orgId, userId],
    );
    await server.sql(`insert into outbox (task, payload, job_key, turn_of) values ('mail_notice', $1, $2, $3)`, [
      JSON.stringify({ orgId, userId }),
      `mails:${orgId}:${userId}`,
      orgId,
    ]);
    await expect.poll(() => smtp.received.some(({ text }) => text.includes('You are an owner.')), SOON).toBe(true);
  });

  it('is dropped if it is a digest for a former member', async () => {
    const gone = await server.signUp();
    await joinOrganization(server, gone, person.user.currentOrgId ?? '', 'viewer');
    await server.sql('delete from memberships where user_id = $1 and org_id = $2', [
      gone.user.id,
      person.user.currentOrgId,
    ]);
    const id = await digest(gone);
    await expect.poll(() => stateOf(id), SOON).toBe('given_up');
  });
});
