import type { DoneTask, Run, Task } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, complete, letTimePass, start } from '../../testing/runs.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('my tasks', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let editor: Person;
  let viewer: Person;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, editor, viewer } = await teamOf(server, ['reviewer', 'editor', 'viewer']));
    await publish(owner, reviewer, 'report', [
      { id: 'write', title: 'Write', assignee: ` ${viewer.user.email.toUpperCase()} `, sla: '4h', next: ['check'] },
      {
        id: 'check',
        title: 'Check',
        type: 'approval',
        assignee: 'reviewer',
        sla: '1h',
        config: { minimumApprovers: 1 },
      },
    ]);
    await publish(owner, reviewer, 'open', [
      { id: 'vote', title: 'Vote', type: 'approval', config: { minimumApprovers: 3 } },
    ]);
    await publish(owner, reviewer, 'filled', [
      { id: 'fill', title: 'Fill', assignee: 'editor', config: { requiresApproval: true } },
    ]);
  });
  afterAll(() => server.stop());

  const tasksOf = async (person: Person, run?: Run): Promise<string[]> =>
    (await person.get<Task[]>('/api/tasks?limit=200'))
      .filter(({ runId }) => run === undefined || runId === run.id)
      .map(({ title, waitsFor }) => `${title} ${waitsFor}`);
  const countOf = async (person: Person): Promise<number> =>
    (await person.get<{ count: number }>('/api/tasks/count')).count;

  it('contain waiting steps assigned to me by address or by role', async () => {
    const run = await start(owner, 'report', 'A report');
    expect(await tasksOf(viewer, run)).toEqual(['Write me']);
    expect(await tasksOf(reviewer, run)).toEqual([]);
    expect(await tasksOf(owner, run)).toEqual([]);
    const listed = await viewer.get<Task[]>('/api/tasks');
    expect(listed).toMatchObject([
      {
        runId: run.id,
        runName: 'A report',
        workflowTitle: 'Title of report',
        stepId: 'write',
        type: 'manual',
        slaState: 'on_track',
        dueAt: expect.any(String) as unknown,
      },
    ]);
    const [task] = listed;
    expect(task?.now).toBeGreaterThanOrEqual(Date.parse(task?.activatedAt ?? ''));
    expect(task?.now).toBeLessThan(Date.parse(task?.dueAt ?? ''));
    await complete(viewer, run.id, 'write');
    expect(await tasksOf(viewer, run)).toEqual([]);
    expect(await tasksOf(reviewer, run)).toEqual(['Check role']);
    await act(reviewer, run.id, 'check', 'approve');
    expect(await tasksOf(reviewer, run)).toEqual([]);
  });

  it("contain approvals that I can give and haven't given yet", async () => {
    const run = await start(owner, 'open');
    for (const person of [owner, reviewer]) expect(await tasksOf(person, run)).toEqual(['Vote anyone']);
    for (const person of [editor, viewer]) expect(await tasksOf(person, run)).toEqual([]);
    await act(owner, run.id, 'vote', 'approve');
    expect(await tasksOf(owner, run)).toEqual([]);
    expect(await tasksOf(reviewer, run)).toEqual(['Vote anyone']);
  });

  it('contain other people’s input to approve, but never my own', async () => {
    const run = await start(owner, 'filled');
    expect(await tasksOf(editor, run)).toEqual(['Fill role']);
    await complete(editor, run.id, 'fill');
    expect(await tasksOf(editor, run)).toEqual([]);
    const another = await server.signUp();
    await server.sql(`insert into memberships (org_id, user_id, role) values ($1, $2, 'editor')`, [
      owner.user.currentOrgId,
      another.user.id,
    ]);
    await another.post('/api/users/switch-organization', { organizationId: owner.user.currentOrgId });
    expect(await tasksOf(another, run)).toEqual(['Fill role']);
  });

  it('contain an approval for owners if it names too few people', async () => {
    await publish(owner, reviewer, 'too-few', [
      { id: 'vote', title: 'Vote', type: 'approval', assignee: reviewer.user.email, config: { minimumApprovers: 2 } },
    ]);
    const run = await start(owner, 'too-few');
    for (const person of [owner, reviewer]) expect(await tasksOf(person, run)).toHaveLength(1);
    for (const person of [editor, viewer]) expect(await tasksOf(person, run)).toEqual([]);
    await act(reviewer, run.id, 'vote', 'approve');
    expect(await tasksOf(reviewer, run)).toEqual([]);
    expect(await tasksOf(owner, run)).toHaveLength(1);
    const { body } = await act(owner, run.id, 'vote', 'approve', { comments: 'Nobody else can' });
    expect(body.run.status).toBe('completed');
  });

  it('contain steps without an assignee or whose role nobody has, for everyone who can act on any step', async () => {
    const { owner: boss, editor: worker, viewer: only } = await teamOf(server, ['editor', 'viewer']);
    await publish(worker, boss, 'nobodys', [
      { id: 'free', title: 'Free', assignee: 'Unassigned', next: ['vacant'] },
      { id: 'vacant', title: 'Vacant', assignee: 'reviewer' },
    ]);
    const run = await start(boss, 'nobodys');
    for (const title of ['Free', 'Vacant']) {
      for (const person of [boss, worker]) expect(await tasksOf(person, run)).toEqual([`${title} anyone`]);
      expect(await tasksOf(only, run)).toEqual([]);
      await complete(worker, run.id, title.toLowerCase());
    }
    expect(await tasksOf(boss, run)).toEqual([]);
  });

  it('contain input for owners if nobody else in the role can approve it; approver and submitter are notified', async () => {
    const { owner: boss, viewer: only, reviewer: other } = await teamOf(server, ['viewer', 'reviewer']);
    await publish(boss, other, 'alone', [
      { id: 'fill', title: 'Fill', assignee: 'viewer', config: { requiresApproval: true } },
    ]);
    const run = await start(boss, 'alone', 'Alone');
    expect(await tasksOf(boss, run)).toEqual([]);
    await complete(only, run.id, 'fill');
    expect(await tasksOf(only, run)).toEqual([]);
    expect(await tasksOf(boss, run)).toHaveLength(1);
    const notificationsOf = async (person: Person): Promise<string[]> =>
      (await person.get<{ kind: string; body: string }[]>('/api/notifications'))
        .filter(({ kind }) => kind.startsWith('input_'))
        .map(({ body }) => body);
    expect(await notificationsOf(boss)).toEqual([`${only.user.name} asks for your approval in “Alone”.`]);
    expect(await notificationsOf(only)).toEqual([]);
    await act(boss, run.id, 'fill', 'reject', { comments: 'The year is missing' });
    expect(await tasksOf(boss, run)).toEqual([]);
    expect(await notificationsOf(only)).toEqual([
      `${boss.user.name} has returned your input in “Alone”: The year is missing`,
    ]);
    await complete(only, run.id, 'fill');
    expect(await notificationsOf(boss)).toHaveLength(2);
    expect(await notificationsOf(other)).toEqual([]);
  });

  it('go to stand-ins once nobody has the role that the step names', async () => {
    const { owner: boss, reviewer: named } = await teamOf(server, ['reviewer']);
    await publish(boss, named, 'left', [{ id: 'vote', title: 'Vote', type: 'approval', assignee: 'reviewer' }]);
    const run = await start(boss, 'left');
    expect(await tasksOf(boss, run)).toEqual([]);
    expect(await tasksOf(named, run)).toEqual(['Vote role']);
    await boss.call('PATCH', `/api/organizations/${boss.user.currentOrgId}/users/${named.user.id}`, { role: 'viewer' });
    expect(await tasksOf(boss, run)).toHaveLength(1);
    expect(await tasksOf(named, run)).toEqual([]);
  });

  it('disappear while a run is paused and when it ends', async () => {
    const run = await start(owner, 'report');
    await owner.post(`/api/runs/${run.id}/pause`);
    expect(await tasksOf(viewer, run)).toEqual([]);
    await owner.post(`/api/runs/${run.id}/resume`);
    expect(await tasksOf(viewer, run)).toEqual(['Write me']);
    await owner.post(`/api/runs/${run.id}/cancel`, { reason: 'No' });
    expect(await tasksOf(viewer, run)).toEqual([]);
  });

  it('are sorted by due time across pages without gaps or duplicates, and are counted', async () => {
    const { owner: boss, viewer: worker, reviewer: other } = await teamOf(server, ['viewer', 'reviewer']);
    await publish(boss, other, 'timed', [{ id: 'a', title: 'A', assignee: 'viewer', sla: '4h' }]);
    await publish(boss, other, 'untimed', [{ id: 'b', title: 'B', assignee: worker.user.email, sla: '' }]);
    for (let n = 0; n < 5; n += 1) await start(boss, n % 2 === 0 ? 'timed' : 'untimed', `Run ${n}`);
    const late = await start(boss, 'timed', 'Overdue');
    await letTimePass(server, late.id, 5 * 3_600_000);
    await server.sql(`update run_tasks set due_at = due_at - interval '5 hours' where run_id = $1`, [late.id]);
    const seen: Task[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Reply<Task[]> = await worker.call<Task[]>('GET', `/api/tasks?limit=2${cursor}`);
      expect(page.status).toBe(200);
      seen.push(...page.body);
      const next: string | null = page.headers.get('x-next-cursor');
      cursor = next === null ? null : `&cursor=${encodeURIComponent(next)}`;
    }
    expect(seen.map(({ runName }) => runName)).toEqual([
      'Overdue',
      'Run 0',
      'Run 2',
      'Run 4',
      expect.any(String),
      expect.any(String),
    ]);
    expect(new Set(seen.map(({ runId }) => runId)).size).toBe(6);
    expect(seen[0]?.slaState).toBe('breached');
    expect(seen.slice(4).map(({ dueAt }) => dueAt)).toEqual([null, null]);
    expect(await worker.get('/api/tasks/count')).toEqual({
      count: 6,
      overdue: 1,
      nextDueAt: seen[0]?.dueAt,
      reviewsForOthers: false,
    });
    expect(await countOf(boss)).toBe(0);
    expect(await worker.call('GET', '/api/tasks?cursor=nonsense')).toMatchObject({ status: 400 });
  });

  it('can be limited to the runs of one workflow', async () => {
    await start(owner, 'report', 'One of the workflow');
    await start(owner, 'open', 'Another one');
    for (const workflow of ['report', 'open']) {
      const found = await editor.get<Task[]>(`/api/tasks?workflow=${workflow}&limit=200`);
      const all = await editor.get<Task[]>('/api/tasks?limit=200');
      expect(found.map(({ runId }) => runId)).toEqual(
        all.filter(({ workflowKey }) => workflowKey === workflow).map(({ runId }) => runId),
      );
    }
    expect((await viewer.get<Task[]>('/api/tasks?workflow=report')).length).toBeGreaterThan(0);
    expect(await viewer.get<Task[]>('/api/tasks?workflow=filled')).toEqual([]);
    expect(await viewer.get<Task[]>('/api/tasks?workflow=nothing')).toEqual([]);
  });

  it('can be limited to those assigned to my address or to my role', async () => {
    await publish(owner, reviewer, 'both', [
      { id: 'mine', title: 'Mine', assignee: editor.user.email, next: [] },
      { id: 'ours', title: 'Ours', assignee: 'editor', next: [] },
    ]);
    const run = await start(owner, 'both');
    const limitedTo = async (who: string) =>
      (await editor.get<Task[]>(`/api/tasks?limit=200&for=${who}`))
        .filter(({ runId }) => runId === run.id)
        .map(({ title }) => title);
    expect(await limitedTo('me')).toEqual(['Mine']);
    expect(await limitedTo('role')).toEqual(['Ours']);
    expect((await editor.call('GET', '/api/tasks?for=others')).status).toBe(400);
  });
});

