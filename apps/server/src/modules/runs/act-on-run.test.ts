import type { Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish, stepsNamed } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { refused } from '../../testing/drafts.ts';

const actionsOf = ({ history }: Run): string[] =>
  history.map(({ stepId, action }) => (stepId === null ? action : `${action} ${stepId}`));

const { server, owner, reviewer, startOf } = await startRunScene();

describe('a run', () => {
  beforeAll(() => publish(owner, reviewer, 'line', stepsNamed('First', 'Second', 'Third')));
  afterAll(() => server.stop());

  it('goes from its first step to its end, with a matching history', async () => {
    const run = await start(owner, 'line', '  From first to last  ');
    expect(run).toMatchObject({
      name: 'From first to last',
      priority: 'medium',
      description: null,
      workflowVersion: 1,
      status: 'running',
      currentStepIds: ['step-1'],
      nextSteps: [{ id: 'step-2', name: 'Second', owner: 'Unassigned' }],
      stepsTotal: 3,
      stepsCompleted: 0,
      completedAt: null,
      trend: [],
      slaState: 'on_track',
      sla: { targetMs: 3 * 86_400_000 },
      startedBy: { id: owner.user.id, kind: 'user' },
    });
    expect(run.steps.map(({ state }) => state)).toEqual(['active', 'blocked', 'blocked']);
    for (const [n, stepId] of ['step-1', 'step-2', 'step-3'].entries()) {
      const { status, body } = await complete(owner, run.id, stepId, ` Output ${n} `);
      expect({ status, message: body.message, completed: body.run.stepsCompleted }).toEqual({
        status: 200,
        message: 'Step completed',
        completed: n + 1,
      });
      expect(body.run.history).toEqual((await runOf(owner, run.id)).history);
    }
    const ended = await runOf(owner, run.id);
    expect(ended).toMatchObject({ status: 'completed', currentStepIds: [], nextSteps: [], stepsCompleted: 3 });
    expect(ended.completedAt).not.toBeNull();
    expect(ended.trend).toHaveLength(3);
    expect(ended.steps[0]).toMatchObject({
      state: 'completed',
      output: { text: 'Output 0' },
      completedBy: { id: owner.user.id },
    });
    expect(actionsOf(ended)).toEqual([
      'run_started',
      'activated step-1',
      'completed step-1',
      'activated step-2',
      'completed step-2',
      'activated step-3',
      'completed step-3',
      'run_completed',
    ]);
  });

  it('has the same result whichever of the two endpoints completes a step', async () => {
    const [one, other] = [await start(owner, 'line'), await start(owner, 'line')];
    const direct = await owner.post<Run>(`/api/runs/${one.id}/complete`, {
      stepId: 'step-1',
      output: 'Just text',
      notes: 'A note',
    });
    const { body } = await act(owner, other.id, 'step-1', 'complete', { output: 'Just text', notes: 'A note' });
    for (const run of [direct, body.run]) {
      expect(run).toMatchObject({ status: 'running', currentStepIds: ['step-2'], stepsCompleted: 1 });
      expect(run.steps[0]).toMatchObject({ state: 'completed', output: { text: 'Just text' } });
      expect(run.history.find(({ action }) => action === 'completed')?.data).toMatchObject({
        output: { text: 'Just text' },
        notes: 'A note',
      });
    }
  });

  it('lets only one of fifty concurrent requests complete a step, and refuses the others with the step’s state', async () => {
    const { id } = await start(owner, 'line');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => complete(owner, id, 'step-1', `Input ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost.map(({ status, body }) => ({ status, body }))).toEqual(
      lost.map(() => ({
        status: 409,
        body: {
          error: 'This step is already completed',
          code: 'step_not_active',
          details: [{ stepId: 'step-1', state: 'completed' }],
        },
      })),
    );
    const run = await runOf(owner, id);
    expect(run.history.filter(({ action, stepId }) => action === 'completed' && stepId === 'step-1')).toHaveLength(1);
    expect(run).toMatchObject({ currentStepIds: ['step-2'], stepsCompleted: 1 });
  });

  it('accepts concurrent actions on different steps, and activates the step that joins them once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const run = await startOf(...ids.map((id) => ({ id, title: id, next: ['end'] })), {
      id: 'end',
      title: 'End',
      next: [],
    });
    expect(run.currentStepIds).toEqual(ids);
    const answers = await Promise.all(ids.map((id) => complete(owner, run.id, id)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const joined = await runOf(owner, run.id);
    expect(joined.currentStepIds).toEqual(['end']);
    expect(joined.history.filter(({ action, stepId }) => action === 'activated' && stepId === 'end')).toHaveLength(1);
  });

  it('continues with the next step after one is skipped with a reason', async () => {
    const { id } = await start(owner, 'line');
    const { body } = await act(owner, id, 'step-1', 'skip', { reason: 'Not needed' });
    expect(body).toMatchObject({ message: 'Step skipped', run: { currentStepIds: ['step-2'], stepsCompleted: 0 } });
    expect(body.run.steps[0]).toMatchObject({ state: 'skipped', reason: 'Not needed' });
    expect(await act(owner, id, 'step-2', 'skip')).toMatchObject(refused(400, 'reason_required'));
    expect((await act(owner, id, 'step-2', 'skip', { reason: 'Not needed' })).status).toBe(200);
    expect((await complete(owner, id, 'step-3')).body.run.status).toBe('completed');
  });

  it('doesn’t offer a skip that its workflow forbids, and refuses it', async () => {
    const { id } = await startOf({ id: 'check', title: 'Check', config: { skip: 'never' } });
    expect((await runOf(owner, id)).steps[0]?.abilities).toMatchObject({ complete: true, skip: false });
    const reply = await act(owner, id, 'check', 'skip', { reason: 'Late' });
    expect(reply).toMatchObject(refused(409, 'skip_never'));
    expect((await complete(owner, id, 'check')).body.run.status).toBe('completed');
  });

  it('accepts no actions on steps while it is paused or once it is cancelled', async () => {
    const { id } = await start(owner, 'line');
    expect(await owner.post(`/api/runs/${id}/pause`)).toMatchObject({
      status: 'paused',
      abilities: { pause: false, resume: true },
    });
    for (const action of ['complete', 'skip', 'approve', 'reject']) {
      expect(await act(owner, id, 'step-1', action, {})).toMatchObject(refused(409, 'run_paused'));
    }
    expect(await owner.call('POST', `/api/runs/${id}/pause`)).toMatchObject(refused(409, 'run_paused'));
    expect(await owner.post(`/api/runs/${id}/resume`)).toMatchObject({ status: 'running' });
    expect(await owner.call('POST', `/api/runs/${id}/resume`)).toMatchObject(refused(409, 'run_not_paused'));
    expect(await owner.call('POST', `/api/runs/${id}/cancel`, { reason: ' ' })).toMatchObject(refused(400, 'invalid'));
    expect(await owner.post(`/api/runs/${id}/cancel`, { reason: 'Over' })).toMatchObject({
      status: 'cancelled',
      currentStepIds: [],
    });
    expect(await complete(owner, id, 'step-1')).toMatchObject({
      status: 409,
      body: { code: 'run_finished', error: 'This run is cancelled' },
    });
    expect(await owner.call('POST', `/api/runs/${id}/pause`)).toMatchObject(refused(409, 'run_finished'));
    expect(await act(owner, id, 'step-1', 'retry')).toMatchObject(refused(409, 'run_finished'));
  });

  it("refuses actions that don't fit the step's type, lack valid input, or name no active step", async () => {
    const run = await startOf(
      { id: 'robot', title: 'Robot', type: 'automated', next: ['person'] },
      { id: 'person', title: 'Person', next: [] },
    );
    for (const action of ['complete', 'approve', 'reject']) {
      expect(
        await act(owner, run.id, 'robot', action, { ...(action === 'reject' && { comments: 'No' }) }),
      ).toMatchObject(refused(409, 'not_a_person_step'));
    }
    expect(await complete(owner, run.id, 'person')).toMatchObject({
      status: 409,
      body: { code: 'step_not_active', details: [{ state: 'waiting' }] },
    });
    for (const stepId of ['nowhere', '__proto__', 'constructor', 'toString']) {
      expect(await complete(owner, run.id, stepId)).toMatchObject(refused(404, 'unknown_step'));
      expect(await act(owner, run.id, stepId, 'retry')).toMatchObject(refused(404, 'unknown_step'));
    }
    const { id } = await start(owner, 'line');
    for (const body of [
      undefined,
      {},
      { output: null },
      { output: '' },
      { output: { text: '  ' } },
      { output: { text: null } },
    ]) {
      expect(await act(owner, id, 'step-1', 'complete', body)).toMatchObject({
        status: 400,
        body: { code: 'input_required', error: 'Please provide input for this manual step' },
      });
    }
    for (const output of [
      { text: 12 },
      { other: 'x' },
      { text: 'x'.repeat(20_001) },
      { text: 'x', fields: [1] },
      ['x'],
      3,
    ])
      expect(await act(owner, id, 'step-1', 'complete', { output })).toMatchObject(refused(400, 'invalid'));
    expect(await act(owner, id, 'step-1', 'complete', { output: { text: 'x', fields: { other: 1 } } })).toMatchObject(
      refused(400, 'invalid_fields'),
    );
    expect(await act(owner, id, 'step-1', 'reject', { comments: 'No' })).toMatchObject(refused(409, 'not_submitted'));
  });

  it('stays on the version it was started with', async () => {
    const steps = stepsNamed('Old');
    await publish(owner, reviewer, 'pinned', steps);
    const run = await start(owner, 'pinned');
    await publish(owner, reviewer, 'pinned', stepsNamed('New', 'Newer'));
    expect(await runOf(owner, run.id)).toMatchObject({ workflowVersion: 1, workflow: { steps: [{ title: 'Old' }] } });
    expect(await start(owner, 'pinned')).toMatchObject({ workflowVersion: 2, stepsTotal: 2 });
  });

  it("can't be started from a workflow that is missing, archived or has no live version, or without a valid name", async () => {
    const body = (key: string, name = 'A run') => ({ key, name });
    expect(await owner.call('POST', '/api/runs', body('nowhere'))).toMatchObject(refused(404, 'not_found'));
    await owner.post('/api/workflows/unmerged/drafts', { metadata: { title: 'Draft' }, steps: stepsNamed('First') });
    expect(await owner.call('POST', '/api/runs', body('unmerged'))).toMatchObject(refused(409, 'nothing_live'));
    await publish(owner, reviewer, 'archived');
    const open = await start(owner, 'archived');
    await owner.call('DELETE', '/api/workflows/archived');
    expect(await owner.call('POST', '/api/runs', body('archived'))).toMatchObject(refused(409, 'workflow_archived'));
    expect((await complete(owner, open.id, 'step-1')).status).toBe(200);
    for (const [name, error] of [
      [undefined, 'Run name is required'],
      ['', 'Run name is required'],
      ['  ', 'Run name is required'],
      ['ab', 'Run name must be at least 3 characters long'],
      [' ab ', 'Run name must be at least 3 characters long'],
      ['x'.repeat(101), 'Run name must be at most 100 characters long'],
    ] as const) {
      expect(await owner.call('POST', '/api/runs', { key: 'line', name })).toMatchObject({
        status: 400,
        body: { code: 'invalid', error },
      });
    }
  });

  it('accepts actions from a stranger only after they become a member', async () => {
    const { id } = await start(owner, 'line');
    const guest = await server.signUp();
    expect(await complete(guest, id, 'step-1')).toMatchObject(refused(404, 'not_found'));
    await joinOrganization(server, guest, owner.user.currentOrgId ?? '', 'editor');
    expect((await complete(guest, id, 'step-1')).status).toBe(200);
  });
});
