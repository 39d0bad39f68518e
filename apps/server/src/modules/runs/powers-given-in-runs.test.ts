import type { Confirmation, Group, SentInvitation, Task } from '@stet/contract';
import type { OrgRole } from '@stet/domain/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../../db/migration-files.ts';
import { refused } from '../../testing/drafts.ts';
import { setGroupMembers } from '../../testing/groups.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, complete, letTimePass, runOf, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const DAY = 24 * 60 * 60 * 1000;
const payment = (assignee: string) => [
  { id: 'work', title: 'Work', next: ['check'] },
  {
    id: 'check',
    title: 'Check',
    type: 'approval',
    assignee,
    config: { separateFrom: true, onReject: 'work' },
    next: [],
  },
];
const finance = (by: Person, ...members: Person[]): Promise<Group> =>
  by.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members: members.map(({ user }) => user.id) });
const join = (by: Person, { id: groupId, members }: Group, ...joining: Person[]) =>
  by.call('PATCH', `/api/groups/${groupId}`, { members: [...members, ...joining.map(({ user }) => user.id)] });
const tasksOf = (person: Person) => person.get<Task[]>('/api/tasks?limit=200');

/** Starts a run in a team with two managers. In the tests, the admin usually does the work. */
const paying = async (assignee: string) => {
  const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
  const { owner, orgId, editor, reviewer } = team;
  const giveRole = (by: Person, who: Person, role: OrgRole) =>
    by.call('PATCH', `/api/organizations/${orgId}/users/${who.user.id}`, { role });
  const group = await finance(owner, reviewer);
  await publish(owner, reviewer, 'pay', payment(assignee));
  const { id } = await start(editor, 'pay');
  return { ...team, giveRole, group, id };
};

