import { afterAll, describe, expect, it } from 'vitest';
import { act, complete, runOf } from '../../testing/runs.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { refused } from '../../testing/drafts.ts';

const { server, owner, editor, reviewer, viewer, startOf } = await startRunScene();

describe('a run', () => {
  afterAll(() => server.stop());

  it('counts one vote per person, and completes the step once it has the required number of votes', async () => {
    const { id } = await startOf(
      { id: 'vote', title: 'Vote', type: 'approval', config: { minimumApprovers: 2 } },
      { id: 'after', title: 'After' },
    );
    expect((await act(owner, id, 'vote', 'approve', { comments: 'Yes' })).body.run).toMatchObject({
      currentStepIds: ['vote'],
    });
    expect(await act(owner, id, 'vote', 'approve')).toMatchObject(refused(409, 'already_voted'));
    const { body } = await act(reviewer, id, 'vote', 'approve');
    expect(body).toMatchObject({ message: 'Approved', run: { currentStepIds: ['after'] } });
    expect(body.run.steps[0]).toMatchObject({
      state: 'completed',
      approvals: { required: 2, by: [{ id: owner.user.id }, { id: reviewer.user.id }] },
    });
  });

  it('counts only one vote from a person who votes twenty times concurrently', async () => {
    const { id } = await startOf({ id: 'vote', title: 'Vote', type: 'approval', config: { minimumApprovers: 5 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(reviewer, id, 'vote', 'approve')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await runOf(owner, id)).steps[0]?.approvals?.by).toHaveLength(1);
  });

  it('returns to the step that is set for rejections or, if none is set, fails and can be retried', async () => {
    const back = await startOf(
      { id: 'write', title: 'Write', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { onReject: 'write' }, next: [] },
    );
    await complete(owner, back.id, 'write');
    expect(await act(reviewer, back.id, 'check', 'reject', { comments: ' ' })).toMatchObject({
      status: 400,
      body: { code: 'comments_required', error: 'Comments are required when rejecting' },
    });
    const returned = await act(reviewer, back.id, 'check', 'reject', { comments: 'Again, please' });
    expect(returned.body).toMatchObject({ message: 'Rejected', run: { status: 'running', currentStepIds: ['write'] } });
    expect(returned.body.run.steps[0]).toMatchObject({ state: 'active', reason: 'Again, please' });

    const failing = await startOf({ id: 'check', title: 'Check', type: 'approval' });
    const failed = await act(reviewer, failing.id, 'check', 'reject', { comments: 'No' });
    expect(failed.body.run).toMatchObject({
      status: 'failed',
      steps: [{ state: 'failed', abilities: { retry: true }, rejection: { comments: 'No' } }],
    });
    expect(await act(owner, failing.id, 'check', 'retry')).toMatchObject(refused(403, 'rejected_cannot_retry'));
    expect((await act(editor, failing.id, 'check', 'retry')).body.run).toMatchObject({
      status: 'running',
      currentStepIds: ['check'],
    });
    expect((await act(reviewer, failing.id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('lets only someone else approve or return a step’s input if the step requires approval', async () => {
    const { id } = await startOf({
      id: 'report',
      title: 'Report',
      assignee: 'reviewer',
      config: { requiresApproval: true },
    });
    expect(await act(reviewer, id, 'report', 'approve')).toMatchObject(refused(409, 'not_submitted'));
    const submitted = await complete(owner, id, 'report', 'My report');
    expect(submitted.body.run.steps[0]).toMatchObject({
      state: 'active',
      output: { text: 'My report' },
      submittedBy: { id: owner.user.id },
    });
    expect(await complete(owner, id, 'report')).toMatchObject(refused(409, 'already_submitted'));
    expect(await act(owner, id, 'report', 'approve')).toMatchObject(refused(403, 'own_submission'));
    expect(await act(owner, id, 'report', 'reject', { comments: 'Longer' })).toMatchObject(
      refused(403, 'own_submission'),
    );
    expect((await act(reviewer, id, 'report', 'reject', { comments: 'Longer' })).body.run.steps[0]).toMatchObject({
      state: 'active',
      submittedBy: null,
    });
    await complete(owner, id, 'report', 'My longer report');
    expect((await act(reviewer, id, 'report', 'approve')).body.run).toMatchObject({
      status: 'completed',
      steps: [{ output: { text: 'My longer report' } }],
    });
  });

  it('doesn’t let the person who completed the previous step vote if the step requires separation of duties', async () => {
    const { id } = await startOf(
      { id: 'write', title: 'Write', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true }, next: [] },
    );
    await complete(owner, id, 'write');
    expect(await act(owner, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect((await act(reviewer, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('lets viewers act only on steps assigned to them, and shows in advance which these are', async () => {
    const { id } = await startOf(
      { id: 'mine', title: 'Mine', assignee: ` ${viewer.user.email.toUpperCase()} `, next: [] },
      { id: 'theirs', title: 'Theirs', assignee: 'someone@example.com', next: [] },
      { id: 'role', title: 'Role', assignee: 'Viewer', next: [] },
      { id: 'vote', title: 'Vote', type: 'approval', next: [] },
    );
    const seen = await runOf(viewer, id);
    expect(seen.steps.map(({ abilities }) => abilities.complete || abilities.approve)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(await complete(viewer, id, 'theirs')).toMatchObject(refused(403, 'not_assigned'));
    expect(await act(viewer, id, 'theirs', 'skip')).toMatchObject(refused(403, 'not_assigned'));
    expect(await act(viewer, id, 'vote', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    expect((await complete(viewer, id, 'mine')).status).toBe(200);
    expect((await complete(viewer, id, 'role')).status).toBe(200);
  });
});
