import type { Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { publish, teamOf } from '../../../testing/organization.ts';
import { act, complete, runOf, start } from '../../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../../testing/server.ts';

type StepInput = NonNullable<Parameters<typeof publish>[3]>[number];
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('the server', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer({ SIMULATED_FAILURE_RATE: '0' });
    ({ owner, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']));
  });
  afterAll(() => server.stop());

  const startOf = async (...steps: StepInput[]): Promise<Run> => {
    keys += 1;
    await publish(owner, reviewer, `flow-${keys}`, steps);
    return start(owner, `flow-${keys}`, `Run ${keys}`);
  };
  /** The run once it has come to rest so far that `isThere` says so. */
  const until = async (id: string, isThere: (run: Run) => boolean, timeout = 50_000): Promise<Run> => {
    let run = await runOf(owner, id);
    await expect.poll(async () => isThere((run = await runOf(owner, id))), { timeout, interval: 50 }).toBe(true);
    return run;
  };
  const ended = (id: string): Promise<Run> => until(id, ({ status }) => status !== 'running');
  const script = (id: string, text: string, more: Partial<StepInput> & { timeout?: number } = {}): StepInput => {
    const { timeout, ...step } = more;
    return { id, title: id, type: 'automated', config: { script: text, ...(timeout && { timeout }) }, ...step };
  };
  const entries = (run: Run, stepId: string): string[] =>
    run.history.filter((entry) => entry.stepId === stepId).map(({ action }) => action);

  it('runs scripts one after the other, each with what came before, and keeps what they log', async () => {
    const { id } = await startOf(
      { id: 'ask', title: 'Ask', next: ['double'] },
      script('double', 'log("got", outputs.ask.text); return Number(outputs.ask.text) * 2', { next: ['tell'] }),
      script('tell', 'return [run.name, run.startedBy, outputs.double, step.title].join()', { next: [] }),
    );
    await complete(editor, id, 'ask', '21');
    const run = await ended(id);
    expect(run).toMatchObject({ status: 'completed', failure: null, stepsCompleted: 3 });
    expect(run.steps.map(({ output }) => output)).toEqual([
      { text: '21' },
      42,
      `${run.name},${run.startedBy.name},42,tell`,
    ]);
    expect(run.steps[1]).toMatchObject({
      simulated: false,
      completedBy: { kind: 'system' },
      report: { kind: 'automated', simulated: false },
    });
    expect(run.history.find(({ stepId, action }) => stepId === 'double' && action === 'completed')).toMatchObject({
      actor: { kind: 'system' },
      data: { output: 42, log: ['got 21'] },
    });
    expect(entries(run, 'tell')).toEqual(['activated', 'completed']);
  });

  it('fails a run with the reason of its script, once in the history, and tells who started it', async () => {
    const { id } = await startOf(script('break', 'log("so far"); throw new Error("The ledger is closed")'));
    const run = await ended(id);
    expect(run).toMatchObject({
      status: 'failed',
      failure: { stepId: 'break', message: 'Step failed: The ledger is closed (line 1)' },
    });
    expect(run.steps[0]).toMatchObject({ state: 'failed', reason: 'The ledger is closed (line 1)' });
    expect(entries(run, 'break')).toEqual(['activated', 'failed']);
    expect(run.history.at(-1)?.data).toMatchObject({ log: ['so far'] });
    const [told] = await owner.get<{ title: string; body: string; runId: string }[]>('/api/notifications');
    expect(told).toMatchObject({
      kind: 'run_failed',
      title: `${run.name} has failed`,
      body: 'Step failed: The ledger is closed (line 1)',
      runId: id,
    });
  });

  it('ends a script when its time is over', async () => {
    const { id } = await startOf(script('loop', 'for (;;) {}', { timeout: 1 }));
    expect((await ended(id)).failure).toMatchObject({ reason: 'It took longer than 1 second' });
  });

  it('plays a step without a script, says so, and fails it as often as it is told to', async () => {
    const { id } = await startOf({ id: 'robot', title: 'Robot', type: 'automated', config: { script: '  ' } });
    expect((await runOf(owner, id)).steps[0]).toMatchObject({ state: 'active', simulated: true });
    const run = await ended(id);
    expect(run.steps[0]).toMatchObject({ report: { kind: 'automated', simulated: true }, output: { simulated: true } });
    const completed = run.history.find(({ action }) => action === 'completed');
    expect(completed?.data['report']).toMatchObject({ simulated: true });
    const { reportedMs } = (completed?.data['report'] ?? {}) as { reportedMs?: number };
    expect(reportedMs).toBeGreaterThanOrEqual(1000);
    expect(reportedMs).toBeLessThanOrEqual(6000);
    const took = Date.parse(completed?.at ?? '') - Date.parse(run.steps[0]?.activatedAt ?? '');
    expect(took).toBeGreaterThanOrEqual(2000);
  });

  it.each([
    ['total.fields.amount > 100', 150, 'yes'],
    ['total.fields.amount > 100', 50, 'no'],
    ['if run.priority = "medium" then outputs.total.fields.amount < 0 else true', 50, 'no'],
  ])('decides %s for %s', async (condition, amount, taken) => {
    const { id } = await startOf(
      {
        id: 'total',
        title: 'Total',
        config: { fields: [{ id: 'amount', label: 'Amount', kind: 'number', required: true }] },
        next: ['decide'],
      },
      {
        id: 'decide',
        title: 'Decide',
        type: 'condition',
        config: { condition, trueNext: 'yes', falseNext: 'no' },
        next: ['yes', 'no'],
      },
      { id: 'yes', title: 'Yes', next: [] },
      { id: 'no', title: 'No', next: [] },
    );
    expect((await act(editor, id, 'total', 'complete', { output: { fields: { amount } } })).status).toBe(200);
    const run = await until(id, ({ currentStepIds }) => currentStepIds.some((step) => step === 'yes' || step === 'no'));
    expect(run.currentStepIds).toEqual([taken]);
    expect(run.steps.map(({ state }) => state)).toContain('skipped');
    expect(run.steps[1]?.report).toEqual({ kind: 'condition', result: taken === 'yes' });
  });

  it.each([
    ['missing.amount > 3', /^The condition could not be evaluated: /],
    ['1 +', /^The condition could not be evaluated: /],
    ['"text"', 'A condition has to be true or false, and this one is "text"'],
    ['', 'The step has no condition'],
  ])('fails a step whose condition is %j, and says why', async (condition, reason) => {
    const { id } = await startOf({ id: 'decide', title: 'Decide', type: 'condition', config: { condition } });
    expect((await ended(id)).failure?.reason).toMatch(reason);
  });

  it('sends a message to members, roles and addresses, once, and lists whom it can not reach', async () => {
    const outsider = 'someone@outside.example';
    const { id, name } = await startOf(
      { id: 'ask', title: 'Ask', next: ['tell'] },
      {
        id: 'tell',
        title: 'Tell them',
        type: 'notification',
        config: {
          recipients: [
            ` ${editor.user.email.toUpperCase()} `,
            'Reviewer',
            outsider,
            'nobody in particular',
            editor.user.email,
          ],
          channels: ['email', 'in-app', 'slack'],
          template: 'It is {{output.ask}} in {{run.name}} at {{step.title}}.{{output.tell}}{{other}}',
        },
        next: [],
      },
    );
    await complete(owner, id, 'ask', 'done');
    const run = await ended(id);
    expect(run.steps[1]?.report).toEqual({
      kind: 'notification',
      undeliverable: [
        'nobody in particular',
        ...[editor.user.email, reviewer.user.email].toSorted().map((email) => `${email} (slack)`),
        `${outsider} (slack)`,
        `${outsider} (in-app)`,
      ],
    });
    for (const person of [editor, reviewer]) {
      const told =
        await person.get<{ kind: string; runId: string; body: string; title: string }[]>('/api/notifications');
      expect(told.filter(({ kind, runId }) => kind === 'message' && runId === id)).toMatchObject([
        { title: `Tell them: ${name}`, body: `It is done in ${name} at Tell them.{{other}}` },
      ]);
    }
    const sent = await server.sql<{ recipient: string }>(
      `select recipient from step_deliveries where run_id = $1 and state = 'sent' order by recipient`,
      [id],
    );
    expect(sent.map(({ recipient }) => recipient)).toEqual(
      [editor.user.email, reviewer.user.email, outsider].toSorted(),
    );
  });

  it('holds what it does while a run is paused, and goes on with it at the resumption', async () => {
    const { id } = await startOf(
      { id: 'robot', title: 'Robot', type: 'automated', next: ['after'] },
      { id: 'after', title: 'After', next: [] },
    );
    await owner.post(`/api/runs/${id}/pause`);
    // The simulation would be over by then.
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(await runOf(owner, id)).toMatchObject({ status: 'paused', currentStepIds: ['robot'] });
    await owner.post(`/api/runs/${id}/resume`);
    const run = await until(id, ({ currentStepIds }) => currentStepIds.includes('after'));
    expect(entries(run, 'robot')).toEqual(['activated', 'completed']);
  });

  it('takes up again what failed, and what was active beside it', async () => {
    const { id } = await startOf(
      script('loop', 'for (;;) {}', { timeout: 1, next: ['end'] }),
      { id: 'slow', title: 'Slow', type: 'automated', next: ['end'] },
      { id: 'end', title: 'End', next: [] },
    );
    await ended(id);
    // The simulation ends while the run is failed: its result is not taken.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await runOf(owner, id)).steps[1]?.state).toBe('active');
    expect((await act(owner, id, 'loop', 'retry')).body.run.status).toBe('running');
    expect((await act(owner, id, 'loop', 'skip')).body.run.currentStepIds).toEqual(['slow']);
    const run = await until(id, ({ currentStepIds }) => currentStepIds.includes('end'));
    expect(entries(run, 'loop')).toEqual(['activated', 'failed', 'retried', 'activated', 'skipped']);
    expect(entries(run, 'slow')).toEqual(['activated', 'completed']);
  });

  it('leaves the others their turn, however many endless scripts and conditions one organization has', async () => {
    const attacker = await server.signUp();
    const { draftId } = await attacker.post<{ draftId: string }>('/api/workflows/endless/drafts', {
      metadata: { title: 'Endless' },
      steps: [
        { ...script('loop', 'for (;;) {}', { timeout: 300 }), next: [] },
        {
          id: 'seek',
          title: 'Seek',
          type: 'condition',
          config: { condition: 'some i in 1..1000000000000 satisfies i < 0' },
        },
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
      { id: 'decide', title: 'Decide', type: 'condition', config: { condition: 'count > 2' }, next: ['send'] },
      { id: 'send', title: 'Send', type: 'notification', config: { recipients: [owner.user.email] }, next: [] },
    );
    // Starting a process takes its time while others have the processors.
    const over = await until(id, ({ status }) => status !== 'running', 90_000);
    expect(over.status).toBe('completed');
    expect(await owner.post('/api/workflows/script-trial', { script: 'return 1' })).toMatchObject({ output: 1 });
    // Nobody's scripts had to be over for that: the attacker's all still run or wait.
    const states = await Promise.all(hostile.map(({ id: of }) => runOf(attacker, of)));
    expect(states.flatMap(({ steps }) => steps.filter((step) => step.id === 'loop').map(({ state }) => state))).toEqual(
      hostile.map(() => 'active'),
    );
  }, 120_000);

  it('does nothing for an activation that is past', async () => {
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

  it('makes jobs again that were lost, and only those', async () => {
    const { id } = await startOf(
      script('one', 'return 1', { next: [] }),
      script('two', 'for (;;) {}', { timeout: 60, next: [] }),
    );
    await until(id, ({ steps }) => steps[0]?.state === 'completed');
    const made = async (): Promise<number> =>
      Number((await server.sql<{ made: number }>(`select make_lost_jobs_again('0 seconds') as made`))[0]?.made);
    expect(await made()).toBe(0);
    await server.sql(`update run_steps set state = 'active' where run_id = $1 and step_id = 'one'`, [id]);
    expect(await made()).toBe(1);
    expect(await made()).toBe(0);
    server.server.deps.pokeOutbox();
    await owner.post(`/api/runs/${id}/cancel`, { reason: 'Enough' });
    expect(await made()).toBe(0);
  });

  it('frees the jobs of a process that died', async () => {
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

  it('checks the form of a manual step, and keeps its values', async () => {
    const fields = [
      { id: 'amount', label: 'Amount', kind: 'number', required: true },
      { id: 'kind', label: 'Kind', kind: 'choice', options: ['a', 'b'], required: false },
    ];
    const { id, steps } = await startOf({ id: 'form', title: 'Form', config: { fields } });
    expect(steps[0]).toMatchObject({ fields });
    expect(await act(editor, id, 'form', 'complete', { output: { text: 'Only text' } })).toMatchObject({
      status: 400,
      body: {
        error: 'Amount is required',
        code: 'invalid_fields',
        details: [{ stepId: 'form', fieldId: 'amount', problem: 'Amount is required' }],
      },
    });
    for (const values of [
      { amount: 'many' },
      { amount: 1, kind: 'c' },
      { amount: 1, other: 2 },
      { amount: 1, constructor: 2 },
    ]) {
      expect(await act(editor, id, 'form', 'complete', { output: { fields: values } })).toMatchObject(
        refused(400, 'invalid_fields'),
      );
    }
    for (const values of [[], [1], 'text', 3, true])
      expect((await act(editor, id, 'form', 'complete', { output: { fields: values } })).status).toBe(400);
    const { body } = await act(editor, id, 'form', 'complete', { output: { fields: { amount: 3, kind: 'a' } } });
    expect(body.run).toMatchObject({
      status: 'completed',
      steps: [{ output: { fields: { amount: 3, kind: 'a' } } }],
    });
  });

  it('says beforehand who may vote, and shows how the votes went', async () => {
    const { id } = await startOf(
      { id: 'write', title: 'Write', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true, minimumApprovers: 2 }, next: [] },
    );
    await complete(editor, id, 'write');
    const mine = (await runOf(editor, id)).steps[1]?.abilities;
    expect(mine).toMatchObject({ approve: false, reject: false });
    expect((await runOf(reviewer, id)).steps[1]?.abilities).toMatchObject({ approve: true, reject: true });
    const { body } = await act(reviewer, id, 'check', 'approve', { comments: 'Fine' });
    expect(body.run.steps[1]?.approvals).toMatchObject({
      required: 2,
      votes: [{ by: { id: reviewer.user.id }, comments: 'Fine' }],
    });
    expect(body.run.steps[1]?.abilities).toMatchObject({ approve: false, skip: false });
    expect(mine).toMatchObject({ skip: false });
    expect(await act(editor, id, 'check', 'skip')).toMatchObject(refused(403, 'separate_from'));
    expect(await act(reviewer, id, 'check', 'skip')).toMatchObject(refused(409, 'already_voted'));
    expect((await act(owner, id, 'check', 'skip')).body.run.status).toBe('completed');
  });

  it('lets nobody skip the approval of what they have submitted themselves', async () => {
    const { id } = await startOf({ id: 'fill', title: 'Fill', config: { requiresApproval: true } });
    const { body } = await complete(editor, id, 'fill');
    expect(body.run.steps[0]?.abilities).toMatchObject({ approve: false, skip: false });
    expect(await act(editor, id, 'fill', 'skip')).toMatchObject(refused(403, 'own_submission'));
    expect((await runOf(owner, id)).steps[0]?.abilities.skip).toBe(true);
    expect((await act(owner, id, 'fill', 'skip')).body.run.status).toBe('completed');
  });

  it('tells runs of the same minute apart by their first characters', async () => {
    const first = await startOf({ id: 'a', title: 'A' });
    const others = await Promise.all(Array.from({ length: 20 }, () => start(owner, first.workflow.key)));
    const short = new Set([first, ...others].map(({ id }) => id.slice(0, 8)));
    expect(short.size).toBe(21);
  });
});
