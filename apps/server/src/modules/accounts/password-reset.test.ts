import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { eventually, linkIn, mailTo, mailsIn } from '../../testing/mailbox.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const byNumber = (a: number, b: number): number => a - b;
const OLD = 'a long enough one';

describe('a forgotten password', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const logIn = ({ user }: Person, password: string): Promise<Reply<{ token: string }>> =>
    server.anyone.call('POST', '/api/auth/login', { email: user.email, password });
  const reset = (token: string, password: string): Promise<Reply<{ code?: string }>> =>
    server.anyone.call('POST', '/api/auth/reset', { token, password });
  async function askForLink({ user }: Person): Promise<string> {
    const known = (await mailsIn(server.dataDir)).filter(({ to }) => to.includes(user.email)).length;
    // The host in the mailed link must not come from the request's headers.
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };
    await server.anyone.call('POST', '/api/auth/reset-request', { email: ` ${user.email.toUpperCase()} ` }, forged);
    const mails = await eventually(async () => {
      const mine = (await mailsIn(server.dataDir)).filter(({ to }) => to.includes(user.email));
      return mine.length > known ? mine : undefined;
    });
    const link = linkIn(mails.at(-1) ?? (await mailTo(server.dataDir, user.email)), '/reset-password');
    expect(link.replace(/[\w-]{43}$/, 'TOKEN')).toBe(`${server.server.url}/reset-password?token=TOKEN`);
    return new URL(link).searchParams.get('token') ?? '';
  }

  it('can be replaced only once through the mailed link, and this ends every session', async () => {
    const person = await server.signUp();
    const token = await askForLink(person);
    expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await reset(token, 'quite another one')).toMatchObject({ status: 200 });
    expect(await person.call('GET', '/api/auth/me')).toMatchObject({ status: 401, body: { code: 'session_ended' } });
    expect(await logIn(person, OLD)).toMatchObject({ status: 401 });
    expect(await logIn(person, 'quite another one')).toMatchObject({ status: 200 });
    expect(await reset(token, 'yet another one')).toMatchObject({ status: 404, body: { code: 'link_expired' } });
  });

  it('revokes personal API tokens in every organization when it is replaced, but no organization tokens', async () => {
    const person = await server.signUp({ team: 'Halden Works' });
    const teamId = person.user.currentOrgId ?? '';
    const mine = await personalToken(server, person);
    const ours = await organizationToken(server, person, 'editor');
    await person.post('/api/organizations', { name: 'Halden Labs', slug: `labs-${process.pid}` });
    const elsewhere = await personalToken(server, person);
    expect(await reset(await askForLink(person), 'quite another one')).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('personal API tokens are revoked') as string },
    });
    for (const { secret } of [mine, elsewhere]) {
      expect(await server.as(secret).call('GET', '/api/auth/me')).toMatchObject({
        status: 401,
        body: { code: 'token_ended' },
      });
    }
    expect(await server.as(ours.secret).call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
    const recorded = await eventually(async () => {
      const events = await server.sql<{ org_id: string; subject_id: string; because: string }>(
        `select org_id, subject_id, payload::json -> 'data' ->> 'because' as because from audit_events
         where action = 'token.revoked' and actor = $1`,
        [person.user.id],
      );
      return events.length === 2 ? events : undefined;
    });
    expect(new Set(recorded.map(({ subject_id }) => subject_id))).toEqual(new Set([mine.id, elsewhere.id]));
    expect(recorded.map(({ because }) => because)).toEqual(['password_reset', 'password_reset']);
    expect(recorded.filter(({ org_id }) => org_id === teamId)).toHaveLength(1);

    const again = server.as((await logIn(person, 'quite another one')).body.token);
    expect(await again.get('/api/tokens')).toEqual([]);
    const { secret } = await personalToken(server, { ...person, ...again });
    expect(await server.as(secret).call('GET', '/api/auth/me')).toMatchObject({ status: 200 });
  });

  it('is replaced only once if twenty requests use the link concurrently', async () => {
    const person = await server.signUp();
    const token = await askForLink(person);
    const tries = Array.from({ length: 20 }, (_, n) => `the password of attempt ${n}`);
    const replies = await Promise.all(tries.map((password) => reset(token, password)));
    expect(replies.map(({ status }) => status).toSorted(byNumber)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 404),
    ]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(await logIn(person, tries[winner] ?? '')).toMatchObject({ status: 200 });
  });

  it('can’t be replaced through another link after one was used, or after an hour', async () => {
    const person = await server.signUp();
    const [first, second] = [await askForLink(person), await askForLink(person)];
    expect(first).not.toBe(second);
    await reset(second, 'the second one wins');
    expect(await reset(first, 'the first one is late')).toMatchObject({ status: 404 });

    const late = await askForLink(person);
    await server.sql(`update password_resets set expires_at = expires_at - interval '1 hour' where user_id = $1`, [
      person.user.id,
    ]);
    expect(await reset(late, 'an hour too late')).toMatchObject({ status: 404, body: { code: 'link_expired' } });
  });

  it('isn’t at risk from readers of the database, because only the hash of the link’s token is stored', async () => {
    const person = await server.signUp();
    const token = await askForLink(person);
    const [row] = await server.sql<{ text: string; hash: Buffer }>(
      `select r::text as text, token_hash as hash from password_resets r where user_id = $1`,
      [person.user.id],
    );
    expect(row?.text).not.toContain(token);
    expect(row?.hash).toHaveLength(32);
    expect(await server.sql('select 1 from outbox')).toEqual([]);
  });

  it("doesn't reveal accounts: an address without an account gets the same response, but no mail", async () => {
    const person = await server.signUp();
    const known = await server.anyone.call('POST', '/api/auth/reset-request', { email: person.user.email });
    const unknown = await server.anyone.call('POST', '/api/auth/reset-request', { email: 'nobody@example.com' });
    expect(unknown).toMatchObject({
      status: 200,
      body: { message: 'If the email exists, we sent reset instructions.' },
    });
    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: known.status, body: known.body });
    await mailTo(server.dataDir, person.user.email);
    await eventually(async () => {
      const [left] = await server.sql<{ n: number }>(
        `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'send_password_reset'`,
      );
      return left?.n === 0 ? true : undefined;
    });
    expect((await mailsIn(server.dataDir)).flatMap(({ to }) => to)).not.toContain('nobody@example.com');
  });

  it("can't be used to open a session that remains valid after the reset", async () => {
    const person = await server.signUp();
    const token = await askForLink(person);
    const signIns = Array.from({ length: 8 }, () => logIn(person, OLD));
    const [, ...replies] = await Promise.all([reset(token, 'quite another one'), ...signIns]);
    for (const { status, body } of replies) {
      if (status === 200)
        expect(await server.as(body.token).call('GET', '/api/auth/me')).toMatchObject({ status: 401 });
    }
    expect(await logIn(person, OLD)).toMatchObject({ status: 401 });
  });

  it('has two events in the audit trail: the request by the system, because anyone can send it, and the reset by the person', async () => {
    const person = await server.signUp();
    await reset(await askForLink(person), 'quite another one');
    const events = await server.sql<{ actor: string; action: string }>(
      `select actor, action from audit_events where org_id = $1 and action like 'account.password%' order by seq`,
      [person.user.currentOrgId],
    );
    expect(events).toEqual([
      { actor: 'system', action: 'account.password_reset_requested' },
      { actor: person.user.id, action: 'account.password_reset' },
    ]);
  });
});
