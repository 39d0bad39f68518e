import type { Diff, DraftImpact } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { act as actOnStep, start } from '../../testing/runs.ts';
import type { Reply } from '../../testing/server.ts';

const bench = await startDraftBench();
const { server, owner, editor, reviewer, at, read, create, act } = bench;

describe('the comparison of a draft', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('shows the changes since the version that the draft is based on', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second', 'Third'));
    const { draftId } = await create(editor, {
      metadata: { title: 'Renamed', description: '' },
      steps: [
        { id: 'step-1', title: 'First!', sla: '1 day' },
        { id: 'step-3', title: 'Third', sla: '1 day' },
        { id: 'new', title: 'New' },
      ],
    });
    const diff = await editor.get<Diff>(at(draftId, '/diff'));
    expect(diff.summary).toMatchObject({ added: ['new'], removed: ['step-2'] });
    expect(diff.summary.modified).toContain('step-1');
    expect(diff.detailed.find(({ id }) => id === 'step-1')).toMatchObject({
      type: 'modified',
      changes: { title: { before: 'First', after: 'First!' } },
    });
    expect(diff.metadata).toMatchObject({ title: { before: `Title of ${key}`, after: 'Renamed' } });
  });

  it('can use the base, the live version, or the content that the reader last approved or reviewed', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second'));
    const { draftId } = await create(editor, content('Draft', 'First', 'Second', 'Third'));
    await publish(editor, reviewer, key, stepsNamed('First', 'Other'));
    const against = (what: string, who = reviewer): Promise<Reply<Diff>> =>
      who.call('GET', at(draftId, `/diff?against=${what}`));
    const bodyOf = async (what: string): Promise<Diff> => (await against(what)).body;

    expect(await bodyOf('base')).toMatchObject({
      against: { what: 'base', version: 1, at: null },
      revision: 1,
      summary: { added: ['step-3'], modified: [] },
      total: 1,
    });
    expect(await bodyOf('live')).toMatchObject({
      against: { what: 'live', version: 2 },
      summary: { added: ['step-3'], modified: ['step-2'] },
      detailed: [{ id: 'step-2', type: 'modified', title: 'Second' }, { id: 'step-3' }],
    });
    const refusals = { approved: /^You have not approved this draft/, reviewed: /^You have not reviewed this draft/ };
    for (const [what, sentence] of Object.entries(refusals))
      expect(await against(what)).toMatchObject({
        status: 404,
        body: { error: expect.stringMatching(sentence) as unknown },
      });

    await act(reviewer, draftId, 'approve');
    await editor.patch(at(draftId), content('Draft', 'First!', 'Second', 'Third'));
    await act(reviewer, draftId, 'request-changes', { comment: 'No' });
    const { steps } = await read(draftId, reviewer);
    await editor.patch(at(draftId), content('Draft', 'First!', 'Second!', 'Third'));
    expect((await bodyOf('approved')).summary.modified).toEqual(['step-1', 'step-2']);
    const since = await bodyOf('reviewed');
    expect(since.summary.modified).toEqual(['step-2']);
    expect(since.against).toEqual({
      what: 'reviewed',
      version: null,
      at: (await read(draftId, reviewer)).own.reviewedAt,
      reviewId: expect.any(String) as unknown,
    });
    expect((await against('reviewed', owner)).status).toBe(404);

    // The steps themselves are only sent on request. A later review doesn't change those of an earlier one.
    const contentOf = (reviewId: string | null, who = reviewer) =>
      who.call('GET', at(draftId, `/reviewed-content?reviewId=${reviewId}`));
    const approved = await bodyOf('approved');
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'withdraw-approval');
    expect(await contentOf(since.against.reviewId)).toMatchObject({
      status: 200,
      body: { at: since.against.at, steps },
    });
    expect((await contentOf(approved.against.reviewId)).body).toMatchObject({ steps: [{ title: 'First' }, {}, {}] });
    for (const who of [owner, editor])
      expect(await contentOf(since.against.reviewId, who)).toMatchObject({
        status: 404,
        body: { error: 'You have no review with this id' },
      });
    expect(await contentOf('live')).toMatchObject(refused(400, 'invalid'));
  });

  it('contains the first 200 changes in detail unless more are requested, and counts all changes', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => `Step ${n}`);
    const { draftId } = await create(editor, content('Many', ...many));
    const diff = await editor.get<Diff>(at(draftId, '/diff'));
    expect(diff).toMatchObject({ total: 1000, against: { what: 'base', version: null } });
    expect(diff.detailed.map(({ id }) => id)).toEqual(many.slice(0, 200).map((_, n) => `step-${n + 1}`));
    expect(diff.summary.added).toHaveLength(1000);
    expect((await editor.get<Diff>(at(draftId, '/diff?limit=1000'))).detailed).toHaveLength(1000);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'against=nothing'])
      expect(await editor.call('GET', at(draftId, `/diff?${query}`))).toMatchObject(refused(400, 'invalid'));
  });

  it('shows a removed step’s former position', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second', 'Third'));
    const { draftId } = await create(editor, {
      metadata: { title: 'Less' },
      steps: [{ id: 'step-2', title: 'Second' }],
    });
    const { detailed } = await editor.get<Diff>(at(draftId, '/diff'));
    expect(detailed.filter(({ type }) => type === 'removed').map(({ id, behind }) => [id, behind])).toEqual([
      ['step-1', null],
      ['step-3', 'step-2'],
    ]);
  });

  it('shows the same impact on runs, with open runs by version, before and after the merge', async () => {
    const vote = { id: 'vote', title: 'Vote', type: 'approval', assignee: 'reviewer', sla: '4h' };
    const notify = {
      id: 'tell',
      title: 'Tell',
      type: 'notification',
      config: { recipients: ['editor'], channels: ['slack'] },
    };
    await publish(editor, reviewer, key, [...stepsNamed('First'), vote, notify]);
    for (const name of ['One run', 'Another run']) await owner.post('/api/runs', { key, name });
    const { draftId } = await create(editor, {
      metadata: { title: 'Quick' },
      steps: [
        { id: 'step-1', title: 'First', sla: '2 days' },
        { ...notify, config: { recipients: ['editor'], channels: ['email'] } },
      ],
    });
    const expected = {
      workflows: 1,
      steps: { added: 0, removed: 1, modified: 2, before: 3, after: 2 },
      integrations: [
        { integration: 'email', change: 'added', stepIds: ['tell'] },
        { integration: 'slack', change: 'removed', stepIds: ['tell'] },
      ],
      sla: {
        beforeMs: 28 * 3_600_000,
        afterMs: 48 * 3_600_000,
        loosened: [{ stepId: 'step-1', before: { text: '1 day' }, after: { text: '2 days' } }],
      },
      rolesRemoved: [{ role: 'reviewer', stepIds: ['vote'] }],
      approvalsRemoved: [{ stepId: 'vote', kind: 'approval_removed', approvers: 1 }],
    };
    const impact = (): Promise<DraftImpact> => editor.get<DraftImpact>(at(draftId, '/impact'));
    expect(await impact()).toMatchObject({ ...expected, openRuns: [{ version: 1, count: 2 }] });
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    await owner.post('/api/runs', { key, name: 'A new run' });
    expect(await impact()).toMatchObject({
      ...expected,
      openRuns: [
        { version: 2, count: 1 },
        { version: 1, count: 2 },
      ],
    });
  });

  it('counts failed and paused runs as open, but not cancelled ones', async () => {
    await publish(editor, reviewer, key, [{ id: 'vote', title: 'Vote', type: 'approval' }]);
    const [failing, paused, cancelled] = [
      await start(owner, key, 'Failing'),
      await start(owner, key, 'Paused'),
      await start(owner, key, 'Cancelled'),
    ];
    const { body } = await actOnStep(reviewer, failing.id, 'vote', 'reject', { comments: 'No' });
    expect(body.run.status).toBe('failed');
    await owner.post(`/api/runs/${paused.id}/pause`);
    await owner.post(`/api/runs/${cancelled.id}/cancel`, { reason: 'Enough' });
    const { draftId } = await create(editor, content('Draft', 'First'));
    expect(await editor.get<DraftImpact>(at(draftId, '/impact'))).toMatchObject({
      openRuns: [{ version: 1, count: 2 }],
    });
  });

  it('doesn’t attribute changes from another version to the draft', async () => {
    await publish(editor, reviewer, key, stepsNamed('First', 'Second'));
    const { draftId } = await create(editor, content('Draft', 'First', 'Second', 'Third'));
    await publish(editor, reviewer, key, stepsNamed('Other'));
    const { steps } = await editor.get<DraftImpact>(at(draftId, '/impact'));
    expect(steps).toEqual({ added: 1, removed: 0, modified: expect.any(Number) as number, before: 2, after: 3 });
  });
});
