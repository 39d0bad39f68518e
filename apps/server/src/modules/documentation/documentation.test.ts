import type { WorkflowDocument } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPages } from '../../adapters/pdf/pdf-text.fixture.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('a version as a document', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer } = await teamOf(server, ['reviewer']));
  });
  afterAll(() => server.stop());

  const read = (key: string, version = ''): Promise<WorkflowDocument> =>
    owner.get(`/api/workflows/${key}/document${version && `?version=${version}`}`);

  it('shows who wrote it, who approved this content, who merged it, and the total SLA', async () => {
    await publish(owner, reviewer, 'told', stepsNamed('First', 'Second'));
    expect(await read('told')).toMatchObject({
      key: 'told',
      label: 'v1',
      status: 'live',
      archived: false,
      owner: { id: owner.user.id },
      contributors: [{ id: owner.user.id }],
      mergedBy: { id: reviewer.user.id },
      approvals: [{ reviewer: { id: reviewer.user.id }, comment: '', selfApproved: false }],
      slaTotalMs: 2 * 86_400_000,
      steps: [{ title: 'First' }, { title: 'Second' }],
    });
  });

  it('is by default the live version or, if nothing has been merged, the draft', async () => {
    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/fresh/drafts', {
      metadata: { title: 'Fresh' },
      steps: stepsNamed('Only'),
    });
    expect(await read('fresh')).toMatchObject({
      id: draftId,
      label: 'Draft',
      liveSince: null,
      mergedAt: null,
      approvals: [],
    });
    await reviewer.post(`/api/workflows/fresh/drafts/${draftId}/approve`);
    await reviewer.post(`/api/workflows/fresh/drafts/${draftId}/merge`);
    const next = await owner.post<{ draftId: string }>('/api/workflows/fresh/drafts', {
      metadata: { title: 'Fresher' },
      steps: stepsNamed('Only', 'More'),
    });
    expect(await read('fresh')).toMatchObject({ id: draftId, label: 'v1' });
    expect(await read('fresh', next.draftId)).toMatchObject({ label: 'Draft', metadata: { title: 'Fresher' } });
    expect(await read('fresh', '1')).toMatchObject({ id: draftId });
    expect(await owner.call('GET', '/api/workflows/fresh/document?version=2')).toMatchObject({ status: 404 });
    expect(await owner.call('GET', '/api/workflows/nowhere/document')).toMatchObject({ status: 404 });
  });

  it('shows that it has been live since its merge or the last rollback to it', async () => {
    await publish(owner, reviewer, 'since', stepsNamed('One'));
    const first = await read('since');
    expect(first.liveSince).toBe(first.mergedAt);
    await publish(owner, reviewer, 'since', stepsNamed('One', 'Two'));
    expect(await read('since', '1')).toMatchObject({ status: 'superseded', liveSince: null });
    await reviewer.post('/api/workflows/since/versions/1/rollback', { reason: 'Two was too many' });
    const again = await read('since');
    expect(again).toMatchObject({ version: 1, mergedAt: first.mergedAt });
    expect(Date.parse(again.liveSince ?? '')).toBeGreaterThan(Date.parse((await read('since', '2')).mergedAt ?? ''));
  });

  it("doesn't count an approval of other content, and marks a self-approval", async () => {
    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/dismissed/drafts', {
      metadata: { title: 'Dismissed' },
      steps: stepsNamed('Only'),
    });
    await reviewer.post(`/api/workflows/dismissed/drafts/${draftId}/approve`);
    expect((await read('dismissed')).approvals).toHaveLength(1);
    await owner.patch(`/api/workflows/dismissed/drafts/${draftId}`, {
      metadata: { title: 'Changed' },
      steps: stepsNamed('Only'),
    });
    expect((await read('dismissed')).approvals).toEqual([]);

    const alone = await server.signUp({ team: 'Alone' });
    const { draftId: own } = await alone.post<{ draftId: string }>('/api/workflows/own/drafts', {
      metadata: { title: 'Own' },
      steps: stepsNamed('Only'),
    });
    await alone.post(`/api/workflows/own/drafts/${own}/approve`, { comment: 'Nobody else here' });
    expect(await alone.get('/api/workflows/own/document')).toMatchObject({
      approvals: [{ selfApproved: true, comment: 'Nobody else here' }],
    });
  });

  it('can be exported: a version as Markdown, and a draft as PDF', async () => {
    const steps = [{ id: 'step-1', title: 'Weigh the parcel', description: 'On the **old** scale' }];
    const draftId = await publish(owner, reviewer, 'handed-on', steps);
    const markdown = await owner.call<string>('GET', '/api/workflows/handed-on/versions/1/document');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers.get('content-disposition')).toBe('attachment; filename="handed-on-v1.md"');
    expect(markdown.body).toContain('### 1. Weigh the parcel');
    expect(markdown.body).toContain('On the **old** scale');

    const open = await owner.post<{ draftId: string }>('/api/workflows/handed-on/drafts', {
      metadata: { title: 'Next' },
      steps,
    });
    const response = await fetch(
      `${server.server.url}/api/workflows/handed-on/versions/${open.draftId}/document?format=pdf`,
      {
        headers: { authorization: `Bearer ${owner.token}` },
      },
    );
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="handed-on-draft.pdf"');
    const [page] = await textOfPages(new Uint8Array(await response.arrayBuffer()));
    expect(page).toContain('Weigh the parcel');
    expect(page).toContain('On the old scale');
    expect(page).toContain('Draft, not submitted');
    expect((await owner.call('GET', `/api/workflows/handed-on/versions/${draftId}/document?format=docx`)).status).toBe(
      400,
    );
  });
});