describe('what I have done', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let editor: Person;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']));
  });
  afterAll(() => server.stop());

  const doneBy = async (person: Person): Promise<string[]> =>
    (await person.get<DoneTask[]>('/api/tasks/done')).map(
      ({ did, title, run }) => `${did} ${title} ${run?.name ?? '-'}`,
    );

  it('contains my steps, approvals and reviews, each of them once, newest first', async () => {
    await publish(editor, reviewer, 'report', [
      { id: 'write', title: 'Write', assignee: 'editor', config: { requiresApproval: true }, next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: 'reviewer', config: { minimumApprovers: 1 } },
    ]);
    const run = await start(owner, 'report', 'A report');
    await complete(editor, run.id, 'write');
    await act(owner, run.id, 'write', 'approve');
    await act(reviewer, run.id, 'check', 'approve');
    expect(await doneBy(editor)).toEqual(['submitted Write A report']);
    expect(await doneBy(owner)).toEqual(['approved Write A report']);
    expect(await doneBy(reviewer)).toEqual(['approved Check A report', 'approved Title of report -']);
    expect(await reviewer.get('/api/tasks/done')).toMatchObject([
      { run: { id: run.id }, draft: null, workflowTitle: 'Title of report' },
      { run: null, draft: { key: 'report' } },
    ]);
  });

  it('is listed in pages, and separately for each organization', async () => {
    await publish(owner, reviewer, 'paged', [{ id: 'one', title: 'One' }]);
    for (const name of ['Run A', 'Run B', 'Run C'])
      await complete(owner, (await start(owner, 'paged', name)).id, 'one');
    const first = await owner.call<DoneTask[]>('GET', '/api/tasks/done?limit=2');
    expect(first.body.map(({ run }) => run?.name)).toEqual(['Run C', 'Run B']);
    const rest = await owner.get<DoneTask[]>(`/api/tasks/done?limit=1&cursor=${first.headers.get('x-next-cursor')}`);
    expect(rest.map(({ run }) => run?.name)).toEqual(['Run A']);
    expect((await owner.call('GET', '/api/tasks/done?cursor=x')).status).toBe(400);
    const elsewhere = await teamOf(server, []);
    await joinOrganization(server, owner, elsewhere.orgId, 'viewer');
    expect(await doneBy(owner)).toEqual([]);
  });
});
