import type { Run } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { joinOrganization, publish } from '../../testing/organization.ts';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { startRunScene } from '../../testing/run-scene.ts';
import { act, complete, letTimePass, runOf, start } from '../../testing/runs.ts';
import type { Person } from '../../testing/server.ts';

const { server, orgId, owner, editor, reviewer, viewer, startOf, until } = await startRunScene({
  SIMULATED_FAILURE_RATE: '0',
});
const other = await server.signUp({ name: 'The other reviewer' });
await joinOrganization(server, other, orgId, 'reviewer');
const admin = await server.signUp({ name: 'The admin' });
await joinOrganization(server, admin, orgId, 'admin');
const MANAGERS = [
  ['owner', owner],
  ['admin', admin],
] as const;

const HOUR = 3_600_000;
const skip = (person: Person, runId: string, stepId: string, reason = 'Not needed') =>
  act(person, runId, stepId, 'skip', { reason });
const notificationsOf = async (person: Person, kind: string): Promise<string[]> =>
  (await person.get<{ kind: string; body: string }[]>('/api/notifications'))
    .filter((notification) => notification.kind === kind)
    .map(({ body }) => body);
const hasTask = async (person: Person, runId: string): Promise<boolean> =>
  (await person.get<{ runId: string }[]>('/api/tasks?limit=200')).some((task) => task.runId === runId);
/** Changes the policy without the confirmation of the second manager. */
const letEditorsHelp = (may: boolean) =>
  server.sql('update organizations set editors_may_help = $2 where id = $1', [orgId, may]);

afterAll(() => server.stop());

