import type { WholeDraft } from '@stet/contract';
import type { LeftOut } from '@stet/domain/bpmn';
import { checkGraph, contentHash } from '@stet/domain/workflows';
import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { trailOf } from '../../testing/audit.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { runnableContent } from '../../testing/workflow-content.ts';

type Saved = { draftId: string; revision: number };
const FORMATS = ['yaml', 'json'] as const;
const type = { yaml: 'application/yaml', json: 'application/json' } as const;

describe('workflow files over HTTP', () => {
  let server: TestServer;
  let person: Person;
  let keys = 0;
  const newKey = (): string => `file-${(keys += 1)}`;
  const importInto = (key: string, text: string, format: (typeof FORMATS)[number] = 'yaml') =>
    person.call<Saved & { error: string; code: string; details: unknown[]; leftOut: LeftOut[] }>(
      'POST',
      `/api/workflows/${key}/import-yaml?format=${format}`,
      text,
      { 'content-type': type[format] },
    );
  const exported = (path: string) => person.call<string | object>('GET', path);
  const draftOf = (key: string, draftId: string) => person.get<WholeDraft>(`/api/workflows/${key}/drafts/${draftId}`);

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
  });
  afterAll(() => server.stop());

  it('can be workflows as the API returns them, and then have the same content hash', async () => {
    await fc.assert(
      fc.asyncProperty(runnableContent, async (content) => {
        const [from, to] = [newKey(), newKey()];
        await person.post(`/api/workflows/${from}/drafts`, content);
        const saved = await person.get<object>(`/api/workflows/${from}`);
        const imported = await importInto(to, JSON.stringify(saved), 'json');
        expect(imported.status, JSON.stringify(imported.body)).toBe(201);
        expect((await draftOf(to, imported.body.draftId)).contentHash).toBe(contentHash(content));
        expect(imported.body.leftOut.map(({ name }) => name)).toContain('stepsCount');
      }),
      { numRuns: 15 },
    );
  });

  it('get defaults and new step ids if they are JSON with only steps', async () => {
    const key = newKey();
    await person.post(`/api/workflows/${key}/drafts`, { metadata: { title: 'Known' }, steps: stepsNamed('a', 'b') });
    const before = await person.get<{ steps: { id: string }[] }>(`/api/workflows/${key}`);
    const { body } = await importInto(key, JSON.stringify({ steps: [{ name: 'One' }, {}] }), 'json');
    const draft = await draftOf(key, body.draftId);
    expect(draft.metadata.title).toBe('Known');
    expect(draft.steps).toMatchObject([
      { title: 'One', assignee: 'Unassigned', sla: '1 day', description: 'Task description...' },
      { title: 'Step 2', next: [] },
    ]);
    const known = before.steps.map(({ id }) => id);
    for (const { id } of draft.steps) expect(known).not.toContain(id);
  });

  it("differ from drafts sent to the API, which can omit step ids, but can't have unknown fields", async () => {
    const key = newKey();
    const { draftId } = await person.post<Saved>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Without ids' },
      steps: [{ title: 'First' }, { id: 'own', title: 'Second' }],
    });
    const [first, second] = (await draftOf(key, draftId)).steps;
    expect(first?.next).toEqual(['own']);
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.id).toBe('own');
    const steps = [{ title: 'First', colour: 'red' }];
    const { status } = await person.call('POST', `/api/workflows/${newKey()}/drafts`, {
      metadata: { title: 'X' },
      steps,
    });
    expect(status).toBe(400);
  });

  it.each(FORMATS)('keep their content hash when exported and imported again as %s', async (format) => {
    const validate = new Ajv({ strict: false }).compile(
      await person
        .get<object>('/api/schemas/workflow.json')
        .then((body) => (typeof body === 'string' ? (JSON.parse(body) as object) : body)),
    );
    await fc.assert(
      fc.asyncProperty(runnableContent, async (content) => {
        expect(checkGraph(content.steps)).toEqual([]);
        const [from, to] = [newKey(), newKey()];
        const { draftId } = await person.post<Saved>(`/api/workflows/${from}/drafts`, content);
        const { body } = await exported(`/api/workflows/${from}/export-yaml?draftId=${draftId}&format=${format}`);
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        expect(validate(format === 'json' ? body : parse(text)), JSON.stringify(validate.errors)).toBe(true);
        const imported = await importInto(to, text, format);
        expect(imported.status, JSON.stringify(imported.body)).toBe(201);
        const copy = await draftOf(to, imported.body.draftId);
        expect(copy.contentHash).toBe((await draftOf(from, draftId)).contentHash);
        expect(copy.contentHash).toBe(contentHash(content));
      }),
      { numRuns: 25 },
    );
  });

  it('contain the live version when exported, unless a draft or version is requested', async () => {
    const key = newKey();
    await publish(person, person, key, stepsNamed('First'));
    const { draftId } = await person.post<Saved>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Second' },
      steps: stepsNamed('Changed'),
    });
    const live = await exported(`/api/workflows/${key}/export-yaml`);
    expect(live.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(live.headers.get('content-disposition')).toBe(`attachment; filename="${key}.yaml"`);
    expect(live.body).toContain('title: First');
    expect((await exported(`/api/workflows/${key}/export-yaml?version=1`)).body).toBe(live.body);
    const draft = await exported(`/api/workflows/${key}/export-yaml?draftId=${draftId}&format=json`);
    expect(draft.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(draft.headers.get('content-disposition')).toBe(`attachment; filename="${key}.json"`);
    expect(draft.body).toMatchObject({ key, metadata: { title: 'Second' }, steps: [{ title: 'Changed' }] });
    expect((await exported(`/api/workflows/${key}/export-yaml?version=2`)).status).toBe(404);
    expect((await exported(`/api/workflows/${key}/export-yaml?version=1&draftId=${draftId}`)).status).toBe(400);
  });

  it('use the workflow’s metadata if they have none, and their import is recorded in the trail', async () => {
    const key = newKey();
    await publish(person, person, key, stepsNamed('First'));
    const { body } = await importInto(key, 'steps:\n  - {id: a, title: From a file}\n');
    const draft = await draftOf(key, body.draftId);
    expect(draft).toMatchObject({
      status: 'draft',
      baseVersion: 1,
      metadata: (await draftOf(key, body.draftId)).metadata,
      steps: [{ title: 'From a file' }],
    });
    expect(draft.metadata.title).not.toBe('');
    const events = (await trailOf(server, person.user.currentOrgId ?? '')).filter(
      ({ subjectId }) => subjectId === body.draftId,
    );
    expect(events.map(({ action }) => action)).toEqual(['draft.imported']);
  });

  it('create a workflow if the key is new, but only if they have a title', async () => {
    const key = newKey();
    expect(await importInto(key, 'steps: [{id: a, title: A}]')).toMatchObject({
      status: 400,
      body: { code: 'invalid_file', error: 'metadata is missing: a new workflow needs a title' },
    });
    expect((await person.call('GET', `/api/workflows/${key}`)).status).toBe(404);
    expect((await importInto(key, 'metadata: {title: New}\nsteps: [{id: a, title: A}]')).status).toBe(201);
    expect(await person.get(`/api/workflows/${key}`)).toMatchObject({ metadata: { title: 'New' }, status: 'draft' });
  });

  it.each([
    [
      'steps:\n  - id: a\n    title: A\n    sla: [1]\n',
      { line: 4, column: 10, path: 'steps.0.sla' },
      /^Line 4, column 10: steps\.0\.sla must be text/,
    ],
    [
      'steps:\n  - {id: a, title: A, next: [b]}\n  - {id: b, title: B, next: [a]}\n',
      { line: 2, path: 'steps.0' },
      /form a loop/,
    ],
    [
      'steps:\n  - {id: a, title: A}\n  - {id: a, title: B}\n',
      { line: 3, path: 'steps.1' },
      /^Line 3, column 5: Two steps have the id a/,
    ],
    ['metadata: {title: x}', { line: 1, path: 'steps' }, /Invalid workflow format/],
  ])('are refused with a message that gives the position if they are invalid: %#', async (text, detail, sentence) => {
    const key = newKey();
    for (const path of [`/api/workflows/${key}/import-yaml`, '/api/workflow-files/read']) {
      const { status, body } = await person.call<{ error: string; code: string; details: unknown[] }>(
        'POST',
        path,
        text,
        { 'content-type': 'text/yaml' },
      );
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_file' });
      expect(body.error).toMatch(sentence);
      expect(body.details[0]).toMatchObject(detail);
    }
  });

  it('can be previewed without changing anything', async () => {
    const before = (await trailOf(server, person.user.currentOrgId ?? '')).length;
    const { status, body } = await person.call(
      'POST',
      '/api/workflow-files/read?format=json',
      '{"key":"x","steps":[{"id":"a","title":"A","type":"review"}]}',
      { 'content-type': 'application/json' },
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { key: 'x', metadata: null, steps: [{ id: 'a', type: 'approval', assignee: 'Unassigned', next: [] }] },
    });
    expect(await trailOf(server, person.user.currentOrgId ?? '')).toHaveLength(before);
  });

  it('have a published schema that accepts a valid file and refuses mistakes, also those that an import tolerates', async () => {
    const { body, headers } = await server.anyone.call<string>('GET', '/api/schemas/workflow.json');
    expect(headers.get('content-type')).toMatch(/^application\/schema\+json/);
    expect(body).toContain('A script runs for at most 60 seconds');
    const validate = new Ajv({ strict: false }).compile(JSON.parse(body) as object);
    const step = { id: 'a', title: 'A' };
    const metadata = { title: 'Schema test' };
    const right = { metadata, steps: [step] };
    expect(validate({ steps: [step] })).toBe(true);
    expect(validate(right)).toBe(true);
    const imported = async (file: object): Promise<number> => {
      expect(validate(file), JSON.stringify(file)).toBe(file === right);
      return (await importInto('schema-test', JSON.stringify(file), 'json')).status;
    };
    for (const wrong of [
      { metadata },
      { metadata, steps: [] },
      { metadata, steps: [{ ...step, type: 'dance' }] },
      { metadata, steps: [{ ...step, title: 5 }] },
      { metadata, steps: [step], key: '-' },
      [],
    ])
      expect(await imported(wrong), JSON.stringify(wrong)).toBe(400);
    expect(await imported(right)).toBe(201);
    // The import accepts files that it can complete, and ignores what it doesn't know.
    for (const incomplete of [
      { metadata, steps: [{ title: 'A' }] },
      { metadata, steps: [{ ...step, colour: 'red' }] },
      { metadata, steps: [{ ...step, config: { script: 'x' } }] },
      { metadata: {}, steps: [step] },
    ])
      expect(await imported(incomplete), JSON.stringify(incomplete)).toBe(201);
  });
});
