import type {
  AuditStatus,
  Confirmation,
  DraftFinding,
  Group,
  ReviewRoutes,
  ReviewTask,
  WholeDraft,
  WorkflowDetail,
} from '@stet/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { solidText, textOfPages } from '../../adapters/pdf/pdf-text.fixture.ts';
import { refused, startDraftBench, type Saved } from '../../testing/drafts.ts';
import { chanceOf } from '../../testing/governance/random.ts';
import { setGroupMembers } from '../../testing/groups.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import type { Person } from '../../testing/server.ts';
import { updateRequirements } from './update-requirements.job.ts';

declare const process: { env: Record<string, string | undefined> };

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, at, read, create, act, blockersOf } = bench;
afterAll(() => server.stop());

const steps = (sla: string) => [
  { id: 'work', title: 'Enter amounts', sla, next: ['ok'] },
  { id: 'ok', title: 'Approve', type: 'approval', next: [] as string[] },
];
const body = (sla: string) => ({ metadata: { title: 'Payments', description: '' }, steps: steps(sla) });
const ROUTES = `/api/organizations/${orgId}/routes`;
const UPDATES = `(
  select task from outbox union all select task_identifier from graphile_worker.jobs
) job (task) where task = 'update_requirements'`;
const RULE = { if: 'clock_loosened', tag: 'payments', group: 'compliance' };

let admin: Person;
let carla: Person;
let group: Group;
/** Replaces the members. If this removes some, a second manager confirms it. */
const setMembers = (who: Person, ...members: Person[]) =>
  setGroupMembers(who, { groupId: group.id, members, second: who === owner ? admin : owner });

beforeAll(async () => {
  admin = await server.signUp({ name: 'Ada Admin' });
  await joinOrganization(server, admin, orgId, 'admin');
  carla = await server.signUp({ name: 'Carla Compliance' });
  await joinOrganization(server, carla, orgId, 'reviewer');
  group = await owner.post<Group>('/api/groups', {
    name: 'Compliance',
    slug: 'compliance',
    members: [carla.user.id],
  });
  await owner.patch(ROUTES, { routes: [{ ...RULE, tag: 'Payments' }] });
});

let key = '';
beforeEach(async () => {
  key = bench.newKey();
  await publish(editor, reviewer, key, steps('1h'));
  await owner.patch(`/api/workflows/${key}`, { tags: ['payments'] });
  await setMembers(owner, carla);
});
const bodiesOf = async (draftId: string, kind: string): Promise<string[]> =>
  (
    await server.sql<{ body: string }>('select body from notifications where draft_id = $1 and kind = $2', [
      draftId,
      kind,
    ])
  ).map(({ body: text }) => text);
const submitted = async (sla = '2h'): Promise<string> => {
  const { draftId } = await create(editor, body(sla));
  await act(editor, draftId, 'submit');
  return draftId;
};
const liveSla = async (): Promise<string | undefined> =>
  (await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).steps[0]?.sla;