describe.each(MANAGERS)('an %s', (_, manager) => {
  const named = { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer' } as const;

  it("can't agree to a skip while the people named by the step can still decide it", async () => {
    const { id } = await startOf({ ...named, config: { minimumApprovers: 2 } });
    await act(reviewer, id, 'check', 'approve');
    expect((await runOf(manager, id)).steps[0]?.abilities).toMatchObject({ approve: false, skip: false });
    expect(await skip(manager, id, 'check')).toMatchObject(refused(403, 'not_assigned'));
    expect((await act(other, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('sees in the refusal when they will be able to decide for other people', async () => {
    const { id } = await startOf({ ...named, sla: '1 day' });
    expect((await act(manager, id, 'check', 'approve')).body).toMatchObject({
      error: expect.stringContaining('once it is overdue by 24 working hours') as unknown,
    });
  });
});

describe('a personal token', () => {
  it('can decide only if the request names the revision that was read, and the decision is marked', async () => {
    const token = await personalToken(server, reviewer);
    const { id } = await startOf({ id: 'check', title: 'Check', type: 'approval' });
    const path = `/api/runs/${id}/steps/check/approve`;
    expect(await token.call('POST', path, {})).toMatchObject({
      status: 400,
      body: { code: 'invalid', details: [{ field: 'If-Match' }] },
    });
    const { revision } = await runOf(reviewer, id);
    expect(await token.call('POST', path, {}, { 'if-match': `"${revision + 1}"` })).toMatchObject(
      refused(409, 'stale_run'),
    );
    const reply = await token.call<{ run: Run }>('POST', path, {}, { 'if-match': `"${revision}"` });
    expect(reply.body.run).toMatchObject({ revision: revision + 1, marks: ['by_api_token'] });
    expect((await runOf(owner, id)).steps[0]).toMatchObject({
      marks: ['by_api_token'],
      approvals: { votes: [{ marks: ['by_api_token'] }] },
    });
  });

  it("can't approve under strict review", async () => {
    const token = await personalToken(server, reviewer);
    const { id, revision } = await startOf({ id: 'check', title: 'Check', type: 'approval' });
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    const path = `/api/runs/${id}/steps/check/approve`;
    expect(await token.call('POST', path, {}, { 'if-match': `"${revision}"` })).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'by_api_token' }] },
    });
    await server.sql('update organizations set strict = false where id = $1', [orgId]);
  });
});

describe('a single person', () => {
  it("can't skip an approval by three people, with or without a reason", async () => {
    const { id } = await startOf(
      { id: 'vote', title: 'Vote', type: 'approval', config: { minimumApprovers: 3 } },
      { id: 'after', title: 'After' },
    );
    expect(await act(owner, id, 'vote', 'skip')).toMatchObject(refused(400, 'reason_required'));
    expect((await skip(owner, id, 'vote')).body.message).toBe('1 of 3 have agreed to skip');
    expect(await skip(owner, id, 'vote')).toMatchObject(refused(409, 'already_agreed'));
    expect(await skip(editor, id, 'vote')).toMatchObject(refused(403, 'not_assigned'));
    expect((await skip(reviewer, id, 'vote')).body).toMatchObject({
      message: '2 of 3 have agreed to skip',
      run: { currentStepIds: ['vote'] },
    });
    const { body } = await skip(other, id, 'vote', 'Nobody needs it');
    expect(body).toMatchObject({ message: 'Step skipped', run: { currentStepIds: ['after'] } });
    expect(body.run.history.filter(({ action }) => action === 'skip_agreed')).toMatchObject([
      { actor: { id: owner.user.id }, data: { reason: 'Not needed', votes: 1, required: 3 } },
      { actor: { id: reviewer.user.id } },
      { actor: { id: other.user.id }, data: { reason: 'Nobody needs it', votes: 3 } },
    ]);
  });

  it("can't skip the work and then approve it", async () => {
    const { id } = await startOf(
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true }, next: [] },
    );
    await skip(owner, id, 'work');
    expect(await act(owner, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await complete(owner, id, 'check')).toMatchObject(refused(403, 'separate_from'));
    expect(await skip(owner, id, 'check')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(owner, id)).toBe(false);
    expect((await runOf(owner, id)).steps[1]?.abilities).toMatchObject({ approve: false, reject: false, skip: false });
    expect((await act(reviewer, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it("can't retry a step after their own work was rejected, as long as someone else can", async () => {
    const { id } = await startOf(
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer', next: [] },
    );
    await complete(editor, id, 'work');
    await act(reviewer, id, 'check', 'reject', { comments: 'Too risky' });
    expect((await runOf(editor, id)).steps[1]).toMatchObject({
      state: 'failed',
      abilities: { retry: false },
      rejection: { by: { id: reviewer.user.id }, comments: 'Too risky', retriedAlone: false },
    });
    expect(await act(editor, id, 'check', 'retry')).toMatchObject({
      status: 403,
      body: { code: 'rejected_cannot_retry', error: expect.stringContaining('Someone else') as unknown },
    });
    const { body } = await act(owner, id, 'check', 'retry');
    expect(body.run.steps[1]).toMatchObject({ state: 'active', rejection: { comments: 'Too risky' } });
    expect((await act(reviewer, id, 'check', 'approve')).body.run.steps[1]?.rejection).toBeNull();
  });

  it("can't approve a step that names someone else", async () => {
    const { id } = await startOf({ id: 'check', title: 'Check', type: 'approval', assignee: other.user.email });
    for (const person of [owner, editor, reviewer, viewer]) {
      const sentence = `This step is assigned to ${other.user.email}. Owners and admins can decide it only if too few of the approvers can. It has no due time, so ask the approvers to approve or reject it.`;
      for (const reply of [
        await act(person, id, 'check', 'approve', { comments: 'Mine' }),
        await act(person, id, 'check', 'reject', { comments: 'Mine' }),
        await complete(person, id, 'check'),
        await skip(person, id, 'check'),
      ])
        expect(reply).toMatchObject({ status: 403, body: { code: 'not_assigned', error: sentence } });
      expect(await hasTask(person, id)).toBe(false);
      expect((await runOf(person, id)).steps[0]?.abilities).toMatchObject({
        approve: false,
        reject: false,
        skip: false,
      });
    }
    expect(await hasTask(other, id)).toBe(true);
    expect((await act(other, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('can retry a step if nobody else can, and the run records that they retried alone', async () => {
    const founder = await server.signUp({ team: 'Founders' });
    const second = await server.signUp();
    await joinOrganization(server, second, founder.user.currentOrgId ?? '', 'viewer');
    await founder.post('/api/workflows/alone/drafts', {
      metadata: { title: 'Alone' },
      steps: [{ id: 'check', title: 'Check', type: 'approval', assignee: 'viewer' }],
    });
    const [draft] = await server.sql<{ id: string }>(`select v.id from workflow_versions v where v.org_id = $1`, [
      founder.user.currentOrgId,
    ]);
    await founder.post(`/api/workflows/alone/drafts/${draft?.id}/approve`);
    await founder.post(`/api/workflows/alone/drafts/${draft?.id}/merge`);
    const { id } = await start(founder, 'alone');
    await act(second, id, 'check', 'reject', { comments: 'No' });
    expect((await runOf(founder, id)).steps[0]?.abilities.retry).toBe(true);
    const { body } = await act(founder, id, 'check', 'retry');
    expect(body.run.steps[0]?.rejection).toMatchObject({ comments: 'No', retriedAlone: true });
    expect(body.run.history.find(({ action }) => action === 'retried')?.data).toMatchObject({ retriedAlone: true });
  });
});

describe('an approval with separation of duties', () => {
  it.each([
    ['automated', {}],
    ['condition', { condition: 'true', trueNext: 'check' }],
    ['notification', { recipients: ['viewer'], channels: ['in-app'] }],
  ])('also excludes the person who did the work before an intermediate %s step', async (type, config) => {
    const { id } = await startOf(
      { id: 'work', title: 'Work', next: ['server'] },
      { id: 'server', title: 'Server', type, config, next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', config: { separateFrom: true }, next: [] },
    );
    await complete(owner, id, 'work');
    await until(id, ({ currentStepIds }) => currentStepIds.includes('check'));
    expect(await act(owner, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(owner, id)).toBe(false);
    expect(await hasTask(reviewer, id)).toBe(true);
    expect((await act(reviewer, id, 'check', 'approve')).body.run.status).toBe('completed');
  });
});

describe.each(MANAGERS)('an %s', (_, manager) => {
  const vote = (minimumApprovers: number, sla = '') =>
    startOf({ id: 'vote', title: 'Vote', type: 'approval', assignee: 'reviewer', sla, config: { minimumApprovers } });

  it('can decide if a step names too few people, with a reason and a notification to those people', async () => {
    const { id } = await vote(3);
    expect((await runOf(manager, id)).steps[0]).toMatchObject({ actsFor: 'too_few', abilities: { approve: true } });
    expect(await hasTask(manager, id)).toBe(true);
    expect(await act(manager, id, 'vote', 'approve')).toMatchObject(refused(400, 'stand_in_reason_required'));
    const before = await notificationsOf(reviewer, 'decided_for_you');
    const { body } = await act(manager, id, 'vote', 'approve', { comments: 'Two of three are available' });
    expect(body.run.steps[0]?.approvals?.votes).toMatchObject([
      { by: { id: manager.user.id }, actsFor: 'too_few', comments: 'Two of three are available' },
    ]);
    expect(body.run.history.find(({ action }) => action === 'approved')?.data).toMatchObject({ actsFor: 'too_few' });
    expect(await notificationsOf(reviewer, 'decided_for_you')).toHaveLength(before.length + 1);
    // Two more votes are required, and the step names two people who can still vote.
    expect((await runOf(manager, id)).steps[0]?.actsFor).toBeNull();
  });

  it("can't decide as long as enough people named by the step can vote", async () => {
    const { id } = await vote(2);
    expect(await act(manager, id, 'vote', 'approve', { comments: 'Me' })).toMatchObject(refused(403, 'not_assigned'));
  });

  it('can decide once the step is 24 hours overdue, unless separation of duties excludes them', async () => {
    const { id } = await vote(1, '1h');
    await letTimePass(server, id, 24 * HOUR);
    expect(await act(manager, id, 'vote', 'approve', { comments: 'Late' })).toMatchObject(refused(403, 'not_assigned'));
    expect(await hasTask(manager, id)).toBe(false);
    await letTimePass(server, id, 2 * HOUR);
    await server.sql(`update run_tasks set opens_at = opens_at - interval '26 hours' where run_id = $1`, [id]);
    expect(await hasTask(manager, id)).toBe(true);
    expect(await hasTask(editor, id)).toBe(false);
    expect(await act(editor, id, 'vote', 'approve', { comments: 'Late' })).toMatchObject(refused(403, 'not_assigned'));
    const { body } = await act(manager, id, 'vote', 'approve', { comments: 'Late' });
    expect(body.run.steps[0]?.approvals?.votes).toMatchObject([{ actsFor: 'overdue' }]);

    const barred = await startOf(
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: 'gone@example.com', config: { separateFrom: true } },
    );
    await complete(manager, barred.id, 'work');
    expect(await act(manager, barred.id, 'check', 'approve', { comments: 'Me' })).toMatchObject(
      refused(403, 'separate_from'),
    );
  });
});

it('the owner of a personal account can complete all steps, even those assigned to others', async () => {
  const person = await server.signUp();
  await publish(person, person, 'personal', [
    { id: 'write', title: 'Write', assignee: 'editor', next: ['check'] },
    { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer' },
  ]);
  const { id } = await start(person, 'personal');
  const { body } = await complete(person, id, 'write');
  expect(body.run.steps).toMatchObject([{ completedFor: null }, { actsFor: null, abilities: { approve: true } }]);
  expect((await act(person, id, 'check', 'approve')).body.run.status).toBe('completed');
});

describe('an editor’s help', () => {
  it("is recorded, and is refused if the organization doesn't allow it", async () => {
    const steps = { id: 'write', title: 'Write', assignee: 'reviewer' };
    const { id } = await startOf(steps);
    expect((await runOf(editor, id)).steps[0]).toMatchObject({
      actsFor: 'helper',
      assignedTo: 'Reviewer',
      abilities: { complete: true },
    });
    const { body } = await complete(editor, id, 'write');
    expect(body.run.steps[0]).toMatchObject({ completedFor: 'helper' });
    expect(body.run.history.find(({ action }) => action === 'completed')?.data).toMatchObject({ actsFor: 'helper' });

    await letEditorsHelp(false);
    const run = await startOf(steps);
    expect(await complete(editor, run.id, 'write')).toMatchObject({
      status: 403,
      body: { error: 'This step is assigned to Reviewer. Admins and owners can help.' },
    });
    expect((await runOf(editor, run.id)).steps[0]?.abilities.complete).toBe(false);
    const open = await startOf({ id: 'write', title: 'Write' });
    expect((await complete(editor, open.id, 'write')).status).toBe(200);
    expect((await complete(owner, run.id, 'write')).body.run.steps[0]?.completedFor).toBe('helper');
    await letEditorsHelp(true);
  });

  it('is listed as a task if none of the named people can approve the input', async () => {
    const config = { requiresApproval: true };
    const { id } = await startOf({ id: 'fill', title: 'Fill', assignee: viewer.user.email, config });
    await complete(viewer, id, 'fill');
    for (const person of [owner, editor]) expect(await hasTask(person, id)).toBe(true);
    await letEditorsHelp(false);
    expect(await hasTask(owner, id)).toBe(true);
    expect(await hasTask(editor, id)).toBe(false);
    expect(await act(editor, id, 'fill', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    await letEditorsHelp(true);
    expect((await act(editor, id, 'fill', 'approve')).body.run.status).toBe('completed');
  });
});

describe('an organization’s token', () => {
  it("can complete manual steps, but can't decide anything", async () => {
    const token = await organizationToken(server, owner, 'admin');
    const { id } = await startOf(
      { id: 'write', title: 'Write', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: 'admin', next: ['open'] },
      { id: 'open', title: 'Open', type: 'approval', next: [] },
    );
    const path = `/api/runs/${id}`;
    const done = await token.call('POST', `${path}/complete`, { stepId: 'write', output: 'Done' });
    expect(done.status).toBe(200);
    for (const [route, body] of [
      ['/complete', { stepId: 'check' }],
      ['/steps/check/complete', {}],
      ['/steps/check/approve', {}],
      ['/steps/check/reject', { comments: 'No' }],
      ['/steps/check/skip', { reason: 'No' }],
    ] as const)
      expect(await token.call('POST', `${path}${route}`, body)).toMatchObject(refused(403, 'not_for_tokens'));
  });
});

describe('a pause', () => {
  let id = '';
  beforeEach(async () => ({ id } = await start(editor, (await startOf({ id: 'a', title: 'A' })).workflow.key, 'Long')));

  it('shows its reason, and notifies owners and the person who started the run, even without a reason', async () => {
    const run = await reviewer.post(`/api/runs/${id}/pause`, { reason: 'Audit week' });
    expect(run).toMatchObject({ paused: { by: { id: reviewer.user.id }, reason: 'Audit week' } });
    for (const person of [owner, editor])
      expect((await notificationsOf(person, 'run_paused'))[0]).toBe('The reviewer paused this run: Audit week');
    for (const person of [admin, reviewer]) expect(await notificationsOf(person, 'run_paused')).toEqual([]);
    await owner.post(`/api/runs/${id}/resume`);
    await owner.post(`/api/runs/${id}/pause`);
    expect((await notificationsOf(editor, 'run_paused'))[0]).toMatch(/paused this run. No reason was given.$/);
    const events = await owner.get<{ action: string; data: object }[]>(`/api/audit/events?subject=run&subjectId=${id}`);
    expect(events.filter(({ action }) => action === 'run.paused').map(({ data }) => data)).toMatchObject([
      { reason: null },
      { reason: 'Audit week' },
    ]);
  });

  it('is escalated only once after seven days, to owners, admins and the person who started the run', async () => {
    await reviewer.post(`/api/runs/${id}/pause`);
    await letTimePass(server, id, 7 * 24 * HOUR + 1000);
    const run = await until(id, ({ history }) => history.some(({ action }) => action === 'run_pause_escalated'));
    expect(run.status).toBe('paused');
    for (const person of [owner, admin, editor])
      expect(await notificationsOf(person, 'pause_escalated')).toHaveLength(1);
    expect(await notificationsOf(reviewer, 'pause_escalated')).toEqual([]);
  });
});

describe('a run', () => {
  it('shows that its starter cancelled a rejected run within the last seven days', async () => {
    const rejected = await startOf(
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer', config: { onReject: 'work' }, next: [] },
    );
    const { key } = rejected.workflow;
    await complete(owner, rejected.id, 'work');
    await act(reviewer, rejected.id, 'check', 'reject', { comments: 'No' });
    expect((await start(editor, key)).restartOf).toBeNull();
    await editor.post(`/api/runs/${rejected.id}/cancel`, { reason: 'Once more' });
    expect((await start(owner, key)).restartOf).toBeNull();
    const again = await start(editor, key);
    expect(again.restartOf).toMatchObject({ runId: rejected.id, name: rejected.name });
    expect((await runOf(reviewer, again.id)).restartOf).toMatchObject({ runId: rejected.id });
    await letTimePass(server, rejected.id, 8 * 24 * HOUR);
    expect((await start(editor, key)).restartOf).toBeNull();
  });

  it('shows that its starter’s previous run failed because of a rejection', async () => {
    const work = { id: 'work', title: 'Work', next: ['check'] };
    const failed = await startOf(work, {
      id: 'check',
      title: 'Check',
      type: 'approval',
      assignee: 'reviewer',
      next: [],
    });
    const { key } = failed.workflow;
    await complete(owner, failed.id, 'work');
    const { body } = await act(reviewer, failed.id, 'check', 'reject', { comments: 'No' });
    expect(body.run.status).toBe('failed');
    expect((await start(editor, key)).restartOf).toBeNull();
    expect((await start(owner, key)).restartOf).toMatchObject({ runId: failed.id, isFailed: true });
  });

  it('can’t start from a version that was altered after it was merged', async () => {
    const alter = (versionId: string | undefined) =>
      server.sql(`begin; set local session_replication_role = replica;
        update workflow_versions set steps = replace(steps::text, 'Work', 'Wxrk')::json where id = '${versionId}'; commit`);
    const run = await startOf({ id: 'work', title: 'Work' });
    const [pinned] = await server.sql<{ id: string }>('select version_id as id from runs where id = $1', [run.id]);
    await alter(pinned?.id);
    // This process has already checked the version, and it checks each version only once.
    expect((await complete(owner, run.id, 'work')).status).toBe(200);
    await alter(await publish(owner, reviewer, 'altered', [{ id: 'work', title: 'Work' }]));
    expect(await owner.call('POST', '/api/runs', { key: 'altered', name: 'A run' })).toMatchObject(
      refused(409, 'version_altered'),
    );
  });
});
