import type { Group, HistoryEntry, Task } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solidText } from '../../adapters/pdf/pdf-text.fixture.ts';
import { changeBefore } from '../../testing/delayed-change.ts';
import { refused } from '../../testing/drafts.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const groupOf = (by: Person, slug: string, ...members: Person[]): Promise<Group> =>
  by.post<Group>('/api/groups', { name: slug.toUpperCase(), slug, members: members.map(({ user }) => user.id) });
const hasTask = async (person: Person, runId: string) =>
  (await person.get<Task[]>('/api/tasks?limit=200')).some((task) => task.runId === runId);
const stepOf = async (person: Person, runId: string, stepId: string) =>
  (await runOf(person, runId)).steps.find(({ id }) => id === stepId);
const handOver = (by: Person, runId: string, stepId: string, to: string, reason: string = 'I am ill') =>
  act(by, runId, stepId, 'hand-over', { to, reason });
const titlesOf = async (person: Person, kind: string) =>
  (await person.get<{ kind: string; title: string }[]>('/api/notifications')).filter((each) => each.kind === kind);
const historyOf = async (person: Person, runId: string): Promise<HistoryEntry[]> =>
  (await runOf(person, runId)).history;
const eventsOf = (person: Person, runId: string) =>
  person.get<{ action: string; data: object }[]>(`/api/audit/events?subject=run&subjectId=${runId}`);
const remove = (by: Person, orgId: string, person: Person) =>
  by.call('DELETE', `/api/organizations/${orgId}/users/${person.user.id}`);

const WORK = [{ id: 'work', title: 'Work', assignee: 'group:finance', sla: '4h', next: [] }];

/** A team with an owner, an admin, an editor, a reviewer and three viewers. */
async function teamWithViewers() {
  const team = await teamOf(server, ['admin', 'editor', 'reviewer']);
  const viewers: Person[] = [];
  for (const name of ['Ann', 'Ben', 'Cem']) {
    const viewer = await server.signUp({ name });
    await joinOrganization(server, viewer, team.orgId, 'viewer');
    viewers.push(viewer);
  }
  const [ann, ben, cem] = viewers as [Person, Person, Person];
  return { ...team, ann, ben, cem };
}

/** A run whose only step is done by a group of two viewers. */
async function financeRun() {
  const team = await teamWithViewers();
  const { owner, reviewer, ann, ben } = team;
  await groupOf(owner, 'finance', ann, ben);
  await publish(owner, reviewer, 'pay', WORK);
  const { id } = await start(owner, 'pay');
  return { ...team, id };
}