describe('a draft with a routed loss', () => {
  it('needs an approval from the group, in addition to the required approvals', async () => {
    const draftId = await submitted();
    const [finding] = await editor.get<DraftFinding[]>(at(draftId, '/findings'));
    expect(finding).toMatchObject({ code: 'clock_loosened', requires: ['compliance'] });
    expect((await read(draftId)).requirements).toEqual([
      {
        group: 'compliance',
        name: 'Compliance',
        needed: 1,
        has: 0,
        by: [],
        because: ['Enter amounts has more time: 1h → 2h'],
      },
    ]);
    await act(reviewer, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual(['needs_group_approval']);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    expect((await act(carla, draftId, 'approve')).status).toBe(200);
    expect((await read(draftId)).requirements).toMatchObject([{ has: 1, by: [{ name: 'Carla Compliance' }] }]);
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    expect(await liveSla()).toBe('2h');
    const [event] = await server.sql<{ payload: string }>(
      "select payload from audit_events where subject_id = $1 and action = 'draft.merged'",
      [draftId],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      data: {
        requirements: [{ group: 'compliance', name: 'Compliance', by: carla.user.id, because: ['clock_loosened'] }],
      },
    });
    // The notification and the certificate name the group and who approved for it.
    await expect
      .poll(async () => (await bodiesOf(draftId, 'draft_merged'))[0])
      .toContain('Carla Compliance approved it for Compliance.');
    const address = `${server.server.url}/api/workflows/${key}/versions/2/certificate?format=pdf&locale=en-GB&timeZone=UTC`;
    const pdf = await fetch(address, { headers: { authorization: `Bearer ${owner.token}` } });
    expect((await textOfPages(Buffer.from(await pdf.arrayBuffer())))[0]).toContain(
      'Compliance: approved by Carla Compliance',
    );
    const run = await editor.post<{ id: string }>('/api/runs', { key, name: 'After the merge' });
    const trail = await fetch(`${server.server.url}/api/audit/export.pdf?runId=${run.id}&locale=en-GB&timeZone=UTC`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(await solidText(Buffer.from(await trail.arrayBuffer()))).toContain('Compliance:approvedbyCarlaCompliance');
  });

  it('needs the group’s approval again after a save, unless the save restores the control', async () => {
    const draftId = await submitted();
    await act(carla, draftId, 'approve');
    const save = (sla: string) => editor.call('PATCH', at(draftId), body(sla));
    expect((await save('3h')).status).toBe(200);
    expect(await blockersOf(draftId)).toContain('needs_group_approval');
    await save('30m');
    expect((await read(draftId)).requirements).toEqual([]);
  });

  it('doesn’t need the group’s approval if no control is weakened, or if the workflow lacks the tag', async () => {
    expect((await read(await submitted('30m'))).requirements).toEqual([]);
    key = bench.newKey();
    await publish(editor, reviewer, key, steps('1h'));
    expect((await read(await submitted())).requirements).toEqual([]);
  });

  it('can’t be approved for the group by members who were added later or who added themselves', async () => {
    const late = await submitted();
    await setMembers(owner, carla, reviewer);
    await act(reviewer, late, 'approve');
    expect(await blockersOf(late)).toEqual(['needs_group_approval']);
    await act(editor, late, 'withdraw');

    await setMembers(admin, admin);
    const own = await submitted();
    await act(admin, own, 'approve');
    expect(await blockersOf(own)).toEqual(['needs_group_approval']);
    expect((await read(own)).blockers[0]?.hint).toContain('Nobody in Compliance can approve');
    await setMembers(owner, admin);
    await setMembers(owner, carla);
    await act(editor, own, 'withdraw');
  });

  it('can’t be approved for the group by someone who added themselves just before the other manager lost the role', async () => {
    const { owner: boss, admin: other, editor: ed, orgId: teamId } = await teamOf(server, ['admin', 'editor']);
    const name = bench.newKey();
    await publish(ed, boss, name, steps('1h'));
    await boss.post('/api/groups', { name: 'Compliance', slug: 'compliance', members: [boss.user.id] });
    await boss.patch(`/api/organizations/${teamId}/routes`, {
      routes: [{ if: 'loss', tag: null, group: 'compliance' }],
    });
    const demoted = await boss.call('PATCH', `/api/organizations/${teamId}/users/${other.user.id}`, { role: 'viewer' });
    expect(demoted.status).toBe(200);
    const { draftId } = await ed.post<Saved>(`/api/workflows/${name}/drafts`, body('2h'));
    await act(ed, draftId, 'submit');
    expect((await act(boss, draftId, 'approve')).status).toBe(200);
    expect(await act(boss, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    // A week after losing the role, the other manager is no longer considered.
    await server.sql(
      `update role_history set until = now() - interval '8 days' where org_id = $1 and until is not null`,
      [teamId],
    );
    expect((await act(boss, draftId, 'merge')).status).toBe(200);
  });

  it('can be approved, with a mark, by a member added by the only manager who confirmed the author', async () => {
    const { add, prove, remove } = secondPersonBench(server);
    await setMembers(owner, reviewer);
    await setMembers(admin, carla);
    const guest = await add(owner, 'admin');
    const waiting = await admin.get<Confirmation[]>('/api/confirmations');
    const about = waiting.find(({ subjectId }) => subjectId === guest.user.id);
    await admin.post(`/api/confirmations/${about?.id}/confirm`);
    const { draftId } = await create(guest, body('2h'));
    await act(guest, draftId, 'submit');
    expect((await act(carla, draftId, 'approve')).status).toBe(200);
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: ['added_to_group_by_author'] }]);
    await prove(guest);
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: [] }]);
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    await remove(owner, guest);
  });

  it('accepts a marked approval by a member whom an author added long before, but not under strict review', async () => {
    const another = await server.signUp();
    await joinOrganization(server, another, orgId, 'admin');
    await setMembers(owner, reviewer);
    // The admin adds Carla to the group, and writes the draft afterwards.
    await setMembers(admin, carla);
    const draft = async () => {
      const { draftId } = await create(admin, body('2h'));
      await act(admin, draftId, 'submit');
      expect((await act(carla, draftId, 'approve')).status).toBe(200);
      return draftId;
    };
    const marked = await draft();
    expect((await read(marked)).reviews).toMatchObject([{ standing: 'counts', marks: ['added_to_group_by_author'] }]);
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    expect(await act(reviewer, marked, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    await server.sql('update organizations set strict = false where id = $1', [orgId]);
    const merged = await act(reviewer, marked, 'merge');
    expect(merged.body).toMatchObject({ version: { approvals: [{ marks: ['added_to_group_by_author'] }] } });
    const [event] = await server.sql<{ payload: string }>(
      "select payload from audit_events where subject_id = $1 and action = 'draft.merged'",
      [marked],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      data: { approvals: [{ marks: ['added_to_group_by_author'] }], note: 'reviewer added to the group by the author' },
    });
    // After another manager has added Carla again, her approval has no mark.
    await setMembers(another);
    await setMembers(another, carla);
    const { draftId } = await create(admin, body('4h'));
    await act(carla, draftId, 'approve');
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: [] }]);
  });

  it('can’t be merged while the group is empty, and says so', async () => {
    await setMembers(owner);
    const draftId = await submitted();
    await act(reviewer, draftId, 'approve');
    const [blocker] = (await read(draftId)).blockers;
    expect(blocker).toMatchObject({ code: 'needs_group_approval', sentence: 'No approval from Compliance' });
    expect(blocker?.hint).toContain('Nobody in Compliance');
  });

  it('needs the approval of every group if the check fails', async () => {
    const { draftId } = await create(editor, body('30m'));
    await server.sql(`begin;
      set local session_replication_role = replica;
      update workflow_versions v set steps = jsonb_set(v.steps::jsonb, '{0,type}', '"future"')
        from workflows w where w.id = v.workflow_id and w.key = '${key}' and v.version = 1;
      commit`);
    expect((await read(draftId)).requirements).toMatchObject([{ group: 'compliance', has: 0 }]);
  });
});

