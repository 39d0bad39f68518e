import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkIn, mailTo } from '../../testing/mailbox.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

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

  // Mail programs map all of these to corp.example (UTS 46).
  it.each([
    'mallory@ｃorp.example',
    'mallory@co\u{ad}rp.example',
    'mallory@co\u{200b}rp.example',
    'mallory@corp。example.',
    'mallory@corp\u{ff0e}example',
  ])('is not a second account: %j', async (spelling) => {
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

  it('of an account of an earlier release gets the mail that sets a new password, however it is typed in', async () => {
    const old = await server.signUp();
    // Earlier releases stored addresses as they were typed.
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

  it('is refused if its address differs only in invisible characters or look-alikes', async () => {
    for (const address of ['ｍallory@corp.example', 'mal\u{ad}lory@corp.example', 'mal\u{200b}lory@corp.example']) {
      const { status } = await server.anyone.call('POST', '/api/auth/signup', { email: address, name: 'X', password });
      expect(status, address).toBe(400);
    }
  });
});