describe('a manual step that is claimed or handed over', () => {
  it('waits only for the person who claimed it, until they release it', async () => {
    const { owner, ann, ben, id } = await financeRun();
    const before = await stepOf(ann, id, 'work');
    expect(before).toMatchObject({ abilities: { claim: true, release: false, handOver: true }, claimed: null });
    expect((await act(ann, id, 'work', 'claim')).body.message).toBe('Claimed');
    expect(await hasTask(ann, id)).toBe(true);
    expect(await hasTask(ben, id)).toBe(false);
    expect(await complete(ben, id, 'work')).toMatchObject(refused(403, 'not_assigned'));
    expect(await act(ben, id, 'work', 'claim')).toMatchObject(refused(409, 'already_claimed'));
    expect(await act(ben, id, 'work', 'release')).toMatchObject(refused(403, 'cannot_hand_over'));
    const claimed = await stepOf(ann, id, 'work');
    expect(claimed).toMatchObject({
      assignee: ann.user.email,
      claimed: { by: { id: ann.user.id } },
      dueAt: before?.dueAt,
      abilities: { complete: true, claim: false, release: true },
    });
    const [listed] = await owner.get<object[]>('/api/runs');
    expect(listed).toMatchObject({ currentSteps: [{ waitsFor: [ann.user.email] }] });
    expect((await act(ann, id, 'work', 'release')).status).toBe(200);
    expect(await hasTask(ben, id)).toBe(true);
    expect((await historyOf(ben, id)).map(({ action }) => action)).toEqual([
      'run_started',
      'activated',
      'claimed',
      'released',
    ]);
  });

  it('can’t be released with a read-only token', async () => {
    const { ann, id } = await financeRun();
    await act(ann, id, 'work', 'claim');
    const ask = { name: 'Reader', scopes: ['workflow.read'], expiresInDays: 1 };
    const { secret } = await ann.post<{ secret: string }>('/api/tokens', ask);
    const release = `/api/runs/${id}/steps/work/release`;
    expect((await server.as(secret).call('POST', release)).status).toBe(403);
    expect((await ann.call('POST', release)).status).toBe(200);
  });

  it('is claimed by only one of two people who try at the same time', async () => {
    const { ann, ben, id } = await financeRun();
    const replies = await Promise.all([act(ann, id, 'work', 'claim'), act(ben, id, 'work', 'claim')]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  it('can’t be claimed by someone whom it doesn’t name, or claimed, released or handed over once it is completed', async () => {
    const { ann, cem, id } = await financeRun();
    expect(await act(cem, id, 'work', 'claim')).toMatchObject(refused(403, 'not_assigned'));
    expect(await act(ann, id, 'nothing', 'claim')).toMatchObject(refused(404, 'unknown_step'));
    await complete(ann, id, 'work');
    for (const action of ['claim', 'release'])
      expect(await act(ann, id, 'work', action)).toMatchObject({ status: 409 });
    expect(await handOver(ann, id, 'work', cem.user.id)).toMatchObject({ status: 409 });
  });

  it('is released when the person is removed from the organization, even in a paused run', async () => {
    const { owner, orgId, ann, ben, id } = await financeRun();
    await act(ann, id, 'work', 'claim');
    await owner.post(`/api/runs/${id}/pause`);
    await remove(owner, orgId, ann);
    await owner.post(`/api/runs/${id}/resume`);
    expect(await hasTask(ben, id)).toBe(true);
    const released = (await historyOf(ben, id)).find(({ action }) => action === 'released');
    expect(released).toMatchObject({
      actor: { id: owner.user.id },
      data: { holder: { id: ann.user.id }, because: 'member_removed' },
    });
    expect((await complete(ben, id, 'work')).body.message).toBe('Step completed');
  });

  it('returns to the people whom it names and notifies them when the new person is removed, even in a paused run', async () => {
    for (const isPaused of [false, true]) {
      const { owner, admin, orgId, ann, ben, cem, id } = await financeRun();
      await handOver(ann, id, 'work', cem.user.id);
      if (isPaused) await owner.post(`/api/runs/${id}/pause`);
      await remove(owner, orgId, cem);
      for (const person of [ann, ben])
        expect(await titlesOf(person, 'step_handed_over'), String(isPaused)).toMatchObject([
          {
            title: 'Work',
            body: expect.stringContaining(isPaused ? 'once the run continues' : 'is waiting') as string,
          },
        ]);
      expect(await titlesOf(admin, 'step_handed_over')).toEqual([]);
    }
  });

  it('notifies everyone who may do it if it names nobody and the person who claimed it is removed in a paused run', async () => {
    const { owner, admin, orgId, editor, reviewer, ann } = await teamWithViewers();
    await publish(owner, reviewer, 'open', [{ id: 'work', title: 'Work', assignee: 'Unassigned', next: [] }]);
    const { id } = await start(owner, 'open');
    await act(editor, id, 'work', 'claim');
    await owner.post(`/api/runs/${id}/pause`);
    await remove(owner, orgId, editor);
    expect(await titlesOf(admin, 'step_handed_over')).toMatchObject([{ title: 'Work' }]);
    expect(await titlesOf(ann, 'step_handed_over')).toEqual([]);
  });

  it('is listed by the filter `with` under the person who has it, but not under its group or the person who handed it over', async () => {
    const { owner, reviewer, ann, ben, cem, id } = await financeRun();
    const second = [
      ...WORK.map((step) => ({ ...step, next: ['more'] })),
      { id: 'more', title: 'More', assignee: cem.user.email, next: [] },
    ];
    await publish(owner, reviewer, 'other', second);
    const { id: other } = await start(owner, 'other');
    const found = async (name: string, more = '') =>
      (await owner.get<{ id: string }[]>(`/api/runs?with=${name}${more}`)).map((run) => run.id);
    await act(ann, id, 'work', 'claim');
    expect(await found(ann.user.email)).toEqual([id]);
    expect(await found('group:finance')).toEqual([other]);
    await handOver(ann, id, 'work', cem.user.id);
    await complete(ben, other, 'work');
    expect(await found(ann.user.email)).toEqual([]);
    for (const sort of ['newest', 'oldest', 'due', 'priority', 'name', 'attention'])
      expect((await found(cem.user.email.toUpperCase(), `&sort=${sort}`)).toSorted(), sort).toEqual(
        [id, other].toSorted(),
      );
    const [first] = await found(cem.user.email, '&sort=oldest&limit=1');
    expect(first).toBe(id);
  });

  it('doesn’t make the list show its run twice if another step of the run waits for the same person', async () => {
    const { owner, reviewer, ann, cem } = await financeRun();
    const steps = [
      { id: 'a', title: 'A', assignee: 'editor', next: ['work', 'more'] },
      { id: 'work', title: 'Work', assignee: 'group:finance', sla: '4h', next: [] },
      { id: 'more', title: 'More', assignee: cem.user.email, sla: '2h', next: [] },
    ];
    await publish(owner, reviewer, 'both', steps);
    const { id } = await start(owner, 'both');
    await complete(owner, id, 'a');
    await handOver(ann, id, 'work', cem.user.id);
    for (const sort of ['newest', 'due'])
      expect(await owner.get<object[]>(`/api/runs?with=${cem.user.email}&sort=${sort}`), sort).toMatchObject([{ id }]);
  });

  it('never stays with someone who is removed while they claim it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, orgId, ann, ben, id } = await financeRun();
      const [claim, removal] = await Promise.all([act(ann, id, 'work', 'claim'), remove(owner, orgId, ann)]);
      expect(removal.status).toBe(200);
      expect([200, 401, 403]).toContain(claim.status);
      expect(await hasTask(ben, id)).toBe(true);
    }
  });
});

describe('a manual step that is handed over', () => {
  it('waits only for the new person, notifies them, and its SLA clock continues', async () => {
    const { ann, ben, cem, id } = await financeRun();
    const before = await stepOf(ann, id, 'work');
    const reply = await handOver(ann, id, 'work', cem.user.email);
    expect(reply.body).toMatchObject({ message: 'Handed over', run: { steps: [{ dueAt: before?.dueAt }] } });
    expect(await hasTask(cem, id)).toBe(true);
    expect(await hasTask(ann, id)).toBe(false);
    expect(await hasTask(ben, id)).toBe(false);
    expect(await titlesOf(cem, 'step_handed_over')).toMatchObject([{ title: 'Work' }]);
    expect(await stepOf(cem, id, 'work')).toMatchObject({
      assignedTo: cem.user.email,
      handedOver: [{ by: { id: ann.user.id }, to: { kind: 'person', id: cem.user.id }, reason: 'I am ill' }],
    });
    expect(await complete(ann, id, 'work')).toMatchObject(refused(403, 'not_assigned'));
    expect((await complete(cem, id, 'work')).status).toBe(200);
  });

  it('can be handed over to a group: its members can claim it, and a release returns it to the group', async () => {
    const { owner, ann, ben, cem, id } = await financeRun();
    await groupOf(owner, 'legal', cem);
    await handOver(ann, id, 'work', 'group:legal');
    expect(await hasTask(ben, id)).toBe(false);
    await act(cem, id, 'work', 'claim');
    await act(cem, id, 'work', 'release');
    expect(await stepOf(cem, id, 'work')).toMatchObject({ assignee: 'group:legal', claimed: null });
    expect(await hasTask(cem, id)).toBe(true);
  });

  it('prevents one manager from deleting or emptying the group that got it while it is active', async () => {
    const { owner, admin, ann, cem, id } = await financeRun();
    const legal = await groupOf(owner, 'legal', cem);
    await handOver(ann, id, 'work', 'group:legal');
    await act(cem, id, 'work', 'claim');
    const inUse = { status: 409, body: { code: 'group_in_use', details: [{ isLive: false, drafts: 0, runs: 1 }] } };
    expect(await owner.call('DELETE', `/api/groups/${legal.id}`)).toMatchObject(inUse);
    await owner.post(`/api/runs/${id}/pause`, { reason: 'Later' });
    expect(await owner.call('DELETE', `/api/groups/${legal.id}`)).toMatchObject(inUse);
    const members = [cem.user.id];
    expect(await admin.patch(`/api/groups/${legal.id}`, { removeMembers: members })).toMatchObject({
      members,
      pendingRemovals: [{ members, proposedBy: { id: admin.user.id } }],
    });
    await owner.post(`/api/runs/${id}/resume`);
    expect((await complete(cem, id, 'work')).status).toBe(200);
    expect((await owner.call('DELETE', `/api/groups/${legal.id}`)).status).toBe(200);
  });

  it.each(['owner', 'admin'] as const)('can be reassigned by an %s, but not by others', async (role) => {
    const { [role]: manager, editor, reviewer, ann, ben, cem, id } = await financeRun();
    await act(ann, id, 'work', 'claim');
    for (const [other, code] of [
      [editor, 'cannot_hand_over'],
      [reviewer, 'not_assigned'],
      [ben, 'not_assigned'],
      [cem, 'not_assigned'],
    ] as const)
      expect(await handOver(other, id, 'work', reviewer.user.id)).toMatchObject(refused(403, code));
    expect((await handOver(manager, id, 'work', cem.user.id)).status).toBe(200);
    expect(await hasTask(cem, id)).toBe(true);
    for (const other of [editor, reviewer, ben])
      expect(await act(other, id, 'work', 'release')).toMatchObject(refused(403, 'cannot_hand_over'));
    expect((await act(manager, id, 'work', 'release')).status).toBe(200);
    expect(await hasTask(ann, id)).toBe(true);
  });

  it('goes to the person chosen when its holder is removed, even in a paused run', async () => {
    const { owner, orgId, ann, ben, cem, id } = await financeRun();
    const paused = await start(owner, 'pay');
    for (const run of [id, paused.id]) await act(ann, run, 'work', 'claim');
    await owner.post(`/api/runs/${paused.id}/pause`, { reason: 'Later' });
    const path = `/api/organizations/${orgId}/users/${ann.user.id}`;
    expect(await owner.get(`${path}/steps`)).toMatchObject([{ key: 'pay', steps: 2, approvals: 0 }]);
    const stranger = await server.signUp();
    for (const [by, to, field] of [
      [owner, stranger.user.id, 'handOver.to'],
      [owner, 'group:unknown', 'handOver.to'],
      [owner, ann.user.id, 'handOver.to'],
      [owner, owner.user.id, 'handOver.to'],
      [ann, cem.user.id, 'handOver'],
    ] as const)
      expect(await by.call('DELETE', path, { handOver: { to } })).toMatchObject({
        status: 400,
        body: { details: [{ field }] },
      });
    expect((await owner.call('DELETE', path, { handOver: { to: cem.user.id } })).status).toBe(200);
    expect(await hasTask(ben, id)).toBe(false);
    expect(await stepOf(cem, id, 'work')).toMatchObject({
      claimed: null,
      handedOver: [{ by: { id: owner.user.id }, to: { id: cem.user.id }, reason: `${ann.user.name} left` }],
    });
    await owner.post(`/api/runs/${paused.id}/resume`);
    for (const run of [id, paused.id]) expect((await complete(cem, run, 'work')).status).toBe(200);
  });

  it('returns to the people that the step names when the new person is removed', async () => {
    const { owner, orgId, ann, ben, cem, id } = await financeRun();
    await handOver(ann, id, 'work', cem.user.id);
    await remove(owner, orgId, cem);
    expect(await hasTask(ann, id)).toBe(true);
    expect(await hasTask(ben, id)).toBe(true);
  });

  it('can’t go to oneself, strangers, unknown or empty groups, or its holder, or without a reason; the refusal names the field', async () => {
    const { owner, ann, cem, id } = await financeRun();
    const stranger = await server.signUp();
    await groupOf(owner, 'nobody');
    const cases: [string, string, number][] = [
      [ann.user.id, 'handed_to_oneself', 400],
      [stranger.user.id, 'invalid', 400],
      [stranger.user.email, 'invalid', 400],
      ['group:nothing', 'invalid', 400],
      ['group:nobody', 'invalid', 400],
      ['someone', 'invalid', 400],
      ['', 'invalid', 400],
    ];
    for (const [to, code, status] of cases) {
      const reply = await handOver(ann, id, 'work', to);
      expect(reply, to).toMatchObject(refused(status, code));
      expect(reply.body, to).toMatchObject({ details: [{ field: 'to' }] });
    }
    expect((await handOver(ann, id, 'work', cem.user.id, ' ')).body).toMatchObject({ details: [{ field: 'reason' }] });
    await handOver(ann, id, 'work', cem.user.id);
    expect(await handOver(owner, id, 'work', cem.user.id)).toMatchObject({
      status: 409,
      body: { code: 'already_theirs', details: [{ field: 'to' }] },
    });
  });

  it('accepts only one of 51 concurrent requests: fifty hand-overs and one completion', async () => {
    const { ann, ben, cem, id } = await financeRun();
    await act(ann, id, 'work', 'claim');
    const targets = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? ben : cem));
    const replies = await Promise.all([
      ...targets.slice(0, 25).map((to) => handOver(ann, id, 'work', to.user.id)),
      complete(ann, id, 'work'),
      ...targets.slice(25).map((to) => handOver(ann, id, 'work', to.user.id)),
    ]);
    expect(replies.filter(({ status }) => status < 400)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const history = (await historyOf(ann, id)).map(({ action }) => action);
    expect(history.filter((action) => action === 'handed_over' || action === 'completed')).toHaveLength(1);
  });

  it('waits for the approval of the people whom the step names once its input is submitted', async () => {
    const { owner, reviewer, editor, ann, ben, cem } = await financeRun();
    const steps = [
      { id: 'work', title: 'Work', assignee: 'group:finance', config: { requiresApproval: true }, next: [] },
    ];
    await publish(owner, reviewer, 'checked', steps);
    const { id } = await start(editor, 'checked');
    await handOver(ann, id, 'work', cem.user.id);
    await complete(cem, id, 'work');
    expect(await hasTask(cem, id)).toBe(false);
    expect(await handOver(ben, id, 'work', cem.user.id)).toMatchObject(refused(409, 'already_submitted'));
    expect((await act(ben, id, 'work', 'approve')).body.run.status).toBe('completed');
  });
});

