import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Client, type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('an export of workflows or runs', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First'));
    await start(person, 'flow');
  });
  afterAll(() => server.stop());

  const last = async () => {
    const [event] = await server.sql<{ action: string; subject_id: string; actor: string; data: object }>(
      `select action, subject_id, actor, payload::json -> 'data' as data from audit_events
       where org_id = $1 order by seq desc limit 1`,
      [person.user.currentOrgId],
    );
    return event;
  };
  const count = async () =>
    (await server.sql('select 1 from audit_events where org_id = $1', [person.user.currentOrgId])).length;
  const take = async (client: Client, path: string) => (await client.call('GET', path)).status;

  it.each([
    ['/api/workflows/flow/export-yaml', { format: 'yaml', draftId: null, version: null }],
    ['/api/workflows/flow/export-yaml?format=json&version=1', { format: 'json', version: 1 }],
    ['/api/workflows/flow/export-bpmn', { format: 'bpmn' }],
    ['/api/workflows/flow/versions/1/document', { format: 'md', version: 1 }],
    ['/api/workflows/flow/versions/1/document?format=pdf', { format: 'pdf', version: 1 }],
  ])('is recorded in one event with the format and version for %s', async (path, data) => {
    const before = await count();
    expect(await take(person, path)).toBe(200);
    expect(await count()).toBe(before + 1);
    expect(await last()).toMatchObject({
      action: 'workflow.exported',
      subject_id: 'flow',
      actor: person.user.id,
      data,
    });
  });

  it('is recorded with the filter but without the search term if it contains runs', async () => {
    expect(await take(person, '/api/runs/export.csv?status=running&q=flow')).toBe(200);
    expect(await last()).toMatchObject({
      action: 'organization.runs_exported',
      data: { format: 'csv', filter: { status: 'running' }, searched: true },
    });
  });

  it('is recorded with the token as the actor if a token was used', async () => {
    const token = await personalToken(server, person);
    expect(await take(token, '/api/workflows/flow/export-yaml')).toBe(200);
    expect(await last()).toMatchObject({ action: 'workflow.exported', actor: token.id });
  });

  it('isn’t recorded if it is refused, and neither is reading a document', async () => {
    const titles = Array.from({ length: 100 }, (_, n) => `Step ${n}`);
    const dense = stepsNamed(...titles).map((step, n, all) => ({
      ...step,
      next: all.slice(n + 1).map(({ id }) => id),
    }));
    await person.post('/api/workflows/dense/drafts', { metadata: { title: 'Dense' }, steps: dense });
    const before = await count();
    expect(await take(person, '/api/workflows/dense/export-bpmn')).toBe(400);
    expect(await take(person, '/api/workflows/missing/export-yaml')).toBe(404);
    expect(await take(person, '/api/workflows/flow/versions/9/document?format=pdf')).toBe(404);
    expect(await take(await server.signUp(), '/api/workflows/flow/export-bpmn')).toBe(404);
    expect(await take(person, '/api/workflows/flow/document')).toBe(200);
    expect(await count()).toBe(before);
  });
});
