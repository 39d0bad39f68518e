import { afterAll, describe, expect, it } from 'vitest';
import { act, complete, runOf, start } from '../../../testing/runs.ts';
import { entries, script, startRunScene } from '../../../testing/run-scene.ts';
import { refused } from '../../../testing/drafts.ts';
import { mailTo, mailsIn } from '../../../testing/mailbox.ts';
import { joinOrganization } from '../../../testing/organization.ts';

const { server, owner, editor, reviewer, startOf, until, ended } = await startRunScene({ SIMULATED_FAILURE_RATE: '0' });

describe('the server', () => {
  afterAll(() => server.stop());

  it('runs scripts one after the other with the outputs of earlier steps, and stores their logs', async () => {
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

  it('fails the run with the script’s error message, once in the history, and notifies its starter', async () => {
    const { id } = await startOf(script('break', 'log("so far"); throw new Error("The ledger is closed")'));
    const run = await ended(id);
    expect(run).toMatchObject({
      status: 'failed',
      failure: { stepId: 'break', message: 'Step failed: The ledger is closed (line 1)' },
    });
    expect(run.steps[0]).toMatchObject({ state: 'failed', reason: 'The ledger is closed (line 1)' });
    expect(entries(run, 'break')).toEqual(['activated', 'failed']);
    expect(run.history.at(-1)?.data).toMatchObject({ log: ['so far'] });
    const [notifications] = await owner.get<{ title: string; body: string; runId: string }[]>('/api/notifications');
    expect(notifications).toMatchObject({
      kind: 'run_failed',
      title: `${run.name} has failed`,
      body: 'Step failed: The ledger is closed (line 1)',
      runId: id,
    });
  });

  it('stops a script when its time is up', async () => {
    const { id } = await startOf(script('loop', 'for (;;) {}', { timeout: 1 }));
    expect((await ended(id)).failure).toMatchObject({ reason: 'Timed out after 1 second' });
  });

  it('simulates a step without a script, and marks it as simulated', async () => {
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
  ])('takes the correct branch for the condition %s if the amount is %s', async (condition, amount, taken) => {
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
    ['"text"', 'A condition must be true or false, but this one is "text"'],
  ])('fails a step whose condition is %j, and gives the reason', async (condition, reason) => {
    const { id } = await startOf(
      { id: 'decide', title: 'Decide', type: 'condition', config: { condition, trueNext: 'yes' }, next: ['yes'] },
      { id: 'yes', title: 'Yes', next: [] },
    );
    expect((await ended(id)).failure?.reason).toMatch(reason);
  });

  it('sends no email to someone whose account is disabled, only an in-app message, and lists them', async () => {
    const unique = 'Only for enabled accounts';
    const gone = await server.signUp();
    await joinOrganization(server, gone, owner.user.currentOrgId ?? '', 'viewer');
    await server.sql('update users set disabled_at = now() where id = $1', [gone.user.id]);
    const { id } = await startOf({
      id: 'tell',
      title: 'Tell them',
      type: 'notification',
      config: { recipients: [editor.user.email, 'viewer'], channels: ['email', 'in-app'], template: unique },
      next: [],
    });
    const run = await ended(id);
    await server.sql('update users set disabled_at = null where id = $1', [gone.user.id]);
    expect(run.steps[0]?.report).toEqual({
      kind: 'notification',
      undeliverable: [`${gone.user.email} (account disabled)`],
    });
    await mailTo(server.dataDir, editor.user.email, ({ text }) => text.includes(unique));
    const mails = (await mailsIn(server.dataDir)).filter(({ text }) => text.includes(unique));
    expect(mails.filter(({ to }) => to.includes(gone.user.email))).toEqual([]);
    const shown = await gone.get<{ body: string }[]>('/api/notifications');
    expect(shown.some(({ body }) => body.includes(unique))).toBe(true);
  });

  it("sends a message once to each person named by address or role, and lists those that it can't reach", async () => {
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
          template: 'It is {{output.ask}} in {{run.name}} at {{step.title}}.{{output.tell}}',
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
      const notifications =
        await person.get<{ kind: string; runId: string; body: string; title: string }[]>('/api/notifications');
      expect(notifications.filter(({ kind, runId }) => kind === 'message' && runId === id)).toMatchObject([
        { title: `Tell them: ${name}`, body: `It is done in ${name} at Tell them.` },
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

  it('checks a manual step’s form, and stores its values', async () => {
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
        details: [{ stepId: 'form', fieldId: 'amount', field: 'output.fields.amount', problem: 'Amount is required' }],
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

  it('shows people in advance whether they can vote, and shows the votes afterwards', async () => {
    const { id } = await startOf(
      { id: 'write', title: 'Write', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true, minimumApprovers: 2 }, next: [] },
    );
    await complete(owner, id, 'write');
    const mine = (await runOf(owner, id)).steps[1]?.abilities;
    expect(mine).toMatchObject({ approve: false, reject: false });
    expect((await runOf(reviewer, id)).steps[1]?.abilities).toMatchObject({ approve: true, reject: true });
    const { body } = await act(reviewer, id, 'check', 'approve', { comments: 'Fine' });
    expect(body.run.steps[1]?.approvals).toMatchObject({
      required: 2,
      votes: [{ by: { id: reviewer.user.id }, comments: 'Fine' }],
    });
    expect(body.run.steps[1]?.abilities).toMatchObject({ approve: false, skip: false });
    expect(mine).toMatchObject({ skip: false });
    expect(await act(owner, id, 'check', 'skip', { reason: 'x' })).toMatchObject(refused(403, 'separate_from'));
    expect(await act(reviewer, id, 'check', 'skip', { reason: 'x' })).toMatchObject(refused(409, 'already_voted'));
    expect(await act(editor, id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
  });

  it("doesn't let a person skip a step alone if they submitted its input", async () => {
    const { id } = await startOf({ id: 'fill', title: 'Fill', config: { requiresApproval: true } });
    const { body } = await complete(editor, id, 'fill');
    expect(body.run.steps[0]?.abilities).toMatchObject({ approve: false, skip: true });
    expect((await act(editor, id, 'fill', 'skip', { reason: 'Old' })).body).toMatchObject({
      message: '1 of 2 have agreed to skip',
      run: {
        status: 'running',
        steps: [{ skip: { required: 2, votes: [{ reason: 'Old' }] }, abilities: { skip: false } }],
      },
    });
    expect(await act(editor, id, 'fill', 'skip', { reason: 'Old' })).toMatchObject(refused(409, 'already_agreed'));
    expect((await act(owner, id, 'fill', 'skip', { reason: 'Indeed' })).body.run.status).toBe('completed');
  });

  it('gives runs ids that differ in their first eight characters, even if the runs start in the same minute', async () => {
    const first = await startOf({ id: 'a', title: 'A' });
    const others = await Promise.all(Array.from({ length: 20 }, () => start(owner, first.workflow.key)));
    const short = new Set([first, ...others].map(({ id }) => id.slice(0, 8)));
    expect(short.size).toBe(21);
  });
});