describe('a submitted draft', () => {
  const WAITING = '/api/confirmations';
  /** Proposes to remove the routes, and confirms this as a second manager. */
  async function dropRules(): Promise<void> {
    await owner.patch(ROUTES, { routes: [] });
    const [waiting] = await admin.get<{ id: string }[]>(WAITING);
    expect((await admin.call('POST', `${WAITING}/${waiting?.id}/confirm`)).status).toBe(200);
  }
  afterEach(() => owner.patch(ROUTES, { routes: [RULE] }));

  it('needs the groups of its submission even if the routes became weaker, until its content changes', async () => {
    const draftId = await submitted();
    const { draftId: unsubmitted } = await create(editor, body('3h'));
    await act(reviewer, draftId, 'approve');
    await dropRules();
    expect((await read(draftId)).requirements).toMatchObject([
      { group: 'compliance', name: 'Compliance', has: 0, because: ['Enter amounts has more time: 1h → 2h'] },
    ]);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    // A new submission of the same content needs the same group.
    await act(editor, draftId, 'withdraw');
    await act(editor, draftId, 'submit');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    // The routes no longer name the group, but the draft still does.
    expect(await owner.call('DELETE', `/api/groups/${group.id}`)).toMatchObject(refused(409, 'group_approves'));
    expect((await read(unsubmitted)).requirements).toEqual([]);

    await editor.call('PATCH', at(draftId), body('150m'));
    expect((await read(draftId)).requirements).toEqual([]);
    expect(await blockersOf(draftId)).toEqual(['needs_approvals']);
    await act(editor, draftId, 'withdraw');
  });

  it('can be merged once the group approves, and then shows who approved for it', async () => {
    const draftId = await submitted();
    await dropRules();
    expect((await act(carla, draftId, 'approve')).status).toBe(200);
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    expect((await read(draftId)).requirements).toMatchObject([
      { group: 'compliance', has: 1, by: [{ name: 'Carla Compliance' }] },
    ]);
  });

  const tasksOf = async (who: Person): Promise<string[]> =>
    (await who.get<ReviewTask[]>('/api/tasks/reviews?limit=50')).map((task) => task.draftId);

  it('also needs the groups of routes that became stricter, and the groups are notified', async () => {
    await dropRules();
    const draftId = await submitted();
    expect((await read(draftId)).requirements).toEqual([]);
    await act(reviewer, draftId, 'approve');
    expect(await tasksOf(carla)).not.toContain(draftId);
    await owner.patch(ROUTES, { routes: [RULE] });
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    await expect.poll(() => tasksOf(carla)).toContain(draftId);
    expect(await tasksOf(owner)).not.toContain(draftId);
    await expect
      .poll(() => bodiesOf(draftId, 'review_requested'))
      .toContain('The requirements of this draft have changed. It needs an approval from Compliance.');
    const [event] = await server.sql<{ payload: string }>(
      "select payload from audit_events where subject_id = $1 and action = 'draft.requirements_added'",
      [draftId],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      actor: { kind: 'system' },
      data: { key, requirements: [{ group: 'compliance', because: ['clock_loosened'] }] },
    });
    // From now on, the draft needs these groups, like those that were required at its submission.
    await dropRules();
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_group_approval'));
    await act(editor, draftId, 'withdraw');
  });

  it('also needs the groups that a new tag of its workflow requires', async () => {
    key = bench.newKey();
    await publish(editor, reviewer, key, steps('1h'));
    const draftId = await submitted();
    expect((await read(draftId)).requirements).toEqual([]);
    await owner.patch(`/api/workflows/${key}`, { tags: ['payments'] });
    await expect.poll(() => tasksOf(carla)).toContain(draftId);
    await act(editor, draftId, 'withdraw');
  });

  it('becomes a task of the groups that the routes require, even if it has no stored requirements', async () => {
    const [draftId, other] = [await submitted(), await submitted('30m')];
    // Otherwise a job that the changes above enqueued could store the requirements again.
    await expect.poll(() => server.sql(`select from ${UPDATES}`)).toEqual([]);
    await server.sql("update workflow_versions set requirements = '[]' where id = $1", [draftId]);
    await act(reviewer, draftId, 'approve');
    expect(await tasksOf(carla)).not.toContain(draftId);
    const { deps } = server.server;
    for (let times = 0; times < 2; times += 1) await updateRequirements(deps, { orgId });
    expect(await tasksOf(carla)).toContain(draftId);
    expect((await read(other)).requirements).toEqual([]);
    const events = await server.sql(
      "select from audit_events where subject_id = $1 and action = 'draft.requirements_added'",
      [draftId],
    );
    expect(events).toHaveLength(1);
    for (const id of [draftId, other]) await act(editor, id, 'withdraw');
  });

  it('needs the groups that the routes require after a save or a rebase that changes what it weakens', async () => {
    const draftId = await submitted('30m');
    expect((await read(draftId)).requirements).toEqual([]);
    await editor.call('PATCH', at(draftId), body('2h'));
    await dropRules();
    expect(await blockersOf(draftId)).toContain('needs_group_approval');
    await owner.patch(ROUTES, { routes: [RULE] });

    const { draftId: other } = await create(editor, body('50m'));
    await act(editor, other, 'submit');
    await publish(editor, reviewer, key, steps('30m'));
    const rebased = await editor.call('POST', at(other, '/rebase'), {
      resolutions: [{ on: 'step', stepId: 'work', field: 'sla', take: 'draft' }],
    });
    expect(rebased.status).toBe(200);
    await dropRules();
    expect(await blockersOf(other)).toContain('needs_group_approval');
    for (const id of [draftId, other]) await act(editor, id, 'withdraw');
  });

  it('is a task of the group’s members while the group’s approval is missing', async () => {
    const draftId = await submitted();
    const taskOf = async (who: Person) =>
      (await who.get<ReviewTask[]>('/api/tasks/reviews?limit=50')).find((task) => task.draftId === draftId);
    const countOf = async (who: Person) => (await who.get<{ count: number }>('/api/tasks/reviews/count')).count;
    expect(await taskOf(carla)).toMatchObject({ approvals: { has: 0, needed: 1 }, groups: ['Compliance'] });
    await act(reviewer, draftId, 'approve');
    // The required approval is given, so it is a task of the group only.
    expect(await taskOf(owner)).toBeUndefined();
    expect(await taskOf(carla)).toMatchObject({ approvals: { has: 1, needed: 1 }, groups: ['Compliance'] });
    const before = await countOf(carla);
    await act(carla, draftId, 'approve');
    expect(await taskOf(carla)).toBeUndefined();
    expect(await countOf(carla)).toBe(before - 1);
    await act(editor, draftId, 'withdraw');
  });
});

