import type { Comparison } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('comparing versions', () => {
  let server: TestServer;
  let person: Person;
  let draftId: string;

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
    const [first, second, third] = stepsNamed('First', 'Second', 'Third');
    if (!first || !second || !third) throw new Error('too few steps');
    await publish(person, person, 'flow', [first, second]);
    await publish(person, person, 'flow', [{ ...first, title: 'Renamed' }, third]);
    ({ draftId } = await person.post<{ draftId: string }>('/api/workflows/flow/drafts', {
      metadata: { title: 'Another title' },
      steps: [{ ...first, title: 'Renamed' }, third, second],
    }));
  });
  afterAll(() => server.stop());

  const compare = (from: string | number, to: string | number, more = ''): Promise<Comparison> =>
    person.get(`/api/workflows/flow/compare?from=${from}&to=${to}${more}`);

  it('lists added, removed and modified steps, with both versions', async () => {
    expect(await compare(1, 2)).toMatchObject({
      from: { label: 'v1', status: 'superseded', metadata: { title: 'Title of flow' } },
      to: { label: 'v2', status: 'live' },
      summary: { added: ['step-3'], removed: ['step-2'], modified: ['step-1'] },
      total: 3,
      titles: { 'step-1': 'Renamed', 'step-2': 'Second', 'step-3': 'Third' },
      detailed: [
        { id: 'step-1', type: 'modified', title: 'Renamed', changes: { title: { before: 'First', after: 'Renamed' } } },
        { id: 'step-2', type: 'removed', value: { title: 'Second' }, behind: 'step-1' },
        { id: 'step-3', type: 'added', value: { title: 'Third' } },
      ],
      metadata: {},
    });
  });

  it('shows added steps as removed and removed ones as added in the opposite direction', async () => {
    expect((await compare(2, 1)).summary).toEqual({ added: ['step-2'], removed: ['step-3'], modified: ['step-1'] });
  });

  it('accepts draft ids and version ids', async () => {
    const { to } = await compare(1, 2);
    expect(await compare(to.id, draftId)).toMatchObject({
      from: { version: 2 },
      to: { version: null, label: 'Draft' },
      summary: { added: ['step-2'], removed: [], modified: [] },
      metadata: { title: { before: 'Title of flow', after: 'Another title' } },
    });
  });

  it('includes the titles of steps that a changed condition refers to', async () => {
    const steps = (limit: number) => [
      { id: 'ask-it', title: 'Ask' },
      { id: 'big', title: 'Big?', type: 'condition', config: { condition: `ask-it.text > ${limit}`, trueNext: 'end' } },
      { id: 'end', title: 'End' },
    ];
    await publish(person, person, 'named', steps(1));
    await publish(person, person, 'named', steps(2));
    expect(await person.get('/api/workflows/named/compare?from=1&to=2')).toMatchObject({
      titles: { 'ask-it': 'Ask', big: 'Big?' },
    });
  });

  it('finds no difference between a version and itself', async () => {
    expect(await compare(2, 2)).toMatchObject({ total: 0, detailed: [], metadata: {} });
  });

  it('contains the requested number of changes in detail, and the total number of changes', async () => {
    const { total, detailed, summary } = await compare(1, 2, '&limit=1');
    expect({ total, shown: detailed.length, removed: summary.removed }).toEqual({
      total: 3,
      shown: 1,
      removed: ['step-2'],
    });
  });

  it('refuses a version from another workflow, and invalid or missing versions', async () => {
    await publish(person, person, 'other');
    const other = await person.get<{ version: { id: string } }>('/api/workflows/other');
    for (const [from, to] of [
      ['1', '9'],
      ['1', other.version.id],
    ]) {
      expect(await person.call('GET', `/api/workflows/flow/compare?from=${from}&to=${to}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found', error: 'Version not found' },
      });
    }
    expect((await person.call('GET', '/api/workflows/flow/compare?from=1&to=latest')).status).toBe(400);
    expect((await person.call('GET', '/api/workflows/flow/compare?from=1')).status).toBe(400);
  });
});