const cannotApprove = async (person: Person, id: string) => {
  for (const [action, body] of Object.entries({ approve: { comments: 'I can' }, skip: { reason: 'Go on' } }))
    expect(await act(person, id, 'check', action, body)).toMatchObject(refused(403, 'added_during_run'));
  expect((await runOf(person, id)).steps[1]).toMatchObject({
    abilities: { approve: false, reject: true, skip: false },
  });
  expect(await tasksOf(person)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
};

describe('a manager whom the person who did the work appointed during the run', () => {
  it('can reject but not approve, even after joining the group that the step names', async () => {
    const { admin, owner, viewer, reviewer, group, id, giveRole } = await paying('group:finance');
    expect((await giveRole(admin, viewer, 'admin')).status).toBe(200);
    expect((await join(viewer, group, viewer)).status).toBe(200);
    await complete(admin, id, 'work');
    await cannotApprove(viewer, id);
    // A member of the group can decide, so nobody can stand in.
    expect(await tasksOf(owner)).toEqual([]);
    const { run } = (await act(reviewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('can’t enable others to approve by adding them to the group or giving them the role', async () => {
    const { admin, viewer, editor, owner, reviewer, group, id, giveRole } = await paying('group:finance, reviewer');
    await giveRole(admin, viewer, 'admin');
    await join(viewer, group, editor);
    await giveRole(viewer, editor, 'reviewer');
    await complete(admin, id, 'work');
    await cannotApprove(editor, id);
    // Nobody else is named any more, so the owner can stand in, but the appointed manager can't.
    await giveRole(owner, reviewer, 'viewer');
    await setGroupMembers(owner, { groupId: group.id, members: [editor], second: admin });
    expect(await tasksOf(owner)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    await cannotApprove(viewer, id);
    expect((await act(viewer, id, 'check', 'reject', { comments: 'No' })).status).toBe(200);
  });

  it('can’t stand in for the people that a step names', async () => {
    const { admin, owner, viewer, group, id, giveRole } = await paying('group:finance');
    await giveRole(admin, viewer, 'admin');
    await complete(admin, id, 'work');
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    await setGroupMembers(owner, { groupId: group.id, members: [], second: admin });
    await cannotApprove(viewer, id);
    const { run } = (await act(owner, id, 'check', 'approve', { comments: 'Nobody is in the group' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });
});

describe('a manager appointed during the run by a manager who didn’t do the work', () => {
  it('can stand in, with a mark', async () => {
    const { admin, owner, viewer, group, id, giveRole } = await paying('group:finance');
    await complete(admin, id, 'work');
    await giveRole(owner, viewer, 'admin');
    await setGroupMembers(owner, { groupId: group.id, members: [], second: admin });
    const { run } = (await act(viewer, id, 'check', 'approve', { comments: 'Nobody is in the group' })).body;
    expect(run.steps[1]?.approvals?.votes).toMatchObject([
      { marks: ['role_during_run'], addedBy: owner.user.name, actsFor: 'too_few' },
    ]);
  });
});

const inTeam = (person: Person, orgId: string): Person => ({
  ...person,
  user: { ...person.user, currentOrgId: orgId },
});
const confirm = async (by: Person, who: Person) => {
  const waiting = (await by.get<Confirmation[]>('/api/confirmations')).find(
    ({ subjectId }) => subjectId === who.user.id,
  );
  return by.call('POST', `/api/confirmations/${waiting?.id}/confirm`);
};

describe('a power that came from the person who did the work', () => {
  it('counts with a mark once another manager has given the role again', async () => {
    const { admin, owner, viewer, id, giveRole } = await paying('reviewer');
    await complete(admin, id, 'work');
    await giveRole(admin, viewer, 'reviewer');
    await cannotApprove(viewer, id);
    expect((await act(viewer, id, 'check', 'approve')).body).toMatchObject({
      error: expect.stringMatching(/who had no part in that work gives you the role again, or confirms you/) as string,
    });
    await giveRole(owner, viewer, 'editor');
    await giveRole(owner, viewer, 'reviewer');
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(viewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
    expect(run.steps[1]?.approvals?.votes).toMatchObject([{ addedBy: admin.user.name }]);
  });

  it('doesn’t count if that person, or a manager whom they appointed during the run, gave it again', async () => {
    const { admin, owner, viewer, editor, id, giveRole } = await paying('reviewer');
    await giveRole(admin, viewer, 'admin');
    for (const by of [admin, viewer]) {
      await giveRole(by, editor, 'viewer');
      await giveRole(by, editor, 'reviewer');
    }
    await complete(admin, id, 'work');
    await cannotApprove(editor, id);
    // It doesn't help either that the owner changed the role of the manager who gave it.
    await giveRole(owner, viewer, 'editor');
    await cannotApprove(editor, id);
  });

  it.each(['reviewer', 'group:finance'])(
    'counts with a mark once another manager has confirmed the member (%s)',
    async (assignee) => {
      const { admin, owner, orgId, group, id } = await paying(assignee);
      const invited = await secondPersonBench(server).add(inTeam(admin, orgId), 'reviewer');
      await join(admin, group, invited);
      await complete(admin, id, 'work');
      expect((await act(invited, id, 'check', 'approve')).status).toBe(403);
      // The sentence names the group, because the confirmation also makes the membership count.
      const waiting = await owner.get<Confirmation[]>('/api/confirmations');
      const about = waiting.find(({ subjectId }) => subjectId === invited.user.id);
      expect(about?.sentence).toMatch(/made a reviewer\. They are in the group Finance\.$/);
      expect((await confirm(owner, invited)).status).toBe(200);
      expect(await tasksOf(invited)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
      const { run } = (await act(invited, id, 'check', 'approve')).body;
      expect(run.status).toBe('completed');
      expect(run.marks).toContain(assignee === 'reviewer' ? 'role_by_doer' : 'added_by_doer');
    },
  );

  it('doesn’t count if a manager whom that person appointed during the run confirmed the member', async () => {
    const { admin, viewer, orgId, id, giveRole } = await paying('reviewer');
    await giveRole(admin, viewer, 'admin');
    const invited = await secondPersonBench(server).add(inTeam(admin, orgId), 'reviewer');
    await complete(admin, id, 'work');
    await letTimePass(server, id, 8 * DAY);
    expect((await confirm(viewer, invited)).status).toBe(200);
    await cannotApprove(invited, id);
  });

  it('has no mark if the approver already had the role when the run started', async () => {
    const { admin, reviewer, id, giveRole } = await paying('reviewer');
    await complete(admin, id, 'work');
    await giveRole(admin, reviewer, 'editor');
    await giveRole(admin, reviewer, 'reviewer');
    expect(await tasksOf(reviewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(reviewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('doesn’t include a role given by another manager, even if that person made this manager an owner', async () => {
    const { admin, owner, viewer, id, giveRole } = await paying('reviewer');
    await giveRole(owner, admin, 'owner');
    await giveRole(admin, viewer, 'reviewer');
    await complete(owner, id, 'work');
    const { run } = (await act(viewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('lets a manager stand in with a mark if that person made them an owner', async () => {
    const { admin, owner, orgId, group, id, giveRole } = await paying('group:finance');
    const third = await server.signUp();
    await joinOrganization(server, third, orgId, 'admin');
    await giveRole(owner, admin, 'owner');
    await setGroupMembers(owner, { groupId: group.id, members: [], second: third });
    await complete(owner, id, 'work');
    expect(await tasksOf(admin)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(admin, id, 'check', 'approve', { comments: 'The group is empty' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });

  it('doesn’t count if that person worked through an account with an address like another manager’s', async () => {
    const { admin, owner, viewer, orgId, id, giveRole } = await paying('reviewer');
    const [name, domain] = owner.user.email.split('@');
    const email = `${name}+x@${domain}`;
    const lookalike = await secondPersonBench(server).add(inTeam(admin, orgId), 'editor', { email });
    await complete(lookalike, id, 'work');
    await giveRole(admin, viewer, 'reviewer');
    await cannotApprove(viewer, id);
    // The other manager can still give the role.
    await giveRole(owner, viewer, 'editor');
    await giveRole(owner, viewer, 'reviewer');
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(viewer, id, 'check', 'approve')).body;
    expect(run.status).toBe('completed');
    expect(run.marks).toContain('doer_not_proved');
  });

  it('lets a manager stand in under strict review although their membership in the group doesn’t count', async () => {
    const { admin, owner, orgId, group, id } = await paying('group:finance');
    await join(admin, group, owner);
    await setGroupMembers(admin, { groupId: group.id, members: [owner], second: owner });
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    await complete(admin, id, 'work');
    expect(await tasksOf(owner)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(owner, id, 'check', 'approve', { comments: 'Nobody else is in the group' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('doesn’t hide that the approver gave themselves the role that the step also names', async () => {
    const { admin, owner, orgId, group, id, giveRole } = await paying('group:finance, reviewer');
    await joinOrganization(server, await server.signUp(), orgId, 'admin');
    await join(owner, group, admin);
    await giveRole(admin, admin, 'reviewer');
    await complete(owner, id, 'work');
    expect(await tasksOf(admin)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
    expect(await act(admin, id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
  });
});

describe('a role that someone had when the run started, and that was taken away', () => {
  it('doesn’t count if the person who did the work gave it back, until another manager gives it again', async () => {
    const { admin, owner, reviewer, id, giveRole } = await paying('reviewer');
    await giveRole(owner, reviewer, 'viewer');
    await complete(admin, id, 'work');
    await giveRole(admin, reviewer, 'reviewer');
    await cannotApprove(reviewer, id);
    // It makes no difference that the person who did the work takes it away and gives it back once more.
    await giveRole(admin, reviewer, 'editor');
    await giveRole(admin, reviewer, 'reviewer');
    await cannotApprove(reviewer, id);
    await giveRole(owner, reviewer, 'viewer');
    await giveRole(owner, reviewer, 'reviewer');
    expect(await tasksOf(reviewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(reviewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
    expect(run.steps[1]?.approvals?.votes).toMatchObject([{ addedBy: admin.user.name }]);
  });

  it('doesn’t count if the person who did the work invited the removed member again', async () => {
    const { admin, owner, orgId, reviewer, id } = await paying('reviewer');
    const bench = secondPersonBench(server);
    expect((await bench.remove(inTeam(owner, orgId), reviewer)).status).toBe(200);
    const { email } = reviewer.user;
    const { link } = await admin.post<SentInvitation>(`/api/organizations/${orgId}/invitations`, {
      email,
      role: 'reviewer',
    });
    await (await bench.logIn(email)).post(`/api/invitations/${link.split('/').at(-1)}/join`);
    await complete(admin, id, 'work');
    await cannotApprove(await bench.logIn(email), id);
  });

  it('counts with a mark if nobody else could give it', async () => {
    const { admin, owner, orgId, reviewer, id, giveRole } = await paying('reviewer');
    await giveRole(owner, admin, 'owner');
    await giveRole(owner, reviewer, 'viewer');
    expect((await secondPersonBench(server).remove(inTeam(owner, orgId), owner)).status).toBe(200);
    await complete(admin, id, 'work');
    await letTimePass(server, id, 8 * DAY);
    await giveRole(admin, reviewer, 'reviewer');
    expect(await tasksOf(reviewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(reviewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });

  it.each([false, true])(
    'counts without a mark if a manager who didn’t do the work gave it back (strict: %s)',
    async (strict) => {
      const { admin, owner, orgId, reviewer, id, giveRole } = await paying('reviewer');
      await server.sql('update organizations set strict = $2 where id = $1', [orgId, strict]);
      await complete(admin, id, 'work');
      await giveRole(admin, reviewer, 'viewer');
      await giveRole(owner, reviewer, 'reviewer');
      expect(await tasksOf(reviewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
      const { run } = (await act(reviewer, id, 'check', 'approve')).body;
      expect(run).toMatchObject({ status: 'completed', marks: [] });
    },
  );

  it('makes its holder an appointee of the person who gave it back', async () => {
    const { admin, owner, orgId, reviewer, viewer, id, giveRole } = await paying('reviewer');
    const third = await server.signUp();
    await joinOrganization(server, third, orgId, 'admin');
    const run = await start(reviewer, 'pay');
    await giveRole(owner, third, 'viewer');
    await giveRole(admin, third, 'admin');
    await giveRole(third, viewer, 'reviewer');
    await complete(admin, run.id, 'work');
    const taskOf = async (person: Person) => (await tasksOf(person)).find(({ runId }) => runId === run.id);
    expect(await act(viewer, run.id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect(await taskOf(viewer)).toMatchObject({ onlyReject: true });
    // The third person wasn't a manager when the first run started. So in that run, both roles come from the admin.
    await complete(admin, id, 'work');
    expect(await act(viewer, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    await giveRole(owner, third, 'viewer');
    await giveRole(owner, third, 'admin');
    await giveRole(third, viewer, 'editor');
    await giveRole(third, viewer, 'reviewer');
    expect(await taskOf(viewer)).toMatchObject({ onlyReject: false });
    expect((await act(viewer, run.id, 'check', 'approve')).body.run.marks).toEqual(['role_by_appointee']);
  });
});

describe('a manager appointed during the run', () => {
  /** The owner makes the editor an admin and leaves. The only managers are then the editor and the doer of the work. */
  const appointed = async () => {
    const team = await paying('reviewer');
    const { admin, owner, orgId, editor, id, giveRole } = team;
    await giveRole(owner, admin, 'owner');
    await giveRole(owner, editor, 'admin');
    expect((await secondPersonBench(server).remove(inTeam(owner, orgId), owner)).status).toBe(200);
    await complete(admin, id, 'work');
    return team;
  };
  const invitedAgain = async ({ admin, editor, orgId }: Awaited<ReturnType<typeof appointed>>): Promise<Person> => {
    const bench = secondPersonBench(server);
    await bench.remove(inTeam(admin, orgId), editor);
    const { email } = editor.user;
    const { link } = await admin.post<SentInvitation>(`/api/organizations/${orgId}/invitations`, {
      email,
      role: 'admin',
    });
    await (await bench.logIn(email)).post(`/api/invitations/${link.split('/').at(-1)}/join`);
    return bench.logIn(email);
  };

  it.each(['changes their role', 'removes and invites them again'])(
    'is still another manager if the person who did the work %s, and can give the power again',
    async (how) => {
      const team = await appointed();
      const { admin, editor, viewer, id, giveRole } = team;
      if (how === 'changes their role') await giveRole(admin, editor, 'owner');
      const manager = how === 'changes their role' ? editor : await invitedAgain(team);
      await letTimePass(server, id, 8 * DAY);
      await giveRole(admin, viewer, 'reviewer');
      await cannotApprove(viewer, id);
      await giveRole(manager, viewer, 'viewer');
      await giveRole(manager, viewer, 'reviewer');
      expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
      const { run } = (await act(viewer, id, 'check', 'approve')).body;
      expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
    },
  );

  it('isn’t another manager if the person who did the work appointed and then promoted them', async () => {
    const { admin, owner, orgId, editor, viewer, id, giveRole } = await paying('reviewer');
    await giveRole(owner, admin, 'owner');
    expect((await secondPersonBench(server).remove(inTeam(owner, orgId), owner)).status).toBe(200);
    await giveRole(admin, editor, 'admin');
    await giveRole(admin, editor, 'owner');
    await complete(admin, id, 'work');
    await letTimePass(server, id, 8 * DAY);
    await giveRole(editor, viewer, 'reviewer');
    const { run } = (await act(viewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_appointee'] });
  });
});

describe('another manager whose account is disabled', () => {
  it('doesn’t count, so nobody is prevented from approving', async () => {
    const { admin, owner, viewer, id, giveRole } = await paying('reviewer');
    await complete(admin, id, 'work');
    await giveRole(admin, viewer, 'reviewer');
    await cannotApprove(viewer, id);
    await server.sql('update users set disabled_at = now() where id = $1', [owner.user.id]);
    expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(viewer, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });
});

describe('under strict review, a power from someone who is only possibly behind the work', () => {
  it.each(['reviewer', 'group:finance'])(
    'doesn’t count, and My tasks offers the step only for a rejection (%s)',
    async (assignee) => {
      const { admin, owner, viewer, orgId, reviewer, group, id, giveRole } = await paying(assignee);
      await server.sql('update organizations set strict = true where id = $1', [orgId]);
      const bench = secondPersonBench(server);
      const email = owner.user.email.replace('@', '+x@');
      const lookalike = await bench.add(inTeam(admin, orgId), 'editor', { email });
      // The viewer gets the power before the step becomes active. If they got it later, it wouldn't count anyway.
      if (assignee === 'reviewer') await giveRole(owner, viewer, 'reviewer');
      else await join(owner, group, viewer);
      await complete(lookalike, id, 'work');
      await bench.prove(lookalike);
      expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
      await cannotApprove(viewer, id);
      // The owner had also added the reviewer to the group, so their membership doesn't count either.
      const canReview = assignee === 'reviewer';
      expect(await tasksOf(reviewer)).toMatchObject([{ stepId: 'check', onlyReject: !canReview }]);
      expect((await act(reviewer, id, 'check', 'approve')).status).toBe(canReview ? 200 : 403);
    },
  );
});

it('a migration adds who may be behind the work to tasks that were stored without it', async () => {
  const { admin, owner, viewer, orgId, id, giveRole } = await paying('reviewer');
  await server.sql('update organizations set strict = true where id = $1', [orgId]);
  const bench = secondPersonBench(server);
  await giveRole(owner, viewer, 'reviewer');
  const email = owner.user.email.replace('@', '+x@');
  const lookalike = await bench.add(inTeam(admin, orgId), 'editor', { email });
  await complete(lookalike, id, 'work');
  await bench.prove(lookalike);
  const stored = () => server.sql('select who, uncertain_doer_ids from run_tasks where run_id = $1 order by who', [id]);
  const before = await stored();
  await server.sql(`update run_tasks set uncertain_doer_ids = '{}' where run_id = $1`, [id]);
  expect(await tasksOf(viewer)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
  const migration = readMigrations(MIGRATIONS_DIRECTORY).find(({ name }) =>
    name.includes('uncertain_doers_of_earlier'),
  );
  await server.sql(migration?.sql ?? '');
  expect(await stored()).toEqual(before);
  await cannotApprove(viewer, id);
});

describe('a manager who joins the group during the run', () => {
  it('approves with a mark even if the step wasn’t active yet', async () => {
    const { admin, editor, group, id } = await paying('group:finance');
    await join(admin, group, admin);
    await complete(editor, id, 'work');
    const { run } = (await act(admin, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['added_during_run'] });
    expect(run.steps[1]?.approvals?.votes).toMatchObject([{ addedBy: admin.user.name }]);
  });

  it('doesn’t count under strict review', async () => {
    const { admin, orgId, editor, group, id } = await paying('group:finance');
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    await join(admin, group, admin);
    await complete(editor, id, 'work');
    expect(await act(admin, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect(await tasksOf(admin)).toMatchObject([{ stepId: 'check', onlyReject: true }]);
  });
});

describe('a lone owner who did the work', () => {
  const lone = async (assignee: string, { strict = false } = {}) => {
    const owner = await server.signUp({ team: 'Small' });
    const orgId = owner.user.currentOrgId ?? '';
    await server.sql('update organizations set required_approvals = 0 where id = $1', [orgId]);
    const group = await finance(owner);
    const path = '/api/workflows/pay/drafts';
    const { draftId } = await owner.post<{ draftId: string }>(path, {
      metadata: { title: 'Pay' },
      steps: payment(assignee),
    });
    await owner.post(`${path}/${draftId}/submit`);
    await owner.post(`${path}/${draftId}/merge`);
    await server.sql('update organizations set strict = $2 where id = $1', [orgId, strict]);
    const { id } = await start(owner, 'pay');
    await complete(owner, id, 'work');
    return { owner, orgId, group, id };
  };

  it.each(['reviewer', 'group:finance'])('can get it approved by someone they invite (%s)', async (assignee) => {
    const { owner, group, id } = await lone(assignee);
    const invited = await secondPersonBench(server).add(owner, 'reviewer', { mailed: true });
    await join(owner, group, invited);
    expect(await tasksOf(invited)).toMatchObject([{ stepId: 'check', onlyReject: false }]);
    const { run } = (await act(invited, id, 'check', 'approve')).body;
    const mark = assignee === 'reviewer' ? 'role_by_doer' : 'added_by_doer';
    expect(run).toMatchObject({ status: 'completed', marks: [mark] });
    expect(run.steps[1]?.approvals?.votes).toMatchObject([{ addedBy: owner.user.name }]);
  });

  it('can get it approved by a manager they invite, who stands in', async () => {
    const { owner, id } = await lone('group:finance');
    const invited = await secondPersonBench(server).add(owner, 'admin', { mailed: true });
    const { run } = (await act(invited, id, 'check', 'approve', { comments: 'The group is empty' })).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });

  it('can’t get it approved under strict review by someone they invite', async () => {
    const { owner, id } = await lone('reviewer', { strict: true });
    const invited = await secondPersonBench(server).add(owner, 'reviewer', { mailed: true });
    expect((await act(invited, id, 'check', 'approve')).status).toBe(403);
  });

  it('doesn’t count as a lone owner until 7 days after they removed the other manager', async () => {
    const { admin, owner, id } = await paying('reviewer');
    await complete(owner, id, 'work');
    const bench = secondPersonBench(server);
    expect((await bench.remove(owner, admin)).status).toBe(200);
    const invited = await bench.add(owner, 'reviewer', { mailed: true });
    await cannotApprove(invited, id);
    await letTimePass(server, id, 6 * DAY);
    await cannotApprove(invited, id);
    await letTimePass(server, id, 2 * DAY);
    const { run } = (await act(invited, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });

  it('counts as a lone owner if the only other manager lost the role long before getting it back', async () => {
    const { owner, orgId, id } = await lone('reviewer');
    const bench = secondPersonBench(server);
    const former = await bench.add(owner, 'viewer', { mailed: true });
    await server.sql(
      `insert into role_history (org_id, user_id, role, since, until)
       values ($1, $2, 'admin', now() - interval '400 days', now() - interval '300 days')`,
      [orgId, former.user.id],
    );
    await bench.setRole(owner, former, 'admin');
    const invited = await bench.add(owner, 'reviewer', { mailed: true });
    const { run } = (await act(invited, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['role_by_doer'] });
  });

  it('doesn’t count as a lone owner after they took the other manager’s role away and gave it back', async () => {
    const { admin, owner, viewer, id, giveRole } = await paying('reviewer');
    await complete(owner, id, 'work');
    await giveRole(owner, admin, 'viewer');
    await giveRole(owner, admin, 'admin');
    await letTimePass(server, id, 8 * DAY);
    await giveRole(owner, viewer, 'reviewer');
    await cannotApprove(viewer, id);
  });
});