describe('the stored requirements of open drafts', () => {
  const verdict = async (who: Person): Promise<string | null | undefined> => {
    await who.post('/api/audit/verify');
    let last: AuditStatus['verification'] = null;
    const state = async () => {
      last = (await who.get<AuditStatus>('/api/audit/status')).verification;
      return last?.state;
    };
    await expect.poll(state, { timeout: 20_000 }).not.toBe('running');
    return (last as AuditStatus['verification'])?.sentence;
  };

  it.each<[string, string, 'saved' | 'early' | 'asked']>([
    ['are emptied', "'[]'", 'saved'],
    ['name another group', `jsonb_set(requirements, '{0,group}', '"friends"')`, 'asked'],
    ['have another name for the group', `jsonb_set(requirements, '{0,name}', '"Anyone"')`, 'early'],
  ])('are compared with the trail: a draft is named if they %s', async (_, altered, whose) => {
    // The only manager writes and approves everything, so the test doesn't have to add members with SQL.
    const boss = await server.signUp({ team: 'Verified' });
    const teamId = boss.user.currentOrgId ?? '';
    const name = bench.newKey();
    const draft = async (sla: string): Promise<string> =>
      (await boss.post<Saved>(`/api/workflows/${name}/drafts`, body(sla))).draftId;
    const address = (draftId: string, rest = '') => `/api/workflows/${name}/drafts/${draftId}${rest}`;
    await publish(boss, boss, name, steps('1h'));
    await boss.post('/api/groups', { name: 'Compliance', slug: 'compliance', members: [boss.user.id] });
    const early = await draft('6h');
    await boss.post(address(early, '/submit'));
    await boss.patch(`/api/organizations/${teamId}/routes`, { routes: [{ ...RULE, tag: null }] });
    await updateRequirements(server.server.deps, { orgId: teamId });
    const [saved, asked, approved, stricter] = [
      await draft('2h'),
      await draft('3h'),
      await draft('4h'),
      await draft('30m'),
    ];
    for (const id of [saved, asked]) await boss.post(address(id, '/submit'));
    await boss.patch(address(saved), body('5h'));
    for (const id of [approved, stricter]) await boss.post(address(id, '/approve'));
    await boss.post(address(stricter, '/merge'));
    await boss.post(address(saved, '/rebase'), {
      resolutions: [{ on: 'step', stepId: 'work', field: 'sla', take: 'draft' }],
    });
    await boss.post(address(approved, '/withdraw'));
    expect(await verdict(boss)).toBeNull();
    const target = { saved, early, asked }[whose];
    const changed = await server.sql(
      `update workflow_versions set requirements = ${altered} where id = $1 returning id`,
      [target],
    );
    expect(changed).toHaveLength(1);
    // The job that seals the trail can replace the result of a verification with its own, which contains no detail.
    await expect
      .poll(() => verdict(boss), { timeout: 60_000 })
      .toContain(`The stored requirements of draft ${target} are`);
  });
});

