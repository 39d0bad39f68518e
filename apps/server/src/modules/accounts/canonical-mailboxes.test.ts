import { mailboxOf } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalizeAddresses } from '../../db/canonical-addresses.ts';
import { ownerClient } from '../../db/pool.ts';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { publish, teamOf } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer, startTestServerOn } from '../../testing/server.ts';

describe('one mailbox whose domain is spelled in different ways', () => {
  let server: TestServer;
  let mallory: Person;
  const email = 'mallory@corp.example';
  const password = 'a long enough one';

  beforeAll(async () => {
    server = await startTestServer();
    const { token } = await server.anyone.post<{ token: string }>('/api/auth/signup', {
      email,
      name: 'Mallory',
      password,
      accountType: 'organization',
      organizationName: 'Corp',
      organizationSlug: 'corp',
    });
    const person = server.as(token);
    mallory = { ...person, token, user: await person.get('/api/auth/me') };
  });
  afterAll(() => server.stop());

  // Mail programs map the domains of all these addresses to corp.example (UTS 46).
  it.each([
    'mallory@ｃorp.example',
    'mallory@co\u{ad}rp.example',
    'mallory@co\u{200b}rp.example',
    'mallory@corp。example.',
    'mallory@corp\u{ff0e}example',
  ])('can’t get a second account or an invitation with the spelling %j', async (spelling) => {
    const address = spelling.replace(/\.$/, '');
    const invited = await mallory.call('POST', `/api/organizations/${mallory.user.currentOrgId}/invitations`, {
      email: address,
      role: 'reviewer',
    });
    const signedUp = await server.anyone.call('POST', '/api/auth/signup', { email: address, name: 'Second', password });
    expect([invited.status, signedUp.status]).toEqual(address.includes('.') ? [409, 409] : [400, 400]);
    const loggedIn = await server.anyone.call('POST', '/api/auth/login', { email: address, password });
    expect(loggedIn.status).toBe(200);
  });

  // Mail servers ignore a trailing dot. In mail headers, an address ends at a semicolon or comma.
  it.each(['mallory@corp.example。', 'mallory@corp.example；x', 'mallory@corp.example，x'])(
    'can’t be invited or signed up as %j, because that isn’t a valid address',
    async (address) => {
      const invited = await mallory.call('POST', `/api/organizations/${mallory.user.currentOrgId}/invitations`, {
        email: address,
        role: 'reviewer',
      });
      const signedUp = await server.anyone.call('POST', '/api/auth/signup', {
        email: address,
        name: 'Second',
        password,
        accountType: 'individual',
      });
      expect([invited.status, signedUp.status]).toEqual([400, 400]);
    },
  );

  it('gets the password reset email if an earlier release stored the address as it was typed', async () => {
    const old = await server.signUp();
    const stored = old.user.email.replace('@e', '@ｅ');
    expect(stored).not.toBe(old.user.email);
    await server.sql('update users set email = $2 where id = $1', [old.user.id, stored]);
    await server.anyone.post('/api/auth/reset-request', { email: ` ${stored.toUpperCase()} ` });
    const link = linkIn(await mailTo(server.dataDir, old.user.email), '/reset-password');
    const token = new URL(link).searchParams.get('token');
    expect((await server.anyone.call('POST', '/api/auth/reset', { token, password: 'quite another one' })).status).toBe(
      200,
    );
    const loggedIn = await server.anyone.call('POST', '/api/auth/login', {
      email: stored,
      password: 'quite another one',
    });
    expect(loggedIn.status).toBe(200);
  });

  it('can’t sign up with invisible characters or look-alikes before the @', async () => {
    for (const address of ['ｍallory@corp.example', 'mal\u{ad}lory@corp.example', 'mal\u{200b}lory@corp.example']) {
      const { status } = await server.anyone.call('POST', '/api/auth/signup', { email: address, name: 'X', password });
      expect(status, address).toBe(400);
    }
  });

  it.each([
    'eva@bücher.example',
    'eva+tag@bücher.example',
    'e.v.a+tag@ｇmail.com',
    'mallory@co\u{ad}rp.example',
    'mallory@co\u{200b}rp.example',
    'mallory@corp。example',
    'mallory@corp\u{ff0e}example',
    'a@mañana.faß.example',
    'a@e\u{301}t\u{e9}.example',
    'a@日本語.例え.テスト',
    'a@пример.испытание',
    'a@παράδειγμα-2-δοκιμή.example',
    'a@ⅷ-ﬁ.example',
    'a@𝕔orp.example',
    'a@😀ab🎉.example',
    'a@他们为什么不说中文.example',
    'jörg@corp.example',
  ])('is computed identically in SQL and in the domain for %j', async (email) => {
    expect(await server.sql('select mailbox_of($1) as mailbox', [email])).toEqual([{ mailbox: mailboxOf(email) }]);
  });

  it('has its stored address rewritten, unless a different account already has the canonical address', async () => {
    const [old, kept, twin] = [await server.signUp({ team: 'Old' }), await server.signUp(), await server.signUp()];
    const rename = (who: Person, address: string) =>
      server.sql('update users set email = $2 where id = $1', [who.user.id, address]);
    await rename(old, 'old@bücher.example');
    await rename(kept, 'kept@bücher.example');
    await rename(twin, 'kept@xn--bcher-kva.example');
    const connect = () => ownerClient(server.database.connection);
    const rewrite = () => canonicalizeAddresses({ connect, log: { info() {} } });
    await Promise.all([rewrite(), rewrite()]);
    await rewrite();
    const emails = async (who: Person) => (await who.get<{ email: string }>('/api/auth/me')).email;
    expect([await emails(old), await emails(kept), await emails(twin)]).toEqual([
      'old@xn--bcher-kva.example',
      'kept@bücher.example',
      'kept@xn--bcher-kva.example',
    ]);
    const path = `/api/organizations/${old.user.currentOrgId}/invitations`;
    const invited = await old.call('POST', path, { email: 'old@bücher.example', role: 'reviewer' });
    expect(invited).toMatchObject({ status: 409, body: { code: 'already_member' } });
  });

  it('has its address rewritten in pending invitations too, of which only one per mailbox remains', async () => {
    const owner = await server.signUp({ team: 'Inviting' });
    const path = `/api/organizations/${owner.user.currentOrgId}/invitations`;
    const links = new Map<string, string>();
    for (const name of ['once', 'twice', 'typed']) {
      const sent = await owner.post<{ link: string }>(path, { email: `${name}@bücher.example`, role: 'reviewer' });
      links.set(name, sent.link);
    }
    // An earlier release stored addresses as they were typed.
    const rename = (from: string, to: string) =>
      server.sql('update invitations set email = $2 where email = $1', [`${from}@xn--bcher-kva.example`, to]);
    await rename('once', 'once@bücher.example');
    await rename('typed', 'twice@bücher.example');
    await canonicalizeAddresses({ connect: () => ownerClient(server.database.connection), log: { info() {} } });
    const pending = (await owner.get<{ email: string }[]>(path)).map(({ email }) => email);
    expect(pending.toSorted()).toEqual(['once@xn--bcher-kva.example', 'twice@xn--bcher-kva.example']);
    const accept = (name: string) =>
      server.anyone.call('POST', `/api/invitations/${links.get(name)?.split('/').at(-1)}/accept`, {
        name,
        password,
      });
    expect((await accept('typed')).status).toBe(404);
    expect((await accept('once')).status).toBe(201);
    expect((await accept('twice')).status).toBe(201);
  });

  it('keeps its open tasks when the server rewrites its address at startup', async () => {
    const { owner, admin } = await teamOf(server, ['admin']);
    await server.sql('update users set email = $2 where id = $1', [admin.user.id, 'task@bücher.example']);
    const assignee = 'task@bücher.example';
    await publish(owner, admin, 'tasks', [{ id: 'check', title: 'Check', type: 'approval', assignee, next: [] }]);
    const { id } = await start(owner, 'tasks');
    // An earlier release created the task only for the address as it was typed.
    await server.sql('delete from run_tasks where run_id = $1 and who <> $2 and otherwise is not null', [id, assignee]);
    const restarted = await startTestServerOn(server.database, { DATA_DIR: server.dataDir });
    await restarted.server.stop();
    expect(await admin.get('/api/auth/me')).toMatchObject({ email: 'task@xn--bcher-kva.example' });
    expect(await admin.get('/api/tasks')).toMatchObject([{ runId: id }]);
  });
});
