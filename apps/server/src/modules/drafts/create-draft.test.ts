import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsNamed } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('a draft that is created only if its workflow is new', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
  });
  afterAll(() => server.stop());

  const create = (key: string, headers: Record<string, string> = {}) =>
    person.call(
      'POST',
      `/api/workflows/${key}/drafts`,
      { metadata: { title: key }, steps: stepsNamed('First') },
      headers,
    );
  const onlyNew = { 'if-none-match': '*' };

  it('is refused if the key belongs to another workflow, and is created if the key is unused', async () => {
    expect((await create('taken')).status).toBeLessThan(300);
    expect(await create('taken', onlyNew)).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    expect((await create('free', onlyNew)).status).toBeLessThan(300);
    // Without the header, the request creates another draft of the same workflow.
    expect((await create('taken')).status).toBeLessThan(300);
  });

  it('is created only once if the request is repeated with the same idempotency key', async () => {
    const again = { ...onlyNew, 'idempotency-key': 'once' };
    const first = await create('repeated', again);
    expect(await create('repeated', again)).toMatchObject({ status: first.status, body: first.body });
  });

  it('is created by only one of two concurrent requests with the same key', async () => {
    const statuses = (await Promise.all([create('raced', onlyNew), create('raced', onlyNew)])).map(
      ({ status }) => status,
    );
    expect(Math.max(...statuses)).toBe(409);
    expect(Math.min(...statuses)).toBeLessThan(300);
  });
});

it('a new draft is refused if it is based on a version that is no longer live', async () => {
  const server = await startTestServer();
  try {
    const person = await server.signUp();
    const at = '/api/workflows/overtaken';
    const create = (step: string, liveVersionId?: string) =>
      person.call('POST', `${at}/drafts`, {
        metadata: { title: 'Overtaken' },
        steps: stepsNamed(step),
        ...(liveVersionId !== undefined && { liveVersionId }),
      });
    const publish = async (step: string): Promise<string> => {
      const { draftId } = (await create(step)).body as { draftId: string };
      await person.call('POST', `${at}/drafts/${draftId}/merge`);
      return draftId;
    };
    const first = await publish('First');
    expect((await create('Based on the first', first)).status).toBe(201);
    const second = await publish('Second');
    expect(await create('Based on the first', first)).toMatchObject({
      status: 409,
      body: { code: 'live_changed', error: 'Another version went live in the meantime' },
    });
    expect((await create('Based on the second', second)).status).toBe(201);
  } finally {
    await server.stop();
  }
});