describe('the routes', () => {
  it('must name existing groups and known codes', async () => {
    for (const [route, field] of [
      [{ ...RULE, group: 'unknown' }, 'routes.0.group'],
      [{ ...RULE, if: 'nonsense' }, 'routes.0.if'],
      [{ ...RULE, tag: '' }, 'routes.0.tag'],
    ] as const) {
      const reply = await owner.call<{ details: { field: string }[] }>('PATCH', ROUTES, { routes: [route] });
      expect(reply).toMatchObject({ status: 400, body: { details: [{ field }] } });
    }
    for (const person of [editor, reviewer])
      expect((await person.call('PATCH', ROUTES, { routes: [] })).status).toBe(403);
  });

  it('become weaker only when a second manager confirms the change', async () => {
    const weaker = await owner.patch<ReviewRoutes>(ROUTES, { routes: [] });
    expect(weaker).toMatchObject({ routes: [RULE], pending: { routes: [] } });
    const [waiting] = await admin.get<{ id: string; sentence: string }[]>('/api/confirmations');
    expect(waiting?.sentence).toContain('If a draft of a workflow tagged payments gives a step more time');
    // Stricter routes take effect immediately and replace the proposal.
    const stronger = await owner.patch<ReviewRoutes>(ROUTES, { routes: [RULE, { ...RULE, if: 'loss', tag: null }] });
    expect(stronger).toMatchObject({ routes: [RULE, { if: 'loss', tag: null }], pending: null });
    await owner.patch(ROUTES, { routes: [RULE] });
    const [again] = await admin.get<{ id: string }[]>('/api/confirmations');
    expect((await admin.call('POST', `/api/confirmations/${again?.id}/confirm`)).status).toBe(200);
    expect((await owner.get<ReviewRoutes>(ROUTES)).routes).toEqual([RULE]);
  });

  it('prevent the removal of the tags and groups that they name', async () => {
    expect(await owner.call('PATCH', `/api/workflows/${key}`, { tags: ['other'] })).toMatchObject({
      status: 409,
      body: {
        code: 'tag_routed',
        error:
          '“Who has to approve which changes” (Settings, Organization) has rules for workflows tagged payments. Remove them first, which another owner or admin may have to confirm.',
      },
    });
    expect((await owner.call('PATCH', `/api/workflows/${key}`, { tags: ['other', 'payments'] })).status).toBe(200);
    expect(await owner.call('DELETE', `/api/groups/${group.id}`)).toMatchObject({
      status: 409,
      body: {
        code: 'group_routed',
        error: `A rule or a proposal in “Who has to approve which changes” (Settings, Organization) names ${group.name}. Remove the rule, which another owner or admin may have to confirm, or withdraw the proposal.`,
      },
    });
  });
});

