import type { User } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization } from '../../testing/organization.ts';
import { type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

type SignedIn = { token: string; user: User };
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('an account', () => {
  let server: TestServer;
  let addresses = 0;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const newEmail = (): string => `someone-${(addresses += 1)}@example.com`;
  const signUp = (body: object): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/signup', {
      email: newEmail(),
      name: 'Sam Halden',
      password: 'secret',
      ...body,
    });
  const team = (slug: string, more: object = {}) => ({
    accountType: 'organization',
    organizationName: 'Halden & Co',
    organizationSlug: slug,
    ...more,
  });
  const logIn = (email: string, password = 'secret'): Promise<Reply<SignedIn>> =>
    server.anyone.call('POST', '/api/auth/login', { email, password });
  const claimsOf = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  it('of a person has an organization of its own, and is an editor everywhere', async () => {
    const { status, body } = await signUp({ email: '  Sam.Personal@Example.COM ', name: ' Sam ', role: 'viewer' });
    expect({ status, user: body.user }).toMatchObject({
      status: 201,
      user: {
        email: 'sam.personal@example.com',
        name: 'Sam',
        role: 'editor',
        orgRole: 'owner',
        customRoleId: null,
        organizations: [{ name: 'Sam', type: 'individual', slug: null, role: 'owner' }],
      },
    });
    expect(body.user.currentOrgId).toBe(body.user.organizations[0]?.id);
    expect(body.user.orgPermissions).toContain('org.manage');
    expect(await server.as(body.token).get('/api/auth/me')).toEqual(body.user);
  });

  it('of an organization has a team with its slug, and the role that was picked', async () => {
    const { status, body } = await signUp(team('halden-co', { role: 'reviewer' }));
    expect({ status, user: body.user }).toMatchObject({
      status: 201,
      user: {
        role: 'reviewer',
        orgRole: 'owner',
        organizations: [{ name: 'Halden & Co', type: 'team', slug: 'halden-co', role: 'owner' }],
      },
    });
    const [organization] = await server.sql('select required_approvals from organizations where id = $1', [
      body.user.currentOrgId,
    ]);
    expect(organization).toEqual({ required_approvals: 1 });
  });

  it('reads the words of an older client for its kind', async () => {
    expect((await signUp({ accountType: 'individual' })).body.user.organizations).toMatchObject([
      { type: 'individual' },
    ]);
    expect((await signUp({ ...team('older-words'), accountType: 'team' })).body.user.organizations).toMatchObject([
      { type: 'team' },
    ]);
  });

  it.each([
    [{ password: '12345' }, 'Password must be at least 6 characters long'],
    [{ password: 'x'.repeat(201) }, 'Password must be at most 200 characters long'],
    [{ name: ' ' }, 'Full name is required'],
    [{ email: 'no address' }, 'Please enter a valid email address'],
    [{ email: 'a@b' }, 'Please enter a valid email address'],
    [{ accountType: 'organization' }, 'Organization name and URL are required for organization accounts'],
    [
      { accountType: 'organization', organizationName: 'A' },
      'Organization name and URL are required for organization accounts',
    ],
    [
      { accountType: 'organization', organizationSlug: 'a' },
      'Organization name and URL are required for organization accounts',
    ],
    [team('Not-Lower'), 'Only lowercase letters, digits and hyphens, at most 30'],
    [team('under_score'), 'Only lowercase letters, digits and hyphens, at most 30'],
  ])('is refused for %j in words for a person', async (body, error) => {
    expect(await signUp(body)).toMatchObject({ status: 400, body: { code: 'invalid', error } });
  });

  it.each([
    { role: 'owner' },
    { accountType: 'company' },
    { isAdmin: true },
    { orgRole: 'owner' },
    { currentOrgId: '01890000-0000-7000-8000-000000000001' },
    { email: `${'x'.repeat(250)}@example.com` },
    { name: 'x'.repeat(121) },
    team('x'.repeat(31)),
  ])('is refused for %j', async (body) => {
    expect(await signUp(body)).toMatchObject(refused(400, 'invalid'));
  });

  it('is made once for an address, however it is written and however many ask at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signUp({ email: n % 2 === 0 ? email : ` ${email.toUpperCase()}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'email_taken', error: 'An account with this email exists already' },
    });
    const found = await server.sql(
      'select 1 from organizations o join memberships m on m.org_id = o.id join users u on u.id = m.user_id where u.email = $1',
      [email],
    );
    expect(found).toHaveLength(1);
  });

  it('takes a slug once, however many ask at once, and leaves nothing of the others', async () => {
    const emails = Array.from({ length: 6 }, newEmail);
    const answers = await Promise.all(emails.map((email) => signUp(team('wanted', { email }))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(5).fill(409)]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'slug_taken', error: 'This organization URL is taken already' },
    });
    expect(await server.sql('select 1 from users where email = any ($1)', [emails])).toHaveLength(1);
  });

  it('signs in by address and password alone; a wrong address and a wrong password are told the same', async () => {
    const email = newEmail();
    await signUp({ email, password: ' with spaces ' });
    expect(await logIn(` ${email.toUpperCase()} `, ' with spaces ')).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
    const answers = await Promise.all([
      logIn(email, 'with spaces'),
      logIn(newEmail()),
      logIn('not an address'),
      logIn('', ''),
    ]);
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
    expect(answers[0]?.body).toMatchObject({ code: 'bad_credentials' });
  });

  it('is handed a token that names its session and ends after twelve hours', async () => {
    const { body } = await signUp({});
    const claims = claimsOf(body.token);
    expect(claims).toMatchObject({ sub: body.user.id, email: body.user.email, name: body.user.name, role: 'editor' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(12 * 60 * 60);
    const [session] = await server.sql<{ hours: number }>(
      `select extract(epoch from expires_at - created_at)::int / 3600 as hours from sessions where id = $1`,
      [claims['sid']],
    );
    expect(session).toEqual({ hours: 12 });
  });

  it('is signed out at once, and only there', async () => {
    const email = newEmail();
    const { body: first } = await signUp({ email });
    const { body: second } = await logIn(email);
    const one = server.as(first.token);
    expect(await one.call('POST', '/api/auth/logout')).toMatchObject({ status: 200 });
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['GET', '/api/workflows'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect(await one.call(method, path)).toMatchObject({
        ...refused(401, 'session_ended'),
        body: { error: 'Your session has ended. Please log in again.' },
      });
    }
    expect((await server.as(second.token).call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('selects another of its organizations, and none that it is no member of', async () => {
    const owner = await server.signUp({ team: 'Theirs' });
    const person = await server.signUp();
    const own = person.user.currentOrgId ?? '';
    const theirs = owner.user.currentOrgId ?? '';
    const select = (organizationId: string) =>
      person.call<User>('POST', '/api/users/switch-organization', { organizationId });
    for (const foreign of [theirs, '01890000-0000-7000-8000-000000000001'])
      expect(await select(foreign)).toMatchObject(refused(403, 'not_a_member'));
    expect(await person.get('/api/auth/me')).toMatchObject({ currentOrgId: own });
    await joinOrganization(server, person, theirs, 'viewer');
    expect(await select(own)).toMatchObject({ status: 200, body: { currentOrgId: own, orgRole: 'owner' } });
    expect(await select(theirs)).toMatchObject({
      status: 200,
      body: { currentOrgId: theirs, orgRole: 'viewer', orgPermissions: ['workflow.read', 'step.act_assigned'] },
    });
    expect(await person.get('/api/auth/me')).toMatchObject({ currentOrgId: theirs });
  });

  it('is not answered from another organization than the one that its client shows', async () => {
    const owner = await server.signUp({ team: 'Shown' });
    const person = await server.signUp();
    const [own, team] = [person.user.currentOrgId ?? '', owner.user.currentOrgId ?? ''];
    await joinOrganization(server, person, team, 'editor');
    await person.call('POST', '/api/users/switch-organization', { organizationId: team });
    const body = { key: 'mine', metadata: { title: 'Mine', description: '' }, steps: [{ id: 'a', title: 'A' }] };
    const create = (shown: string) =>
      person.call('POST', '/api/workflows/mine/drafts', body, { 'stet-organization': shown });
    expect(await create(own)).toMatchObject(refused(409, 'organization_changed'));
    expect(await owner.get('/api/workflows')).toEqual([]);
    expect((await create(team)).status).toBe(201);
    expect((await person.call('GET', '/api/auth/me', undefined, { 'stet-organization': own })).status).toBe(200);
  });

  it('gets the same answer again for the same key, and nothing happens twice', async () => {
    const person = await server.signUp();
    const key = { 'idempotency-key': 'founding-1' };
    const found = (name: string) => person.call<User>('POST', '/api/organizations', { name, slug: 'found-once' }, key);
    const first = await found('Found once');
    expect(first.status).toBe(201);
    expect(await found('Found once')).toMatchObject({ status: 201, body: first.body });
    expect(await found('Found twice')).toMatchObject(refused(409, 'idempotency_key_reused'));
    const change = { currentPassword: 'a long enough one', password: 'another secret' };
    for (let n = 0; n < 2; n += 1) {
      const changed = await person.call('POST', '/api/users/me/password', change, { 'idempotency-key': 'change-1' });
      expect(changed.status).toBe(200);
    }
    const [kept] = await server.sql<{ text: string }>(`select string_agg(t::text, ' ') as text from person_keys t`, []);
    expect(kept?.text).not.toContain('another secret');
  });

  it('stores no password that could be read, and answers none', async () => {
    const { body } = await signUp({ password: 'a very particular secret' });
    expect(JSON.stringify(body)).not.toContain('particular');
    const [user] = await server.sql<{ password_hash: string }>('select password_hash from users where id = $1', [
      body.user.id,
    ]);
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const [events] = await server.sql<{ text: string }>(
      'select string_agg(payload, ' + `' ') as text from audit_events where org_id = $1`,
      [body.user.currentOrgId],
    );
    expect(events?.text).toContain('account.signed_up');
    expect(events?.text).not.toContain('particular');
  });
});