/** A work step, and an approval by these people, which the person who did the work can't give. */
const payment = (assignee: string, config: object = {}) => [
  { id: 'work', title: 'Work', assignee: 'editor', next: ['check'] },
  { id: 'check', title: 'Check', type: 'approval', assignee, config: { separateFrom: true, ...config }, next: [] },
];

describe('work that one person handed over to the person who did it', () => {
  /** Starts a run in which the editor, who is also the approver, handed the work over to Ann. */
  async function handedRun() {
    const team = await teamWithViewers();
    const { owner, editor, reviewer, ann } = team;
    await publish(owner, reviewer, 'pay', payment(editor.user.email));
    const { id } = await start(owner, 'pay');
    expect((await handOver(editor, id, 'work', ann.user.id)).status).toBe(200);
    return { ...team, id };
  }
  const setStrict = (orgId: string) => server.sql('update organizations set strict = true where id = $1', [orgId]);

  it('shows who handed it over, and their approval has a mark in the run, its history, the trail and the PDF', async () => {
    const { owner, editor, ann, id } = await handedRun();
    await complete(ann, id, 'work');
    expect(await stepOf(owner, id, 'work')).toMatchObject({
      completedBy: { id: ann.user.id },
      handedBy: [{ id: editor.user.id, name: editor.user.name }],
    });
    const { run } = (await act(editor, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['handed_work_over'] });
    expect(run.steps[1]?.approvals?.votes).toMatchObject([{ marks: ['handed_work_over'] }]);
    const history = await historyOf(owner, id);
    expect(history.find(({ action, stepId }) => action === 'completed' && stepId === 'work')).toMatchObject({
      data: { handedBy: [{ id: editor.user.id }] },
    });
    expect(history.find(({ action }) => action === 'approved')).toMatchObject({
      data: { marks: ['handed_work_over'] },
    });
    const trail = await eventsOf(owner, id);
    // The latest event comes first.
    expect(trail.findLast(({ action }) => action === 'step.completed')).toMatchObject({
      data: { handedBy: [{ id: editor.user.id }] },
    });
    expect(trail.find(({ action }) => action === 'step.approved')).toMatchObject({
      data: { marks: ['handed_work_over'] },
    });
    const pdf = await fetch(`${server.server.url}/api/audit/export.pdf?runId=${id}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const text = await solidText(new Uint8Array(await pdf.arrayBuffer()));
    const name = editor.user.name.replaceAll(' ', '');
    for (const words of [`handedoverby${name}`, `Handedoverbeforeby:${name}`, 'handedtheworkovertothepersonwhodidit'])
      expect(text).toContain(words);
  });

  it('is approved without a mark by others, unless the person who handed it over added them to the approving group', async () => {
    const team = await teamWithViewers();
    const { owner, admin, editor, reviewer, ann, ben, cem } = team;
    await groupOf(admin, 'finance', ben);
    await publish(owner, reviewer, 'pay', payment('group:finance, reviewer', { minimumApprovers: 2 }));
    const { id } = await start(owner, 'pay');
    // The admin who reassigns the work has also added Ben to the group that approves it.
    expect((await handOver(admin, id, 'work', ann.user.id)).status).toBe(200);
    await complete(ann, id, 'work');
    expect((await act(reviewer, id, 'check', 'approve')).body.run.marks).toEqual([]);
    const { run } = (await act(ben, id, 'check', 'approve')).body;
    expect(run.steps[1]?.approvals?.votes[1]).toMatchObject({ marks: ['added_by_giver'], addedBy: admin.user.name });
    expect(await stepOf(cem, id, 'work')).toMatchObject({ handedBy: [{ id: admin.user.id }] });
    expect(await hasTask(editor, id)).toBe(false);
  });

  it('can be approved under strict review by an owner who stands in for the person who handed it over', async () => {
    const { owner, orgId, editor, ann, id } = await handedRun();
    await setStrict(orgId);
    await complete(ann, id, 'work');
    expect(await act(editor, id, 'check', 'approve')).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'handed_work_over' }] },
    });
    expect(await stepOf(editor, id, 'check')).toMatchObject({
      abilities: { approve: false, reject: true },
      because: { sentence: expect.stringContaining('You handed the previous work over') as string },
    });
    expect(await hasTask(owner, id)).toBe(true);
    expect((await act(owner, id, 'check', 'approve', { comments: 'Nobody counts' })).body.run.status).toBe('completed');
  });

  it('can’t be approved under strict review by group members whom the person who handed it over added', async () => {
    const team = await teamWithViewers();
    const { owner, admin, orgId, reviewer, ann, ben } = team;
    await groupOf(admin, 'finance', ben);
    await publish(owner, reviewer, 'pay', payment('group:finance'));
    await setStrict(orgId);
    const { id } = await start(owner, 'pay');
    await handOver(admin, id, 'work', ann.user.id);
    await complete(ann, id, 'work');
    expect(await act(ben, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
    expect((await stepOf(ben, id, 'check'))?.because?.sentence).toContain('handed the previous work over');
    expect(await act(admin, id, 'check', 'approve', { comments: 'Me' })).toMatchObject({ status: 409 });
    expect(await hasTask(owner, id)).toBe(true);
    expect((await act(owner, id, 'check', 'approve', { comments: 'Nobody counts' })).body.run.status).toBe('completed');
  });

  it('can be rejected under strict review by the person who handed it over, and is then redone', async () => {
    const { owner, orgId, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
    await publish(owner, reviewer, 'pay', payment(owner.user.email, { onReject: 'work' }));
    await setStrict(orgId);
    const { id } = await start(owner, 'pay');
    await handOver(owner, id, 'work', reviewer.user.id);
    await complete(reviewer, id, 'work');
    expect(await act(owner, id, 'check', 'approve')).toMatchObject({ status: 409 });
    expect((await act(owner, id, 'check', 'reject', { comments: 'Again' })).status).toBe(200);
    await complete(editor, id, 'work');
    expect((await act(owner, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('gives the approval of its input a mark if the approver handed it over, without strict review', async () => {
    const { owner, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
    const steps = [
      { id: 'work', title: 'Work', assignee: editor.user.email, config: { requiresApproval: true }, next: [] },
    ];
    await publish(owner, reviewer, 'checked', steps);
    const { id } = await start(owner, 'checked');
    await handOver(editor, id, 'work', reviewer.user.id);
    await complete(reviewer, id, 'work');
    expect(await stepOf(owner, id, 'work')).toMatchObject({ handedBy: [{ id: editor.user.id }] });
    expect((await act(editor, id, 'work', 'approve')).body.run).toMatchObject({
      status: 'completed',
      marks: ['handed_work_over'],
    });
  });
});

async function approvalRun(assignee: (people: { ann: Person; ben: Person; cem: Person }) => string, config?: object) {
  const team = await teamWithViewers();
  const { owner, editor, reviewer } = team;
  await publish(owner, reviewer, 'pay', payment(assignee(team), config));
  const { id } = await start(owner, 'pay');
  await complete(editor, id, 'work');
  return { ...team, id };
}

describe('an approval', () => {
  it('can be handed over by the person it names, but not by an owner or admin', async () => {
    const { owner, admin, ann, ben, id } = await approvalRun(({ ann: named }) => named.user.email);
    for (const manager of [owner, admin])
      expect(await handOver(manager, id, 'check', ben.user.id)).toMatchObject(refused(403, 'not_assigned'));
    expect(await act(ann, id, 'check', 'claim')).toMatchObject(refused(409, 'not_a_person_step'));
    expect((await handOver(ann, id, 'check', ben.user.id)).status).toBe(200);
    expect(await act(ann, id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    expect((await act(ben, id, 'check', 'approve')).body.run).toMatchObject({ status: 'completed', marks: [] });
  });

  it('can’t be handed over by someone it names only by role or group, or to a group', async () => {
    const { owner, editor, reviewer, ann, ben, cem, id } = await approvalRun(
      ({ ann: named }) => `${named.user.email}, viewer`,
    );
    await groupOf(owner, 'legal', ben);
    await publish(owner, reviewer, 'by-group', payment(`${ann.user.email}, group:legal`));
    const { id: byGroup } = await start(owner, 'by-group');
    await complete(editor, byGroup, 'work');
    for (const run of [id, byGroup]) {
      expect(await handOver(ben, run, 'check', cem.user.id)).toMatchObject(refused(403, 'cannot_hand_over'));
      expect(await handOver(ann, run, 'check', 'group:legal')).toMatchObject(refused(400, 'approval_to_group'));
    }
  });

  it('can’t be handed over to or by someone who did the work', async () => {
    const { editor, ann, ben, id } = await approvalRun(({ ann: named }) => named.user.email);
    const reply = await handOver(ann, id, 'check', editor.user.id);
    expect(reply).toMatchObject({ status: 409, body: { code: 'hand_over_barred', details: [{ field: 'to' }] } });
    await handOver(ann, id, 'check', ben.user.id);
    expect(await handOver(ben, id, 'check', editor.user.id)).toMatchObject(refused(409, 'hand_over_barred'));

    const own = await approvalRun(() => 'starter, reviewer');
    const { id: ownId } = await start(own.editor, 'pay');
    await complete(own.editor, ownId, 'work');
    // The person who did the work must not choose its approver.
    expect(await handOver(own.editor, ownId, 'check', own.cem.user.id)).toMatchObject(refused(403, 'separate_from'));
  });

  it('can’t be handed over to give someone a second vote', async () => {
    const { admin, ann, ben, cem, id } = await approvalRun(
      ({ ann: a, ben: b }) => `${a.user.email}, ${b.user.email}, viewer`,
      { minimumApprovers: 2 },
    );
    await handOver(ann, id, 'check', admin.user.id);
    // Ann is a viewer too, but she can't vote while Admin has her place.
    const refusal = await act(ann, id, 'check', 'approve');
    expect(refusal).toMatchObject(refused(409, 'approval_handed_over'));
    expect(refusal.body).toMatchObject({ error: expect.stringContaining('handed it over can take it back') as string });
    expect(await act(ann, id, 'check', 'reject', { comments: 'No' })).toMatchObject(
      refused(409, 'approval_handed_over'),
    );
    expect(await hasTask(ann, id)).toBe(false);
    expect(await handOver(ben, id, 'check', ann.user.id)).toMatchObject(refused(409, 'hand_over_barred'));
    expect((await act(admin, id, 'check', 'approve')).body.run.status).toBe('running');
    expect(await act(admin, id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect(await act(ann, id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect(await handOver(admin, id, 'check', ann.user.id)).toMatchObject(refused(409, 'already_voted'));
    // Ben's vote can't go to someone who has voted.
    expect(await handOver(ben, id, 'check', admin.user.id)).toMatchObject({ status: 409 });
    expect((await act(cem, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('can’t be handed over by someone who has voted or agreed to skip', async () => {
    const { ann, ben, cem, id } = await approvalRun(({ ann: a, ben: b }) => `${a.user.email}, ${b.user.email}`, {
      minimumApprovers: 2,
    });
    await act(ann, id, 'check', 'approve');
    expect(await handOver(ann, id, 'check', cem.user.id)).toMatchObject(refused(409, 'already_voted'));
    await act(ben, id, 'check', 'skip', { reason: 'Not needed' });
    expect(await handOver(ben, id, 'check', cem.user.id)).toMatchObject(refused(409, 'already_agreed'));
  });

  it('can be handed back to the person it names, who can then approve it', async () => {
    const { ann, ben, id } = await approvalRun(({ ann: named }) => named.user.email);
    await handOver(ann, id, 'check', ben.user.id);
    await handOver(ben, id, 'check', ann.user.id, 'You are back');
    expect(await stepOf(ann, id, 'check')).toMatchObject({ assignedTo: ann.user.email, handedOver: [] });
    expect((await act(ann, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('can be taken back by the person who handed it over until the new person has voted', async () => {
    const { owner, ann, ben, cem, id } = await approvalRun(({ ann: named }) => `${named.user.email}, reviewer`, {
      minimumApprovers: 2,
    });
    await handOver(ann, id, 'check', ben.user.id);
    expect(await stepOf(ann, id, 'check')).toMatchObject({ abilities: { release: true, approve: false } });
    for (const other of [owner, cem])
      expect(await act(other, id, 'check', 'release')).toMatchObject(refused(403, 'cannot_hand_over'));
    await server.sql('update users set disabled_at = now() where id = $1', [ben.user.id]);
    expect((await act(ann, id, 'check', 'release')).body.message).toBe('Released');
    expect(await stepOf(ann, id, 'check')).toMatchObject({ handedOver: [], abilities: { approve: true } });
    // A step can't be handed over to a disabled account.
    const again = await handOver(ann, id, 'check', ben.user.id);
    expect(again).toMatchObject(refused(400, 'invalid'));
    expect(again.body).toMatchObject({
      details: [{ field: 'to', problem: expect.stringContaining('disabled') as string }],
    });
    await handOver(ann, id, 'check', cem.user.id);
    await act(cem, id, 'check', 'approve');
    expect(await stepOf(ann, id, 'check')).toMatchObject({ abilities: { release: false } });
    expect(await act(ann, id, 'check', 'release')).toMatchObject({ status: 403 });
  });

  it('can’t be handed over, and other steps can’t be claimed, while an account involved is being disabled', async () => {
    const { owner, reviewer, orgId, ann, ben, id } = await approvalRun(({ ann: named }) => named.user.email);
    const disabled = ({ user }: Person) => ({
      text: 'update users set disabled_at = now() where id = $1',
      values: [user.id],
      alone: true,
    });
    expect(
      await changeBefore(server, orgId, disabled(ben), () => handOver(ann, id, 'check', ben.user.id)),
    ).toMatchObject(refused(400, 'invalid'));
    expect(
      await changeBefore(server, orgId, disabled(ann), () => handOver(ann, id, 'check', reviewer.user.id)),
    ).toMatchObject(refused(403, 'forbidden'));
    await publish(owner, reviewer, 'claimed', [{ id: 'work', title: 'Work', assignee: 'reviewer', next: [] }]);
    const run = await start(owner, 'claimed');
    expect(
      await changeBefore(server, orgId, disabled(reviewer), () => act(reviewer, run.id, 'work', 'claim')),
    ).toMatchObject(refused(403, 'forbidden'));
  });

  it('still counts the vote of a person who received it and then left the organization', async () => {
    const { owner, orgId, ann, ben, cem, id } = await approvalRun(
      ({ ann: a, ben: b }) => `${a.user.email}, ${b.user.email}`,
      { minimumApprovers: 2 },
    );
    await handOver(ann, id, 'check', cem.user.id);
    await act(cem, id, 'check', 'approve');
    await remove(owner, orgId, cem);
    expect((await historyOf(ben, id)).map(({ action }) => action)).not.toContain('released');
    expect(await titlesOf(ben, 'step_handed_over')).toEqual([]);
    expect(await stepOf(ben, id, 'check')).toMatchObject({ approvals: { votes: [{ by: { id: cem.user.id } }] } });
    expect(await hasTask(ann, id)).toBe(false);
    expect(await act(ann, id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect((await act(ben, id, 'check', 'approve')).body.run.status).toBe('completed');
  });

  it('returns to the person who handed it over when the new person is removed', async () => {
    const { owner, orgId, ann, ben, id } = await approvalRun(({ ann: named }) => named.user.email);
    await handOver(ann, id, 'check', ben.user.id);
    await remove(owner, orgId, ben);
    expect(await hasTask(ann, id)).toBe(true);
    expect((await act(ann, id, 'check', 'approve')).body.run.status).toBe('completed');
  });
});