describe('a group that only a proposed route names', () => {
  it('can’t be deleted until the proposal is decided, so no route ever names a missing group', async () => {
    const legal = await owner.post<Group>('/api/groups', { name: 'Legal', slug: 'legal' });
    const weaker = await owner.patch<ReviewRoutes>(ROUTES, { routes: [{ ...RULE, group: 'legal' }] });
    expect(weaker.pending?.routes).toMatchObject([{ group: 'legal' }]);
    expect(await owner.call('DELETE', `/api/groups/${legal.id}`)).toMatchObject(refused(409, 'group_routed'));
    const [waiting] = await admin.get<{ id: string }[]>('/api/confirmations');
    await admin.post(`/api/confirmations/${waiting?.id}/refuse`, { reason: 'No' });
    expect((await owner.call('DELETE', `/api/groups/${legal.id}`)).status).toBe(200);
  });
});

describe('a rollback with a routed loss', () => {
  it('needs a review that the group has to approve', async () => {
    await publish(editor, reviewer, key, steps('30m'));
    const back = await reviewer.call('POST', `/api/workflows/${key}/versions/1/rollback`);
    expect(back).toMatchObject({
      status: 409,
      body: {
        code: 'rollback_needs_review',
        details: [
          { code: 'control_lost' },
          { code: 'needs_group_approval', sentence: 'It needs an approval from Compliance' },
        ],
      },
    });
    const { draftId } = await editor.post<Saved>(`/api/workflows/${key}/versions/1/restore`);
    expect((await read(draftId)).requirements).toMatchObject([{ group: 'compliance' }]);
  });
});

