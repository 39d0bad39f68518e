import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('the history of a run', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer } = await teamOf(server, ['reviewer']));
    await publish(owner, reviewer, 'flow', [
      { id: 'write', title: 'Write', sla: '1h', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { onReject: 'write' }, next: ['send'] },
      { id: 'send', title: 'Send', next: [] },
    ]);
  });
  afterAll(() => server.stop());

  it("contains the run's audit events in the same order, with the same times, actors and steps", async () => {
    const { id } = await start(owner, 'flow');
    await owner.post(`/api/runs/${id}/pause`);
    await reviewer.post(`/api/runs/${id}/resume`);
    await complete(owner, id, 'write', 'Grüße, 世界');
    await act(reviewer, id, 'check', 'reject', { comments: 'Again' });
    await complete(owner, id, 'write', 'Better');
    await act(reviewer, id, 'check', 'approve', { comments: 'Fine' });
    await act(owner, id, 'send', 'skip', { reason: 'By hand' });

    const { history } = await runOf(owner, id);
    const events = await server.sql<{ payload: string; actor: string; action: string }>(
      `select payload, actor, action from audit_events where run_id = $1 order by seq`,
      [id],
    );
    const recorded = events.map(({ payload, action }) => {
      const { actor, data } = JSON.parse(payload) as {
        actor: { id: string; name: string };
        data: { at: number; stepId?: string };
      };
      const [subject = '', happened = ''] = action.split('.');
      return {
        action: subject === 'run' ? `run_${happened}` : happened,
        at: new Date(data.at).toISOString(),
        by: actor.id,
        name: actor.name,
        stepId: data.stepId ?? null,
      };
    });
    expect(
      history.map(({ action, at, actor, stepId }) => ({ action, at, by: actor.id, name: actor.name, stepId })),
    ).toEqual(recorded);
    expect(history.map(({ action, stepId }) => (stepId === null ? action : `${action} ${stepId}`))).toEqual([
      'run_started',
      'activated write',
      'run_paused',
      'run_resumed',
      'completed write',
      'activated check',
      'rejected check',
      'reset write',
      'reset check',
      'activated write',
      'completed write',
      'activated check',
      'approved check',
      'completed check',
      'activated send',
      'skipped send',
      'run_completed',
    ]);
    expect(history[4]?.data).toMatchObject({ output: { text: 'Grüße, 世界' } });
    expect(history[15]?.data).toMatchObject({ reason: 'By hand' });
    const times = history.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it('omits erased events and shows the others', async () => {
    const { id } = await start(owner, 'flow');
    await complete(owner, id, 'write');
    await server.sql('alter table audit_events disable trigger audit_events_append_only');
    await server.sql(
      `update audit_events set payload = null, salt = null where run_id = $1 and action = 'step.completed'`,
      [id],
    );
    await server.sql('alter table audit_events enable trigger audit_events_append_only');
    const { history, steps } = await runOf(owner, id);
    expect(history.map(({ action }) => action)).toEqual(['run_started', 'activated', 'activated']);
    expect(steps[0]?.state).toBe('completed');
  });

  it('contains nothing about refused actions', async () => {
    const { id, history } = await start(owner, 'flow');
    await complete(owner, id, 'send');
    await complete(owner, id, 'write', ' ');
    await act(owner, id, 'nowhere', 'skip');
    expect((await runOf(owner, id)).history).toEqual(history);
  });
});
