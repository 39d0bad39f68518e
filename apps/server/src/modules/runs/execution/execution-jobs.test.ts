import type { Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../testing/mailbox.ts';
import { act, runOf, start } from '../../../testing/runs.ts';
import { entries, script, startRunScene } from '../../../testing/run-scene.ts';

const { server, owner, startOf, until, ended } = await startRunScene({ SIMULATED_FAILURE_RATE: '0' });

describe('the server', () => {
  // Runs a script first, so that the timed tests below start with a running sandbox process.
  beforeAll(async () => {
    const { id } = await startOf(script('warm', 'return 1'));
    await eventually(async () => (await runOf(owner, id)).status === 'completed' || undefined);
  });
  afterAll(() => server.stop());

  it('doesn’t execute a step while the run is paused, and executes it after the run resumes', async () => {
    const { id } = await startOf(
      { id: 'robot', title: 'Robot', type: 'automated', next: ['after'] },
      { id: 'after', title: 'After', next: [] },
    );
    await owner.post(`/api/runs/${id}/pause`);
    // Without the pause, the simulation would have ended by then.
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(await runOf(owner, id)).toMatchObject({ status: 'paused', currentStepIds: ['robot'] });
    await owner.post(`/api/runs/${id}/resume`);
    const run = await until(id, ({ currentStepIds }) => currentStepIds.includes('after'));
    expect(entries(run, 'robot')).toEqual(['activated', 'completed']);
  });

  it('activates a failed step again after a retry, and executes the other steps that were active', async () => {
    const { id } = await startOf(
      script('loop', 'for (;;) {}', { timeout: 1, next: ['end'] }),
      { id: 'slow', title: 'Slow', type: 'automated', next: ['end'] },
      { id: 'end', title: 'End', next: [] },
    );
    await ended(id);
    // The simulation ends after the run has failed, so its result is rejected.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await runOf(owner, id)).steps[1]?.state).toBe('active');
    expect((await act(owner, id, 'loop', 'retry')).body.run.status).toBe('running');
    expect((await act(owner, id, 'loop', 'skip', { reason: 'Enough' })).body.run.currentStepIds).toEqual(['slow']);
    const run = await until(id, ({ currentStepIds }) => currentStepIds.includes('end'));
    expect(entries(run, 'loop')).toEqual(['activated', 'failed', 'retried', 'activated', 'skipped']);
    expect(entries(run, 'slow')).toEqual(['activated', 'completed']);
  });

  it('executes the steps of other organizations while one organization runs many endless scripts and conditions', async () => {
    const attacker = await server.signUp();
    const { draftId } = await attacker.post<{ draftId: string }>('/api/workflows/endless/drafts', {
      metadata: { title: 'Endless' },
      steps: [
        { ...script('loop', 'for (;;) {}', { timeout: 300 }), next: [] },
        {
          id: 'seek',
          title: 'Seek',
          type: 'condition',
          config: { condition: 'some i in 1..1000000000000 satisfies i < 0', trueNext: 'end' },
          next: ['end'],
        },
        { id: 'end', title: 'End', next: [] },
      ],
    });
    await attacker.post(`/api/workflows/endless/drafts/${draftId}/merge`);
    const hostile: Run[] = [];
    const stopThem = async (): Promise<void> => {
      for (const { id: of } of hostile) await attacker.call('POST', `/api/runs/${of}/cancel`, { reason: 'Enough' });
    };
    onTestFinished(stopThem);
    for (let n = 0; n < 6; n++) hostile.push(await start(attacker, 'endless'));
    const { id } = await startOf(
      script('count', 'return 3', { next: ['decide'] }),
      {
        id: 'decide',
        title: 'Decide',
        type: 'condition',
        config: { condition: 'count > 2', trueNext: 'send' },
        next: ['send'],
      },
      { id: 'send', title: 'Send', type: 'notification', config: { recipients: [owner.user.email] }, next: [] },
    );
    // Starting a process takes a while when other work uses the CPUs.
    const over = await until(id, ({ status }) => status !== 'running', 90_000);
    expect(over.status).toBe('completed');
    expect(await owner.post('/api/workflows/script-trial', { script: 'return 1' })).toMatchObject({ output: 1 });
    // The run completed although none of the attacker's scripts ended: all of them are still running or waiting.
    const states = await Promise.all(hostile.map(({ id: of }) => runOf(attacker, of)));
    expect(states.flatMap(({ steps }) => steps.filter((step) => step.id === 'loop').map(({ state }) => state))).toEqual(
      hostile.map(() => 'active'),
    );
  }, 120_000);

  it('ignores jobs for activations that have ended or never began', async () => {
    const { id } = await startOf(script('one', 'return 1', { next: ['two'] }), { id: 'two', title: 'Two', next: [] });
    await until(id, ({ currentStepIds }) => currentStepIds.includes('two'));
    const before = await runOf(owner, id);
    const payload = { orgId: owner.user.currentOrgId, runId: id, stepId: 'one', activation: 1 };
    for (const activation of [0, 1, 2]) {
      await server.sql('insert into outbox (task, payload) values ($1, $2)', [
        'carry_out_script',
        JSON.stringify({ ...payload, activation }),
      ]);
    }
    server.server.deps.pokeOutbox();
    await expect
      .poll(
        async () =>
          (await server.sql(`select from graphile_worker._private_jobs where payload ->> 'runId' = $1`, [id])).length,
      )
      .toBe(0);
    expect((await runOf(owner, id)).history).toEqual(before.history);
  });

  it('re-enqueues only lost jobs', async () => {
    const { id } = await startOf(
      script('one', 'return 1', { next: [] }),
      script('two', 'for (;;) {}', { timeout: 60, next: [] }),
    );
    await until(id, ({ steps }) => steps[0]?.state === 'completed');
    const made = async (): Promise<number> =>
      Number(
        (
          await server.sql<{ made: number }>(
            `select make_lost_jobs_again('0 seconds', array['automated'], array['carry_out_script']) as made`,
          )
        )[0]?.made,
      );
    expect(await made()).toBe(0);
    await server.sql(`update run_steps set state = 'active' where run_id = $1 and step_id = 'one'`, [id]);
    expect(await made()).toBe(1);
    expect(await made()).toBe(0);
    server.server.deps.pokeOutbox();
    await owner.post(`/api/runs/${id}/cancel`, { reason: 'Enough' });
    expect(await made()).toBe(0);
  });

  it('releases the jobs of a dead process', async () => {
    await server.sql(
      `insert into graphile_worker._private_tasks (identifier) values ('of_the_dead') on conflict do nothing`,
    );
    await server.sql(
      `insert into graphile_worker._private_jobs (task_id, locked_by, locked_at)
       select id, pool, now() - interval '1 minute' from graphile_worker._private_tasks,
         unnest(array['dead', (select id from job_pools limit 1)]) pool where identifier = 'of_the_dead'`,
    );
    const locked = async (): Promise<(string | null)[]> =>
      (
        await server.sql<{ locked_by: string | null }>(
          `select locked_by from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
           where t.identifier = 'of_the_dead' order by locked_by nulls last`,
        )
      ).map(({ locked_by }) => locked_by);
    await expect.poll(locked, { timeout: 15_000 }).toEqual([expect.stringMatching(/^pool-/), null]);
    await server.sql(`delete from graphile_worker._private_jobs where locked_by like 'pool-%' or attempts = 0`);
  });
});
