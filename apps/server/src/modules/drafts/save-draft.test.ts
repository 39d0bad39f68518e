import type { VersionRecord, WorkflowDetail, WorkflowSummary } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Saved, content, refused, startDraftBench } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, read, create, act, eventsOf } = bench;

describe('a draft in progress', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('is created, saved, submitted, approved, and merged as the live version', async () => {
    const made = await editor.call<Saved>('POST', `/api/workflows/${key}/drafts`, {
      key,
      ...content('Hiring', 'Invite', 'Interview'),
    });
    expect(made).toMatchObject({ status: 201, body: { revision: 1 } });
    expect(made.headers.get('etag')).toBe('"1"');
    const { draftId } = made.body;
    const saved = await editor.call<Saved>('PATCH', at(draftId), content('Hiring', 'Invite', 'Interview', 'Decide'), {
      'if-match': '"1"',
    });
    expect(saved).toMatchObject({ status: 200, body: { draftId, revision: 2 } });
    expect(saved.headers.get('etag')).toBe('"2"');
    expect(await read(draftId)).toMatchObject({
      key,
      status: 'draft',
      version: null,
      label: 'Draft',
      baseVersion: null,
      stepsCount: 3,
      revision: 2,
      contributors: [{ id: editor.user.id, saves: 2 }],
      policy: { requiredApprovals: 1 },
      blockers: [{ code: 'not_submitted' }, { code: 'needs_approvals' }],
    });
    expect(await act(editor, draftId, 'submit')).toMatchObject({
      status: 200,
      body: { id: draftId, status: 'in_review', approvalsCount: 0 },
    });
    expect(await act(editor, draftId, 'submit')).toMatchObject(refused(409, 'already_in_review'));
    expect(await act(reviewer, draftId, 'approve', { comment: 'Good' })).toMatchObject({
      status: 200,
      body: { status: 'in_review', approvalsCount: 1 },
    });
    expect((await read(draftId, reviewer)).abilities).toMatchObject({ merge: true, publish: false });
    expect(await act(reviewer, draftId, 'merge')).toMatchObject({
      status: 200,
      body: { version: { id: draftId, status: 'live', version: 1, label: 'v1' } },
    });
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'already_merged'));
    const live = await editor.get<WorkflowDetail>(`/api/workflows/${key}`);
    expect(live).toMatchObject({
      key,
      status: 'live',
      version: { number: 1, id: draftId },
      draftId: null,
      stepsCount: 3,
      metadata: { title: 'Hiring' },
    });
    expect(live.steps.map(({ next }) => next)).toEqual([['step-2'], ['step-3'], []]);
    expect(await eventsOf(draftId)).toEqual([
      'draft.created',
      'draft.saved',
      'draft.submitted',
      'draft.approved',
      'draft.merged',
    ]);
  });

  it('is not overwritten by a person who loaded an earlier revision', async () => {
    const { draftId } = await create();
    await editor.patch(at(draftId), content('From the editor'), { 'if-match': '"1"' });
    const stale = await owner.call('PATCH', at(draftId), content('From the owner'), { 'if-match': '"1"' });
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'stale_revision', details: [{ sent: 1, current: 2, savedBy: 'The editor' }] },
    });
    expect((await read(draftId)).metadata.title).toBe('From the editor');
    expect((await owner.call('PATCH', at(draftId), content('Without a revision'))).status).toBe(200);
  });

  it('accepts only one of ten concurrent saves of the same revision', async () => {
    const { draftId } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        editor.call('PATCH', at(draftId), content(`Save ${n}`), { 'if-match': '"1"' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(409)]);
    expect((await read(draftId)).revision).toBe(2);
  });

  it('is not changed by a save with the same content', async () => {
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    expect(await editor.patch(at(draftId), content('Hiring'))).toEqual({ draftId, revision: 1 });
    expect((await read(draftId)).approvalsCount).toBe(1);
  });

  it('creates its workflow only once if twenty concurrent requests use the same new key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => editor.call('POST', `/api/workflows/${key}/drafts`, content(`Try ${n}`))),
    );
    // If the workflow already exists, a request adds a draft to it.
    const outcomes = answers.map(({ status, body }) => (status === 409 ? (body as { code: string }).code : status));
    expect(outcomes).toContain(201);
    expect(outcomes.filter((outcome) => outcome !== 201 && outcome !== 'key_taken')).toEqual([]);
    const [{ n } = { n: 0 }] = await server.sql<{ n: number }>(
      'select count(*)::int as n from workflows where org_id = $1 and key = $2',
      [orgId, key],
    );
    expect(n).toBe(1);
  });

  it('can be discarded only by people who have worked on it, if nobody has reviewed it', async () => {
    await publish(editor, reviewer, key);
    const { draftId } = await create();
    await reviewer.post(at(draftId, '/comments'), { body: 'Hm' });
    expect(await owner.call('DELETE', at(draftId))).toMatchObject(refused(403, 'not_your_draft'));
    expect(await editor.call('DELETE', at(draftId))).toMatchObject({
      status: 200,
      body: { message: 'Draft discarded' },
    });
    expect(await editor.call('GET', at(draftId))).toMatchObject(refused(404, 'not_found'));
    expect(await eventsOf(draftId)).toEqual(['draft.created', 'draft.commented', 'draft.discarded']);
    const [merged] = await editor.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    expect(await editor.call('DELETE', at(merged?.id ?? ''))).toMatchObject(refused(409, 'already_merged'));
  });

  it('is deleted with its workflow if that has no other draft or version; the key can’t be reused', async () => {
    const first = await create();
    const second = await create(editor, content('Second', 'One', 'Two'));
    expect((await editor.call('DELETE', at(second.draftId))).status).toBe(200);
    const listed = async (): Promise<WorkflowSummary | undefined> =>
      (await editor.get<WorkflowSummary[]>('/api/workflows')).find((workflow) => workflow.key === key);
    expect(await listed()).toMatchObject({ metadata: { title: 'Hiring' }, stepsCount: 1 });
    const { id } = (await server.sql<{ id: string }>('select id from workflows where key = $1', [key]))[0] ?? {
      id: '',
    };

    expect((await editor.call('DELETE', at(first.draftId))).status).toBe(200);
    expect(await listed()).toBeUndefined();
    for (const path of ['', '/versions', '/export-yaml'])
      expect(await editor.call('GET', `/api/workflows/${key}${path}`)).toMatchObject(refused(404, 'not_found'));
    expect(await editor.call('POST', `/api/workflows/${key}/drafts`, content('Again'))).toMatchObject(
      refused(409, 'key_taken'),
    );
    expect(await eventsOf(id)).toEqual(['workflow.created', 'workflow.deleted']);
  });

  it('is deleted together with its workflow only if no other draft remains, even with concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      key = bench.newKey();
      const drafts = [await create(), await create()];
      const answers = await Promise.all(drafts.map(({ draftId }) => editor.call('DELETE', at(draftId))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await editor.get<WorkflowSummary[]>('/api/workflows')).map((each) => each.key)).not.toContain(key);

      key = bench.newKey();
      const { draftId } = await create();
      const [made] = await Promise.all([
        editor.call('POST', `/api/workflows/${key}/drafts`, content('Other')),
        editor.call('DELETE', at(draftId)),
      ]);
      expect((await editor.call('GET', `/api/workflows/${key}`)).status).toBe(made.status === 201 ? 200 : 404);
    }
  });
});
