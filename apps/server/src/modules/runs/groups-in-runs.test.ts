import type { Group, Task } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solidText } from '../../adapters/pdf/pdf-text.fixture.ts';
import { refused } from '../../testing/drafts.ts';
import { setGroupMembers } from '../../testing/groups.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const finance = (by: Person, ...members: Person[]): Promise<Group> =>
  by.post<Group>('/api/groups', {
    name: 'Finance',
    slug: 'finance',
    members: members.map(({ user }) => user.id),
  });
/** Replaces the members. If this removes some, a second manager confirms it. */
const setMembers = (by: Person | readonly [Person, Person], { id }: Group, ...members: Person[]): Promise<unknown> => {
  const [manager, second] = 'user' in by ? [by] : by;
  return setGroupMembers(manager, { groupId: id, members, second });
};

/** A work step, and an approval by the assignee with separation of duties from the work. */
const payment = (assignee: string, config: object = {}) => [
  { id: 'work', title: 'Work', next: ['check'] },
  { id: 'check', title: 'Check', type: 'approval', assignee, config: { separateFrom: true, ...config }, next: [] },
];
const tasksOf = (person: Person, query = '') => person.get<Task[]>(`/api/tasks?limit=200${query}`);
const hasTask = async (person: Person, runId: string) => (await tasksOf(person)).some((task) => task.runId === runId);
const stepOf = async (person: Person, runId: string, stepId: string) =>
  (await runOf(person, runId)).steps.find(({ id }) => id === stepId);
const titlesOf = async (person: Person, kind: string) =>
  (await person.get<{ kind: string; title: string }[]>('/api/notifications')).filter((each) => each.kind === kind);

