import type { ApiToken } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { mailTo, mailsIn } from '../../testing/mailbox.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { remindOfUnlimitedTokens } from './remind-of-unlimited-tokens.job.ts';

const PASSWORD = 'a long enough one';

describe('a personal token', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('can be created only with an expiry date within a year', async () => {
    const person = await server.signUp();
    const make = async (expiresInDays: number | null) =>
      person.call('POST', '/api/tokens', { name: 'CI', scopes: ['workflow.read'], expiresInDays });
    for (const days of [null, 0, 366])
      expect(await make(days)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect((await make(365)).status).toBe(201);
  });

  it('stays valid without an expiry date, and its owner is reminded every 30 days until it is revoked', async () => {
    const person = await server.signUp({ name: 'Priya evil.example' });
    const old = await personalToken(server, person, ['workflow.read']);
    await personalToken(server, person, ['workflow.read']);
    await server.sql('update api_tokens set expires_at = null where id = $1', [old.id]);
    const reminders = async () =>
      (await mailsIn(server.dataDir)).filter(
        ({ to, headers }) => to.includes(person.user.email) && headers.get('subject')?.includes('never expires'),
      ).length;
    for (let n = 0; n < 3; n += 1) await remindOfUnlimitedTokens(server.server.deps);
    const mail = await mailTo(server.dataDir, person.user.email, ({ raw }) => raw.includes('never expires'));
    expect(mail.text).toContain('/app/settings/tokens');
    // A person's name must not become a link in the email.
    expect(mail.text).toContain('Hello Priya evil[.]example,');
    expect(await old.get<unknown[]>('/api/workflows')).toEqual([]);

    await server.sql(`update api_tokens set reminded_at = now() - interval '31 days' where id = $1`, [old.id]);
    await remindOfUnlimitedTokens(server.server.deps);
    await expect.poll(reminders).toBe(2);

    await person.call('DELETE', `/api/tokens/${old.id}`);
    await server.sql(`update api_tokens set reminded_at = now() - interval '31 days' where id = $1`, [old.id]);
    await remindOfUnlimitedTokens(server.server.deps);
    expect(await server.sql(`select 1 from outbox where task = 'send_token_reminder'`)).toEqual([]);
    expect(await reminders()).toBe(2);
  });

  it('stays valid after a password change unless its owner chooses to revoke all personal tokens, in every organization', async () => {
    const person = await server.signUp();
    const here = await personalToken(server, person, ['workflow.read']);
    await person.post('/api/organizations', { name: 'Elsewhere', slug: 'ends-elsewhere' });
    const elsewhere = await personalToken(server, person, ['workflow.read']);
    const change = (currentPassword: string, password: string, more: object = {}) =>
      person.post<{ message: string }>('/api/users/me/password', { currentPassword, password, ...more });
    await change(PASSWORD, 'oak, ash and thorn');
    for (const token of [here, elsewhere]) expect((await token.call('GET', '/api/workflows')).status).toBe(200);

    const { message } = await change('oak, ash and thorn', PASSWORD, { endTokens: true });
    expect(message).toContain('your personal API tokens are revoked');
    for (const token of [here, elsewhere])
      expect(await token.call('GET', '/api/workflows')).toMatchObject({ status: 401, body: { code: 'token_ended' } });
    await expect
      .poll(() =>
        server.sql(
          `select payload::json -> 'data' ->> 'because' as because from audit_events
           where action = 'token.revoked' and subject_id = any ($1)`,
          [[here.id, elsewhere.id]],
        ),
      )
      .toEqual([{ because: 'password_changed' }, { because: 'password_changed' }]);
    expect(await person.get<ApiToken[]>('/api/tokens')).toEqual([]);
  });
});
