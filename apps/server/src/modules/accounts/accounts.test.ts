import { afterAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../testing/server.ts';
import { accountsOf } from '../../testing/accounts.ts';
import { refused } from '../../testing/drafts.ts';

const server = await startTestServer({}, { hasRealPasswords: true });
const { newEmail, signUp } = accountsOf(server);

describe('an account', () => {
  afterAll(() => server.stop());

  const team = (slug: string, more: object = {}) => ({
    accountType: 'organization',
    organizationName: 'Halden & Co',
    organizationSlug: slug,
    ...more,
  });

  it('gives a person their own organization and the global role editor', async () => {
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

  it('of the kind organization gives its person a team with the given slug, and the selected global role', async () => {
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

  it('can be created with the older names for the kind of account', async () => {
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
    [team('Not-Lower'), 'Use only lowercase letters, digits and hyphens, at most 30 characters'],
    [team('under_score'), 'Use only lowercase letters, digits and hyphens, at most 30 characters'],
  ])('can’t be created with %j, and a readable message says why', async (body, error) => {
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
  ])('can’t be created with %j', async (body) => {
    expect(await signUp(body)).toMatchObject(refused(400, 'invalid'));
  });

  it('is created only once per address, even with different spellings and concurrent requests', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signUp({ email: n % 2 === 0 ? email : ` ${email.toUpperCase()}` })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'email_taken', error: 'An account with this email already exists' },
    });
    const found = await server.sql(
      'select 1 from organizations o join memberships m on m.org_id = o.id join users u on u.id = m.user_id where u.email = $1',
      [email],
    );
    expect(found).toHaveLength(1);
  });

  it('is the only one to get a slug that several people request concurrently; nothing is stored about the others', async () => {
    const emails = Array.from({ length: 6 }, newEmail);
    const answers = await Promise.all(emails.map((email) => signUp(team('wanted', { email }))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(5).fill(409)]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({
      body: { code: 'slug_taken', error: 'This organization URL is already taken' },
    });
    expect(await server.sql('select 1 from users where email = any ($1)', [emails])).toHaveLength(1);
  });

  it('is stored without a readable password, and neither the response nor the trail contains one', async () => {
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