/**
 * To run more attempts or repeat a run: `STET_ATTACKS=500 STET_SEED=1 npx vitest run --project integration <this
 * file>`.
 */
const attempts = Number(process.env['STET_ATTACKS'] ?? 60);
const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);

describe(`${attempts} attempts to get a looser version live without the group (seed ${seed})`, () => {
  it('all fail, regardless of the changes in between', { timeout: 800_000 }, async () => {
    const chance = chanceOf(seed);
    let tried = 0;
    let drafts: string[] = [];
    let hours = 1;
    const anyDraft = () => (drafts.length === 0 ? null : chance.pick(drafts));
    const insiders = [owner, reviewer, editor];
    const moves: (() => Promise<unknown>)[] = [
      async () => {
        hours += 1;
        const made = await editor.call<Saved>('POST', `/api/workflows/${key}/drafts`, body(`${hours}h`));
        if (made.status === 201) drafts.push(made.body.draftId);
      },
      async () => {
        const id = anyDraft();
        if (id) await act(editor, id, chance.pick(['submit', 'withdraw']));
      },
      async () => {
        const id = anyDraft();
        if (id) await act(chance.pick([owner, reviewer]), id, 'approve');
      },
      async () => {
        const id = anyDraft();
        if (id) await editor.call('PATCH', at(id), body(chance.pick(['30m', `${hours}h`, '61m'])));
      },
      async () => {
        const id = anyDraft();
        if (id) await editor.call('POST', at(id, '/rebase'), {});
      },
      () => owner.call('PATCH', `/api/workflows/${key}`, { tags: chance.pick([[], ['other'], ['payments', 'x']]) }),
      () =>
        owner.call('PATCH', ROUTES, {
          routes: chance.pick([[], [{ ...RULE, tag: 'x' }], [{ ...RULE, if: 'unknown' }]]),
        }),
      () => owner.call('DELETE', `/api/groups/${group.id}`),
      // The owner adds only themselves, or tries to empty the group.
      () => setGroupMembers(owner, { groupId: group.id, members: chance.pick([[owner], [carla, owner], [], [carla]]) }),
      () => chance.pick(insiders).call('POST', `/api/workflows/${key}/versions/1/restore`),
      async () => {
        tried += 1;
        const id = anyDraft();
        if (id) await act(chance.pick([owner, reviewer]), id, 'merge');
      },
      async () => {
        tried += 1;
        await chance
          .pick([owner, reviewer])
          .call('POST', `/api/workflows/${key}/versions/${1 + chance.below(3)}/rollback`);
      },
    ];
    while (tried < attempts) {
      key = bench.newKey();
      drafts = [];
      hours = 1;
      await publish(editor, reviewer, key, steps('1h'));
      await owner.patch(`/api/workflows/${key}`, { tags: ['payments'] });
      const was = tried;
      for (let n = 0; n < 60 && tried - was < 12; n += 1) await chance.pick(moves)();
      const sla = await liveSla();
      expect({ seed, key, sla, isLooser: sla !== '1h' && sla !== '30m' }).toEqual({ seed, key, sla, isLooser: false });
    }
  });

  it('are prevented by routes that still let an honest team of three merge', async () => {
    const three = await server.signUp({ team: 'Three' });
    const teamId = three.user.currentOrgId ?? '';
    const [ed, rita] = [await server.signUp(), await server.signUp()];
    await joinOrganization(server, ed, teamId, 'editor');
    await joinOrganization(server, rita, teamId, 'reviewer');
    await three.post('/api/groups', { name: 'Compliance', slug: 'compliance', members: [rita.user.id] });
    await three.patch(`/api/organizations/${teamId}/routes`, {
      routes: [{ if: 'loss', tag: null, group: 'compliance' }],
    });
    const name = bench.newKey();
    await publish(ed, rita, name, steps('1h'));
    const { draftId } = await ed.post<Saved>(`/api/workflows/${name}/drafts`, body('2h'));
    await act(ed, draftId, 'submit');
    await act(rita, draftId, 'approve');
    expect((await ed.get<WholeDraft>(at(draftId))).blockers).toEqual([]);
    expect((await act(rita, draftId, 'merge')).status).toBe(200);
  });
});
