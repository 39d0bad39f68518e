import type { PendingInvitation, SentInvitation, User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

let guests = 0;
const newGuest = (): string => `guest-${(guests += 1)}@example.com`;
const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';
const account = { name: 'A Guest', password: 'a long enough one' };

describe('an invitation', () => {
  let server: TestServer;
  let owner: Person;
  let orgId: string;
  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, orgId } = await teamOf(server, []));
  });
  afterAll(() => server.stop());

  const invitations = (): string => `/api/organizations/${orgId}/invitations`;
  const invite = (email: string, role = 'editor'): Promise<SentInvitation> =>
    owner.post(invitations(), { email, role });
  const look = (token: string): Promise<Reply<{ code?: string }>> =>
    server.anyone.call('GET', `/api/invitations/${token}`);
  const accept = (
    token: string,
    body: object = account,
  ): Promise<Reply<{ code?: string; organization?: { name: string } }>> =>
    server.anyone.call('POST', `/api/invitations/${token}/accept`, body);
  const join = (who: Person, token: string): Promise<Reply<{ code?: string; error?: string }>> =>
    who.call('POST', `/api/invitations/${token}/join`);
  const logIn = async (email: string): Promise<Reply<{ token: string; user: User }>> =>
    server.anyone.call('POST', '/api/auth/login', { email, password: account.password });
  const gone = {
    status: 404,
    body: { code: 'not_found', error: 'This invitation link may have expired or been revoked.' },
  };

  it('is mailed with a link that shows it and can be used only once to create an account', async () => {
    const email = newGuest();
    const sent = await invite(` ${email.toUpperCase()} `, 'reviewer');
    expect(sent).toMatchObject({ email, role: 'reviewer', expired: false, invitedBy: { id: owner.user.id } });
    expect(Date.parse(sent.expiresAt) - Date.parse(sent.createdAt)).toBe(10_080 * 60_000);
    const mail = await mailTo(server.dataDir, email);
    expect(mail.text).toContain('Reviewer');
    // The mailed link proves the mailbox, so it is different from the link that the inviter sees.
    const token = tokenOf(linkIn(mail, '/invite/'));
    expect(token).not.toBe(tokenOf(sent.link));
    const [{ slug, name } = { slug: '', name: '' }] = owner.user.organizations;
    expect(await look(token)).toMatchObject({
      status: 200,
      body: {
        email,
        role: 'reviewer',
        organization: { id: orgId, name, slug },
        status: 'pending',
        expiresAt: sent.expiresAt,
      },
    });
    expect(await accept(token, { ...account, password: 'short' })).toMatchObject({ status: 400 });
    expect(await accept(token, { ...account, name: ' ' })).toMatchObject({ status: 400 });
    expect(await accept(token)).toMatchObject({ status: 201, body: { organization: { id: orgId, name } } });
    expect(await look(token)).toMatchObject(gone);
    expect(await accept(token)).toMatchObject(gone);
    const { body } = await logIn(email);
    expect(body.user).toMatchObject({
      email,
      role: 'reviewer',
      currentOrgId: orgId,
      orgRole: 'reviewer',
      organizations: [{ id: orgId }],
    });
    expect(await owner.get(invitations())).not.toContainEqual(expect.objectContaining({ email }));
  });

  it('creates only one account if twenty requests accept it concurrently', async () => {
    const email = newGuest();
    const token = tokenOf((await invite(email)).link);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => accept(token, { ...account, name: `Guest ${n}` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of replies.filter((reply) => reply.status !== 201)) expect([404, 409]).toContain(status);
    expect(await server.sql('select 1 from users where email = $1', [email])).toHaveLength(1);
    expect(
      await server.sql(
        `select 1 from audit_events where org_id = $1 and action = 'member.joined' and payload like $2`,
        [orgId, `%${email}%`],
      ),
    ).toHaveLength(1);
  });

  it('lets the owner of an existing account join, and selects the organization', async () => {
    const person = await server.signUp();
    const token = tokenOf((await invite(person.user.email, 'admin')).link);
    expect(await accept(token)).toMatchObject({ status: 409, body: { code: 'account_exists' } });
    const replies = await Promise.all([join(person, token), join(person, token)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(await person.get('/api/auth/me')).toMatchObject({ currentOrgId: orgId, orgRole: 'admin' });
    expect(await look(token)).toMatchObject(gone);
  });

  it('can’t be used by someone signed in with a different address; the refusal names the invited one', async () => {
    const email = newGuest();
    const token = tokenOf((await invite(email)).link);
    const other = await server.signUp();
    expect(await join(other, token)).toMatchObject({ status: 403, body: { code: 'wrong_account' } });
    expect((await join(other, token)).body.error).toContain(email);
    expect((await other.get<User>('/api/auth/me')).organizations.map(({ id }) => id)).not.toContain(orgId);
    expect(await look(token)).toMatchObject({ status: 200 });
  });

  it('results in only one account if it is accepted while someone signs up with its address', async () => {
    const email = newGuest();
    const token = tokenOf((await invite(email)).link);
    const [accepted, signedUp] = await Promise.all([
      accept(token),
      server.anyone.call('POST', '/api/auth/signup', { email, ...account }),
    ]);
    expect([accepted.status, signedUp.status].toSorted((a, b) => a - b)).toEqual([201, 409]);
    if (accepted.status === 409) expect(accepted.body.code).toBe('account_exists');
    expect(await server.sql('select 1 from users where email = $1', [email])).toHaveLength(1);
  });

  it.each([
    ['was revoked', (id: string) => owner.call('DELETE', `${invitations()}/${id}`)],
    ['has expired', (id: string) => server.sql(`update invitations set expires_at = now() where id = $1`, [id])],
    ['was sent again', (id: string) => owner.call('POST', `${invitations()}/${id}/resend`)],
    ['was replaced', () => invite(`guest-${guests}@example.com`, 'viewer')],
  ])('is not found through its link after it %s', async (_, end) => {
    const sent = await invite(newGuest());
    const token = tokenOf(sent.link);
    const person = await server.signUp();
    await end(sent.id);
    expect(await look(token)).toMatchObject(gone);
    expect(await accept(token)).toMatchObject(gone);
    expect(await join(person, token)).toMatchObject(gone);
    expect(await accept(`${token.slice(0, -1)}x`)).toMatchObject(gone);
  });

  it('gets new links when it is sent again, even after it has expired', async () => {
    const email = newGuest();
    const sent = await invite(email);
    const first = linkIn(await mailTo(server.dataDir, email), '/invite/');
    await server.sql(`update invitations set expires_at = now() - interval '1 day' where id = $1`, [sent.id]);
    expect(await owner.get(invitations())).toContainEqual(expect.objectContaining({ id: sent.id, expired: true }));
    const again = await owner.post<SentInvitation>(`${invitations()}/${sent.id}/resend`);
    expect(again).toMatchObject({ id: sent.id, email, expired: false });
    expect(again.link).not.toBe(sent.link);
    const mailed = await mailTo(server.dataDir, email, (mail) => linkIn(mail, '/invite/') !== first);
    for (const dead of [sent.link, first]) expect(await look(tokenOf(dead))).toMatchObject(gone);
    expect(await look(tokenOf(linkIn(mailed, '/invite/')))).toMatchObject({ status: 200 });
    expect(await accept(tokenOf(again.link))).toMatchObject({ status: 201 });
    expect(await owner.call('POST', `${invitations()}/${sent.id}/resend`)).toMatchObject({ status: 404 });
    expect(await owner.call('DELETE', `${invitations()}/${sent.id}`)).toMatchObject({ status: 404 });
  });

  it('exists only once per address, even if several requests send one concurrently', async () => {
    const email = newGuest();
    const replies = await Promise.all(
      ['editor', 'viewer', 'reviewer', 'admin'].map((role) => owner.call('POST', invitations(), { email, role })),
    );
    for (const { status } of replies) expect(status).toBe(201);
    const pending = (await owner.get<PendingInvitation[]>(invitations())).filter((one) => one.email === email);
    expect(pending).toHaveLength(1);
    expect(await accept(tokenOf(pending[0]?.link ?? ''))).toMatchObject({ status: 201 });
    expect(await owner.call('POST', invitations(), { email, role: 'viewer' })).toMatchObject({
      status: 409,
      body: { code: 'already_member' },
    });
  });

  it("can't have the role owner, and can't be sent by individual organizations", async () => {
    expect(await owner.call('POST', invitations(), { email: newGuest(), role: 'owner' })).toMatchObject({
      status: 400,
    });
    const alone = await server.signUp();
    const path = `/api/organizations/${alone.user.currentOrgId}/invitations`;
    expect(await alone.call('POST', path, { email: newGuest(), role: 'viewer' })).toMatchObject({
      status: 409,
      body: { code: 'individual_organization' },
    });
    expect(await alone.get(path)).toEqual([]);
  });

  it('is stored without the tokens in its links', async () => {
    const body = { email: newGuest(), role: 'viewer' };
    const key = { 'idempotency-key': 'invite once' };
    const first = await owner.call<SentInvitation>('POST', invitations(), body, key);
    const second = await owner.call<SentInvitation>('POST', invitations(), body, key);
    expect(second.body).toEqual(first.body);
    expect(await owner.get(invitations())).toContainEqual(first.body);
    const tokens = [first.body.link, linkIn(await mailTo(server.dataDir, body.email), '/invite/')].map(tokenOf);
    for (const table of [
      'invitations',
      'idempotency_keys',
      'audit_events',
      'outbox',
      'graphile_worker._private_jobs',
    ]) {
      const rows = await server.sql<{ text: string }>(`select t::text as text from ${table} t`);
      for (const { text } of rows) for (const token of tokens) expect(text).not.toContain(token);
    }
  });

  it('has its complete history in the trail', async () => {
    const fresh = await teamOf(server, []);
    const path = `/api/organizations/${fresh.orgId}/invitations`;
    const [one, two] = [newGuest(), newGuest()];
    const first = await fresh.owner.post<SentInvitation>(path, { email: one, role: 'viewer' });
    const replaced = await fresh.owner.post<SentInvitation>(path, { email: one, role: 'editor' });
    await fresh.owner.post(`${path}/${replaced.id}/resend`);
    await fresh.owner.call('DELETE', `${path}/${replaced.id}`);
    const last = await fresh.owner.post<SentInvitation>(path, { email: two, role: 'viewer' });
    await accept(tokenOf(last.link));
    const events = await server.sql<{ action: string; subject_id: string }>(
      `select action, subject_id from audit_events where org_id = $1 and action similar to '(invitation|member|account).%' and seq > 2 order by seq`,
      [fresh.orgId],
    );
    const [{ id: joined } = { id: '' }] = await server.sql<{ id: string }>('select id from users where email = $1', [
      two,
    ]);
    expect(events.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['invitation.sent', first.id],
      ['invitation.revoked', first.id],
      ['invitation.sent', replaced.id],
      ['invitation.resent', replaced.id],
      ['invitation.revoked', replaced.id],
      ['invitation.sent', last.id],
      ['invitation.accepted', last.id],
      ['account.signed_up', joined],
      ['member.joined', joined],
    ]);
  });
});
