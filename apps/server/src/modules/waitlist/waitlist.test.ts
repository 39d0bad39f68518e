import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, startTestServer } from '../../testing/server.ts';

const application = {
  email: 'priority@example.com',
  role: 'Other',
  otherRole: 'Beekeeper',
  documentationTools: ['Notion', 'Other'],
  otherDocumentationTool: 'Wax tablets',
  teamTools: ['Google Docs / Google Sheets'],
  otherTeamTool: '',
  frustrations: 'They drift',
  processTypes: 'Swarming',
  collaborationSize: '40 000',
  frequency: 'Daily',
};

describe('the waitlist', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const count = async (): Promise<number> => (await server.anyone.get<{ count: number }>('/api/waitlist/count')).count;
  const join = (email: string) => server.anyone.call('POST', '/api/waitlist/signup', { email });

  it('counts each address once, with the same response if it is already on the list', async () => {
    expect(await count()).toBe(0);
    const first = await join('ada@example.com');
    expect(first).toMatchObject({ status: 200 });
    expect(await join(' ADA@example.com ')).toMatchObject({ status: 200, body: first.body });
    expect(await count()).toBe(1);
    await Promise.all(Array.from({ length: 20 }, (_, n) => join(`many-${n % 10}@example.com`)));
    expect(await count()).toBe(11);
    await server.sql(`delete from waitlist where email = 'ada@example.com'`);
    expect(await count()).toBe(10);
  });

  it.each([
    ['', 'Email is required'],
    ...['nobody', 'a@b', 'a b@c.de', 'a@b.c,d@e.f', 'a,b@c.de', '<a@b.de>'].map((address) => [
      address,
      'Please enter a valid email address',
    ]),
    [`${'x'.repeat(250)}@b.de`, 'Email must have at most 254 characters'],
  ])('refuses the address %j, and says why', async (address, error) => {
    expect(await join(address)).toMatchObject({ status: 400, body: { code: 'invalid', error } });
  });

  it('stores a complete application, and replaces it with a later one from the same address', async () => {
    const before = await count();
    const apply = (changes: object = {}) =>
      server.anyone.call('POST', '/api/waitlist/priority-application', { ...application, ...changes });
    expect(await apply()).toMatchObject({ status: 200 });
    expect(await apply({ email: ' Priority@Example.com', frequency: 'Weekly', teamTools: [] })).toMatchObject({
      status: 200,
    });
    expect(await count()).toBe(before + 1);
    expect(await server.sql('select * from priority_applications')).toMatchObject([
      {
        email: 'priority@example.com',
        other_role: 'Beekeeper',
        documentation_tools: ['Notion', 'Other'],
        team_tools: [],
        collaboration_size: '40 000',
        frequency: 'Weekly',
      },
    ]);
    for (const [changes, error] of [
      [{ otherRole: '' }, 'Please enter your role'],
      [{ role: undefined }, 'Please choose your role'],
      [{ frequency: 'Never' }, 'Please choose how often'],
    ] as const)
      expect(await apply(changes)).toMatchObject({ status: 400, body: { code: 'invalid', error } });
    expect(await apply({ role: 'Founder', otherRole: '', documentationTools: undefined })).toMatchObject({
      status: 200,
    });
  });
});