describe('a step that names a group', () => {
  it('is a task of its members, who are notified and can decide it', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    await finance(owner, viewer);
    await publish(owner, reviewer, 'pay', payment('Group:finance'));
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    expect(await titlesOf(viewer, 'step_assigned')).toMatchObject([{ title: 'Check' }]);
    expect(await titlesOf(reviewer, 'step_assigned')).toEqual([]);
    expect((await tasksOf(viewer, '&for=role')).map(({ stepId, waitsFor }) => [stepId, waitsFor])).toEqual([
      ['check', 'group'],
    ]);
    expect(await tasksOf(viewer, '&for=me')).toEqual([]);
    for (const other of [admin, reviewer]) {
      expect(await hasTask(other, id)).toBe(false);
      expect(await act(other, id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    }
    expect(await stepOf(viewer, id, 'check')).toMatchObject({
      assignedTo: 'group:finance',
      abilities: { approve: true },
    });
    expect((await act(viewer, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('is found by the filter `with` of the list of runs, which shows whom it waits for', async () => {
    const { owner, reviewer, viewer } = await teamOf(server, ['reviewer', 'viewer']);
    await finance(owner, viewer);
    await publish(owner, reviewer, 'pay', [{ id: 'a', title: 'A', assignee: 'group:finance, starter' }]);
    const { id } = await start(owner, 'pay');
    const found = await owner.get<{ id: string; currentSteps: object[] }[]>('/api/runs?with=group:finance');
    expect(found).toMatchObject([{ id, currentSteps: [{ waitsFor: ['group:finance', 'starter'] }] }]);
  });

  it.each(['owner', 'admin'] as const)(
    'can be decided by an %s while the group is empty, as if everyone had left',
    async (role) => {
      const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
      const { [role]: manager, owner, admin, editor, reviewer, viewer } = team;
      const group = await finance(owner, viewer);
      await publish(owner, reviewer, 'pay', payment('group:finance'));
      const { id } = await start(editor, 'pay');
      await complete(editor, id, 'work');
      const comments = 'Nobody is left';
      expect(await hasTask(manager, id)).toBe(false);
      expect(await act(manager, id, 'check', 'approve', { comments })).toMatchObject(refused(403, 'not_assigned'));
      await setMembers([owner, admin], group);
      for (const other of [viewer, reviewer]) {
        expect(await hasTask(other, id)).toBe(false);
        expect(await act(other, id, 'check', 'approve', { comments })).toMatchObject(refused(403, 'not_assigned'));
      }
      expect(await hasTask(manager, id)).toBe(true);
      // Another member is added, so there are enough people again.
      await setMembers(owner, group, reviewer);
      expect(await hasTask(manager, id)).toBe(false);
      expect(await act(manager, id, 'check', 'approve', { comments })).toMatchObject(refused(403, 'not_assigned'));
      await setMembers([owner, admin], group);
      const decided = await act(manager, id, 'check', 'approve', { comments });
      expect(decided.body.run.steps[1]).toMatchObject({ approvals: { votes: [{ actsFor: 'too_few' }] } });
    },
  );

  it('is decided without a mark by the third member of the group if one did the work and one has left', async () => {
    const { owner, orgId, editor, reviewer, viewer } = await teamOf(server, ['editor', 'reviewer', 'viewer']);
    await finance(owner, editor, reviewer, viewer);
    await publish(owner, reviewer, 'pay', payment('group:finance'));
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${reviewer.user.id}`);
    // The person who did the work is in the group too, but can't approve it because of separation of duties.
    expect(await act(editor, id, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect((await act(viewer, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('counts a person in the group only once, even if it also names them in other ways', async () => {
    const { owner, reviewer, viewer, editor } = await teamOf(server, ['reviewer', 'viewer', 'editor']);
    await finance(owner, viewer, reviewer);
    const assignee = `group:finance, reviewer, ${viewer.user.email}`;
    await publish(owner, reviewer, 'pay', payment(assignee, { minimumApprovers: 2 }));
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    expect(await hasTask(owner, id)).toBe(false);
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', waitsFor: 'me' }]);
    expect((await act(viewer, id, 'check', 'approve')).status).toBe(200);
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect((await act(reviewer, id, 'check', 'approve')).body.run.status).toBe('completed');
  });
});

describe('the starter of a run', () => {
  it('has the steps that name the starter as tasks, and others can’t decide them', async () => {
    const { owner, admin, reviewer, editor, viewer } = await teamOf(server, ['admin', 'reviewer', 'editor', 'viewer']);
    await publish(owner, reviewer, 'ask', [{ id: 'ask', title: 'Ask', assignee: 'Starter', type: 'approval' }]);
    const { id } = await start(editor, 'ask');
    expect(await tasksOf(editor, '&for=me')).toMatchObject([{ runId: id, waitsFor: 'me' }]);
    expect(await titlesOf(editor, 'step_assigned')).toHaveLength(1);
    for (const other of [owner, admin, reviewer, viewer]) {
      expect(await hasTask(other, id)).toBe(false);
      for (const action of ['approve', 'reject'] as const)
        expect(await act(other, id, 'ask', action, { comments: 'Mine' })).toMatchObject(refused(403, 'not_assigned'));
    }
    expect((await act(editor, id, 'ask', 'approve')).body.run.status).toBe('completed');
  });
});

describe('someone who is given the role named by a step during the run', () => {
  const roleOf = (by: Person, orgId: string, who: Person, role: string) =>
    by.call('PATCH', `/api/organizations/${orgId}/users/${who.user.id}`, { role });
  const paying = async (assignee: string, config: object = {}) => {
    const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    await publish(team.owner, team.reviewer, 'pay', payment(assignee, config));
    const { id } = await start(team.editor, 'pay');
    return { ...team, id };
  };

  it('approves with a mark that names the giver in the run, its history, the trail and the PDF', async () => {
    const { owner, admin, orgId, editor, reviewer, viewer, id } = await paying('reviewer', { minimumApprovers: 2 });
    await complete(editor, id, 'work');
    expect((await roleOf(admin, orgId, viewer, 'reviewer')).status).toBe(200);
    expect((await act(reviewer, id, 'check', 'approve')).status).toBe(200);
    const { body } = await act(viewer, id, 'check', 'approve');
    expect(body.run).toMatchObject({ status: 'completed', marks: ['role_during_run'] });
    expect(body.run.steps[1]?.approvals?.votes).toMatchObject([
      { marks: [], addedBy: null },
      { marks: ['role_during_run'], addedBy: admin.user.name },
    ]);
    expect(JSON.stringify((await runOf(owner, id)).history)).toContain(`"addedBy":"${admin.user.name}"`);
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where run_id = $1 and action = 'step.approved' order by seq desc limit 1`,
      [id],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      data: { marks: ['role_during_run'], addedBy: admin.user.name },
    });
    const pdf = await fetch(`${server.server.url}/api/audit/export.pdf?runId=${id}&locale=en-GB&timeZone=UTC`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(await solidText(Buffer.from(await pdf.arrayBuffer()))).toContain(
      `giventheroleduringthisrunby${admin.user.name.replaceAll(' ', '')}`,
    );
  });

  it('can only reject if the giver did the work, even if the step became active later', async () => {
    const { owner, admin, orgId, reviewer, editor, viewer, id } = await paying('reviewer', { onReject: 'work' });
    await roleOf(admin, orgId, viewer, 'reviewer');
    await complete(admin, id, 'work');
    for (const [action, body] of Object.entries({ approve: {}, complete: {}, skip: { reason: 'Go on' } }))
      expect(await act(viewer, id, 'check', action, body)).toMatchObject(refused(403, 'added_during_run'));
    expect(await stepOf(viewer, id, 'check')).toMatchObject({
      abilities: { approve: false, reject: true, skip: false },
      because: { code: 'added_during_run' },
    });
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
    // Another reviewer can decide, so the owner can't stand in until that reviewer has lost the role.
    expect(await hasTask(owner, id)).toBe(false);
    await roleOf(owner, orgId, reviewer, 'viewer');
    expect(await hasTask(owner, id)).toBe(true);
    expect((await act(viewer, id, 'check', 'reject', { comments: 'Again' })).status).toBe(200);
    // Someone else has done the work now, so the approval counts. It has no mark, because the role was given before the
    // step first became active.
    await complete(editor, id, 'work');
    expect((await act(viewer, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('needs no mark if the role was given before the run or the step also names them otherwise', async () => {
    const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const { owner, admin, orgId, editor, reviewer, viewer } = team;
    await publish(owner, reviewer, 'pay', payment(`reviewer, ${viewer.user.email}`));
    await roleOf(admin, orgId, editor, 'reviewer');
    const early = await start(owner, 'pay');
    await complete(admin, early.id, 'work');
    expect((await act(editor, early.id, 'check', 'approve')).body.run).toMatchObject({ marks: [] });
    const named = await start(owner, 'pay');
    await roleOf(admin, orgId, viewer, 'reviewer');
    await complete(admin, named.id, 'work');
    expect((await act(viewer, named.id, 'check', 'approve')).body.run).toMatchObject({ marks: [] });
  });

  it('can’t approve under strict review, so others can stand in if needed', async () => {
    const { owner, admin, orgId, editor, reviewer, viewer, id } = await paying('reviewer');
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    await complete(editor, id, 'work');
    await roleOf(admin, orgId, viewer, 'reviewer');
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect(await hasTask(owner, id)).toBe(false);
    await roleOf(owner, orgId, reviewer, 'viewer');
    expect(await hasTask(owner, id)).toBe(true);
    const stoodIn = await act(owner, id, 'check', 'approve', { comments: 'Nobody else' });
    expect(stoodIn.body.run).toMatchObject({ status: 'completed' });
  });
});

describe('a stand-in who was given the named role by the person who did the work', () => {
  it('can only reject if someone else had the role recently, but later can approve with a mark, except under strict review', async () => {
    const { owner, admin, reviewer, viewer, orgId } = await teamOf(server, ['admin', 'reviewer', 'viewer']);
    await publish(owner, reviewer, 'pay', payment('admin'));
    const [loose, strict, rejected] = [await start(owner, 'pay'), await start(owner, 'pay'), await start(owner, 'pay')];
    for (const { id } of [loose, strict, rejected]) await complete(owner, id, 'work');
    const roleOf = (who: Person, role: string) =>
      owner.call('PATCH', `/api/organizations/${orgId}/users/${who.user.id}`, { role });
    expect((await roleOf(viewer, 'admin')).status).toBe(200);
    expect((await roleOf(admin, 'viewer')).status).toBe(200);
    const comments = 'Nobody else is left';
    expect(await act(viewer, loose.id, 'check', 'approve', { comments })).toMatchObject(
      refused(403, 'added_during_run'),
    );
    expect((await act(viewer, rejected.id, 'check', 'reject', { comments })).body.run.status).toBe('failed');
    await server.sql(`update role_history set until = until - interval '8 days' where org_id = $1`, [orgId]);
    const decided = await act(viewer, loose.id, 'check', 'approve', { comments });
    expect(decided.body.run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    const refusal = await act(viewer, strict.id, 'check', 'approve', { comments });
    expect(refusal).toMatchObject(refused(403, 'added_during_run'));
  });
});

describe('someone who is added to the group during the run', () => {
  it('approves with a mark that names who added them', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const group = await finance(owner, reviewer);
    await publish(owner, reviewer, 'pay', payment('group:finance', { minimumApprovers: 2 }));
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    await setMembers(admin, group, reviewer, viewer);
    expect((await act(reviewer, id, 'check', 'approve')).status).toBe(200);
    const { body } = await act(viewer, id, 'check', 'approve');
    expect(body.run).toMatchObject({ status: 'completed', marks: ['added_during_run'] });
    expect(body.run.steps[1]?.approvals?.votes).toMatchObject([
      { marks: [], addedBy: null },
      { marks: ['added_during_run'], addedBy: admin.user.name },
    ]);
    const history = JSON.stringify((await runOf(owner, id)).history);
    expect(history).toContain(`"addedBy":"${admin.user.name}"`);
  });

  it('can only reject if the person who added them did the separated work', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const group = await finance(owner, reviewer);
    await publish(owner, reviewer, 'pay', payment('group:finance', { onReject: 'work' }));
    const { id } = await start(editor, 'pay');
    await complete(admin, id, 'work');
    await setMembers([admin, owner], group, viewer);
    for (const [action, body] of Object.entries({ approve: {}, complete: {}, skip: { reason: 'Go on' } }))
      expect(await act(viewer, id, 'check', action, body)).toMatchObject(refused(403, 'added_during_run'));
    expect(await stepOf(viewer, id, 'check')).toMatchObject({
      abilities: { approve: false, reject: true, skip: false },
      because: { code: 'added_during_run' },
    });
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
    // Nobody in the group can approve now. Someone who didn't do the work stands in, with a reason.
    expect(await act(admin, id, 'check', 'approve', { comments: 'Me' })).toMatchObject(refused(403, 'separate_from'));
    expect(await hasTask(owner, id)).toBe(true);
    // They still can't approve after a rejection, because they joined the group after the step first became active.
    expect((await act(viewer, id, 'check', 'reject', { comments: 'Again' })).status).toBe(200);
    await complete(admin, id, 'work');
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    // The new work was done by someone other than the person who added them, so the approval counts, with a mark.
    expect((await act(viewer, id, 'check', 'reject', { comments: 'Again' })).status).toBe(200);
    await complete(editor, id, 'work');
    expect((await act(viewer, id, 'check', 'approve')).body.run).toMatchObject({
      status: 'completed',
      marks: ['added_during_run'],
    });
  });

  it('can’t approve either if another account of the doer’s mailbox added them', async () => {
    const { owner, admin, orgId, editor, reviewer, viewer } = await teamOf(server, [
      'admin',
      'editor',
      'reviewer',
      'viewer',
    ]);
    const group = await finance(owner, reviewer);
    await publish(owner, reviewer, 'pay', payment('group:finance'));
    const { id } = await start(editor, 'pay');
    await complete(admin, id, 'work');
    const twin = await server.signUp();
    const address = admin.user.email.replace('@', '+twin@');
    await server.sql('update users set email = $2 where id = $1', [twin.user.id, address]);
    await joinOrganization(server, twin, orgId, 'admin');
    await setMembers(twin, group, reviewer, viewer, twin);
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    // The twin account belongs to the person who did the work.
    expect((await act(twin, id, 'check', 'approve')).status).toBe(403);
    expect((await act(reviewer, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('can only reject if the person who later does the work added them during the run', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const group = await finance(owner, reviewer);
    await publish(owner, reviewer, 'pay', payment('group:finance', { onReject: 'work' }));
    const { id } = await start(editor, 'pay');
    await setMembers(admin, group, reviewer, viewer);
    await complete(admin, id, 'work');
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
    // Without the reviewer, nobody in the group can approve, so the owner can decide.
    expect(await hasTask(owner, id)).toBe(false);
    await setMembers([admin, owner], group, viewer);
    expect(await hasTask(owner, id)).toBe(true);
    // If another manager adds them again, that manager is responsible for the membership, and they can approve.
    await setMembers([owner, admin], group);
    await setMembers(owner, group, viewer);
    expect((await act(viewer, id, 'check', 'approve')).body.run.marks).toEqual(['added_during_run']);
  });

  it('needs no mark if another person added them before the step became active, or if the step also names their role', async () => {
    const { owner, admin, editor, reviewer, viewer } = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
    const group = await finance(owner, reviewer);
    await publish(owner, reviewer, 'pay', payment('group:finance'));
    await publish(owner, reviewer, 'role', payment('group:finance, viewer'));
    const [early, role] = [await start(editor, 'pay'), await start(editor, 'role')];
    await complete(admin, role.id, 'work');
    await setMembers(admin, group, reviewer, viewer);
    await complete(editor, early.id, 'work');
    for (const { id } of [early, role])
      expect((await act(viewer, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('can’t approve under strict review', async () => {
    const { owner, admin, editor, reviewer, viewer, orgId } = await teamOf(server, [
      'admin',
      'editor',
      'reviewer',
      'viewer',
    ]);
    const group = await finance(owner);
    await publish(owner, reviewer, 'pay', payment('group:finance'));
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    const { id } = await start(editor, 'pay');
    await complete(editor, id, 'work');
    await setMembers(owner, group, viewer);
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect((await act(admin, id, 'check', 'approve', { comments: 'Nobody counts' })).body.run.status).toBe('completed');
  });
});

describe('someone who was added to the group before the run by the person who does the work', () => {
  it('approves with a mark that names that person, and can’t approve under strict review', async () => {
    const { owner, admin, editor, reviewer, viewer, orgId } = await teamOf(server, [
      'admin',
      'editor',
      'reviewer',
      'viewer',
    ]);
    await finance(admin, reviewer, viewer);
    await publish(owner, reviewer, 'pay', payment('group:finance', { minimumApprovers: 2 }));
    await publish(owner, reviewer, 'one', payment('group:finance'));
    const [loose, strict] = [await start(editor, 'pay'), await start(editor, 'pay')];
    await complete(admin, loose.id, 'work');
    expect((await act(reviewer, loose.id, 'check', 'approve')).status).toBe(200);
    const { run } = (await act(viewer, loose.id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['added_by_doer'] });
    expect(run.steps[1]?.approvals?.votes[1]).toMatchObject({ marks: ['added_by_doer'], addedBy: admin.user.name });
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    await complete(admin, strict.id, 'work');
    expect(await act(viewer, strict.id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect(await hasTask(owner, strict.id)).toBe(true);
    // The mark depends on who does the work, and not on who starts the run.
    await server.sql('update organizations set strict = false where id = $1', [orgId]);
    const other = await start(admin, 'one');
    await complete(editor, other.id, 'work');
    expect((await act(viewer, other.id, 'check', 'approve')).body.run).toMatchObject({
      status: 'completed',
      marks: [],
    });
  });
});

describe('content that names a group', () => {
  const body = (assignee: string) => ({ metadata: { title: 'Pay' }, steps: [{ id: 'a', title: 'Pay', assignee }] });
  const unknown = {
    status: 400,
    body: {
      code: 'invalid_workflow',
      details: [{ stepId: 'a', field: 'assignee', problem: expect.stringContaining('group:legal') as string }],
    },
  };

  it('is refused if there is no such group, and the refusal names the step and the field', async () => {
    const { owner, orgId } = await teamOf(server, []);
    const other = await teamOf(server, []);
    await other.owner.post('/api/groups', { name: 'Legal', slug: 'legal' });
    await finance(owner);
    const path = '/api/workflows/pay/drafts';
    expect(await owner.call('POST', path, body('group:finance, group:legal'))).toMatchObject(unknown);
    const { draftId } = await owner.post<{ draftId: string }>(path, body('group:finance, sam@example.com'));
    const save = (assignee: string, revision: number) =>
      owner.call('PATCH', `${path}/${draftId}`, body(assignee), { 'if-match': `"${revision}"` });
    expect(await save('Group:Legal', 1)).toMatchObject(unknown);
    // If the group of existing content was deleted, the content can be edited, but not submitted.
    await owner.post('/api/groups', { name: 'Legal', slug: 'legal' });
    expect((await save('group:legal', 1)).status).toBe(200);
    await server.sql(`delete from groups where org_id = $1 and slug = 'legal'`, [orgId]);
    expect((await save('group:legal, starter', 2)).status).toBe(200);
    expect(await owner.call('POST', `${path}/${draftId}/submit`)).toMatchObject(unknown);
    expect((await save('group:finance', 3)).status).toBe(200);
    expect((await owner.call('POST', `${path}/${draftId}/submit`)).status).toBe(200);
  });

  it('can’t be approved, merged or made live by a rollback after the group was deleted', async () => {
    const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
    const group = await owner.post<Group>('/api/groups', { name: 'Legal', slug: 'legal' });
    await publish(editor, reviewer, 'pay', payment('group:legal'));
    await publish(editor, reviewer, 'pay', payment('reviewer'));
    expect((await owner.call('DELETE', `/api/groups/${group.id}`)).status).toBe(200);
    const path = '/api/workflows/pay';
    const { draftId } = await editor.post<{ draftId: string }>(`${path}/versions/1/restore`);
    const refusal = {
      status: 400,
      body: { code: 'invalid_workflow', details: [{ stepId: 'check', field: 'assignee' }] },
    };
    expect(await reviewer.call('POST', `${path}/drafts/${draftId}/approve`)).toMatchObject(refusal);
    const urgent = { emergency: true, reason: 'Now' };
    expect(await owner.call('POST', `${path}/versions/1/rollback`, urgent)).toMatchObject(refusal);
    await server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
    expect(await reviewer.call('POST', `${path}/drafts/${draftId}/merge`)).toMatchObject(refusal);
    await owner.post<Group>('/api/groups', { name: 'Legal', slug: 'legal' });
    expect((await reviewer.call('POST', `${path}/drafts/${draftId}/merge`)).status).toBe(200);
  });

  it.each([
    ['white space that only browsers know', (slug: string) => `sam@example.com,\u00a0group:${slug}\u3000,starter`],
    [
      'a sign that becomes a letter of the slug in lower case',
      (slug: string) => `GROUP:${slug.replace('k', '\u212a')}`,
    ],
  ])('prevents the deletion of the group, even if the group is written with %s', async (_, assignee) => {
    const { owner } = await teamOf(server, []);
    const group = await owner.post<Group>('/api/groups', { name: 'Bank', slug: 'bank' });
    await owner.post('/api/workflows/pay/drafts', body(assignee('bank')));
    expect(await owner.call('DELETE', `/api/groups/${group.id}`)).toMatchObject(refused(409, 'group_in_use'));
  });

  it('can’t be saved while the group is deleted at the same time: exactly one of the two succeeds', async () => {
    const { owner, admin } = await teamOf(server, ['admin']);
    for (let n = 0; n < 5; n += 1) {
      const slug = `race-${n}`;
      const { id } = await owner.post<Group>('/api/groups', { name: 'Race', slug });
      const [saved, deleted] = await Promise.all([
        owner.call('POST', `/api/workflows/${slug}/drafts`, body(`group:${slug}`)),
        admin.call('DELETE', `/api/groups/${id}`),
      ]);
      expect([saved.status < 300, deleted.status < 300].filter(Boolean)).toHaveLength(1);
    }
  });
});
