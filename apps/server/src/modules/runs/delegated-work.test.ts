import type { Notification, Run, Task } from '@stet/contract';
import type { Permission } from '@stet/domain/access';
import { DAY_MS } from '@stet/domain/sla';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { delegate } from '../../testing/delegations.ts';
import { changeBefore, whileLocked } from '../../testing/delayed-change.ts';
import { refused } from '../../testing/drafts.ts';
import { FILE_FIELD, begin, upload } from '../../testing/files.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { act, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** A work step, and an approval that the person who did the work can't give. */
const payment = (approver: string, { worker = '', ...config }: { worker?: string; [key: string]: unknown } = {}) => [
  { id: 'work', title: 'Work', assignee: worker, next: ['check'] },
  { id: 'check', title: 'Check', type: 'approval', assignee: approver, config: { separateFrom: true, ...config } },
];
const text = { output: { text: 'Done' } };
const onBehalfOf = ({ user }: Person) => ({ onBehalfOf: user.id });
/** Acts on a step for someone. */
const actFor = (delegator: Person, actor: Person, run: Run, stepId: string, action: string, body: object = {}) =>
  act(actor, run.id, stepId, action, { ...body, ...onBehalfOf(delegator) });
const tasksOf = async (person: Person, run: Run) =>
  (await person.get<Task[]>('/api/tasks?limit=200'))
    .filter(({ runId }) => runId === run.id)
    .map(({ stepId, onBehalfOf: whose }) => [stepId, whose?.name ?? null]);
const countOf = (person: Person) => person.get<{ count: number }>('/api/tasks/count');
const delegatedTo = async (person: Person, run: Run, stepId: string) =>
  (await runOf(person, run.id)).steps.find(({ id }) => id === stepId)?.delegated;
const notDelegated = refused(403, 'not_delegated');

/** Unless `config` names a role, the approval step names only Mara, so nobody else can decide it. Ben is a viewer. */
async function scene(config?: Parameters<typeof payment>[1]) {
  const team = await teamOf(server, ['admin', 'editor', 'reviewer', 'viewer']);
  const { owner, orgId, editor, reviewer: mara, viewer: ben, admin } = team;
  await publish(owner, mara, 'pay', payment(mara.user.email, config));
  const atCheck = async (): Promise<Run> => {
    const run = await start(editor, 'pay');
    await act(editor, run.id, 'work', 'complete', text);
    return run;
  };
  return { owner, orgId, admin, editor, mara, ben, atCheck };
}

describe('a delegate', () => {
  it('does the work that waits for the delegator, and everyone sees the names of both', async () => {
    const { editor, mara, ben, atCheck } = await scene();
    const run = await atCheck();
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject(notDelegated);
    expect(await tasksOf(ben, run)).toEqual([]);
    const { id } = await delegate(mara, ben, { kinds: ['votes'] });
    expect(await tasksOf(ben, run)).toEqual([['check', 'The reviewer']]);
    expect(await countOf(ben)).toMatchObject({ count: 1 });
    const person = { id: mara.user.id, name: mara.user.name, email: mara.user.email };
    expect(await delegatedTo(ben, run, 'check')).toEqual([
      { onBehalfOf: person, complete: false, approve: true, reject: true },
    ]);
    expect(await act(ben, run.id, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    const approved = await actFor(mara, ben, run, 'check', 'approve');
    expect(approved).toMatchObject({ status: 200, body: { run: { status: 'completed' } } });
    const shown = await runOf(editor, run.id);
    const by = { id: ben.user.id, onBehalfOf: person };
    expect(shown.steps[1]).toMatchObject({
      completedBy: by,
      approvals: { votes: [{ by, actsFor: null }] },
      output: { approvers: ['The viewer for The reviewer'] },
    });
    expect(shown.history.filter(({ actor }) => actor.onBehalfOf?.id === mara.user.id)[0]).toMatchObject({ actor: by });
    expect(await tasksOf(mara, run)).toEqual([]);
    await mara.call('DELETE', `/api/delegations/${id}`);
    expect(await actFor(mara, ben, await atCheck(), 'check', 'approve')).toMatchObject(notDelegated);
  });

  it('is notified of steps that reach the delegator while this kind of work is delegated', async () => {
    const { owner, admin, editor, mara, ben, atCheck } = await scene();
    const notified = async (person: Person, run: Run) =>
      (await person.get<Notification[]>('/api/notifications'))
        .filter(({ runId, stepId }) => runId === run.id && stepId === 'check')
        .map(({ kind, body }) => [kind, body.replaceAll(/[\u2068\u2069]/g, '')]);
    await delegate(mara, ben, { kinds: ['tasks'] });
    expect(await notified(ben, await atCheck())).toEqual([]);
    await mara.call('DELETE', `/api/delegations/${(await mara.get<{ id: string }[]>('/api/delegations'))[0]?.id}`);
    const before = await atCheck();
    await delegate(mara, ben, { kinds: ['votes'] });
    expect(await notified(ben, before)).toEqual([]);
    const run = await atCheck();
    expect(await notified(ben, run)).toEqual([
      ['delegated_step', 'A step in “A run” is waiting for The reviewer, and you do their work.'],
    ]);
    expect(await notified(mara, run)).toEqual([['step_assigned', 'A step in “A run” is waiting for you.']]);
    // Nobody is notified twice, or of a step that they can't do because they did the work.
    await publish(owner, mara, 'pay', payment('reviewer, admin'));
    await mara.call('DELETE', `/api/delegations/${(await mara.get<{ id: string }[]>('/api/delegations'))[0]?.id}`);
    await delegate(mara, admin, { kinds: ['votes'] });
    await delegate(admin, editor, { kinds: ['votes'] });
    const both = await atCheck();
    expect(await notified(editor, both)).toEqual([]);
    expect((await notified(admin, both)).map(([kind]) => kind)).toEqual(['step_assigned']);
  });

  it('does only the delegated kind of work in the delegated workflows', async () => {
    const { owner, editor, mara, ben, atCheck } = await scene();
    await publish(owner, mara, 'other', payment(mara.user.email, { worker: mara.user.email }));
    const inOther = await start(editor, 'other');
    const run = await atCheck();
    await delegate(mara, ben, { kinds: ['tasks'] });
    for (const action of ['approve', 'reject', 'complete'])
      expect(
        await actFor(mara, ben, run, 'check', action, { ...(action === 'reject' && { comments: 'No' }) }),
      ).toMatchObject(notDelegated);
    expect(await delegatedTo(ben, run, 'check')).toEqual([]);
    expect(await tasksOf(ben, run)).toEqual([]);
    expect(await tasksOf(ben, inOther)).toEqual([['work', 'The reviewer']]);
    await delegate(mara, ben, { kinds: ['votes'], workflowKeys: ['pay'] });
    expect(await tasksOf(ben, run)).toEqual([['check', 'The reviewer']]);
    expect(await actFor(mara, ben, inOther, 'work', 'complete', text)).toMatchObject({ status: 200 });
    expect(await actFor(mara, ben, inOther, 'check', 'approve')).toMatchObject(notDelegated);
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject({ status: 200 });
  });

  it('can’t do more than the delegator, and can’t stand in for others, help, skip or retry', async () => {
    const { owner, admin, editor, mara, ben, atCheck } = await scene();
    await delegate(admin, ben, { kinds: ['tasks', 'votes'] });
    const run = await atCheck();
    // The admin could help with a manual step of others, and could stand in if Mara left.
    expect(await actFor(admin, ben, run, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    await publish(owner, mara, 'named', payment(mara.user.email, { worker: editor.user.email }));
    const named = await start(editor, 'named');
    expect(await actFor(admin, ben, named, 'work', 'complete', text)).toMatchObject(refused(403, 'not_assigned'));
    expect(await tasksOf(ben, named)).toEqual([]);
    expect(await actFor(admin, ben, named, 'work', 'skip', { reason: 'No' })).toMatchObject({ status: 400 });
    expect(await actFor(admin, ben, named, 'work', 'retry')).toMatchObject(refused(403, 'forbidden'));
    // An unassigned step is for everyone with the permission, which the admin lends.
    const open = await start(editor, 'pay');
    expect(await tasksOf(ben, open)).toEqual([['work', 'The admin']]);
    expect(await actFor(admin, ben, open, 'work', 'complete', text)).toMatchObject({ status: 200 });
  });

  it('uploads files for a form of the delegator', async () => {
    const { owner, editor, mara, ben } = await scene();
    const step = { id: 'work', title: 'Work', assignee: mara.user.email, config: { fields: [FILE_FIELD] } };
    await publish(owner, mara, 'offer', [step]);
    const run = await start(editor, 'offer');
    const place = { runId: run.id, stepId: 'work' };
    const bytes = Buffer.from('An offer');
    expect(await begin(ben, place, bytes)).toMatchObject(refused(403, 'not_assigned'));
    await delegate(mara, ben);
    const fileId = await upload(server, ben, place, bytes);
    const output = { fields: { offer: [fileId] } };
    expect(await actFor(mara, ben, run, 'work', 'complete', { output })).toMatchObject({ status: 200 });
  });

  it('can’t pass the work on to another delegate', async () => {
    const { editor, mara, ben, atCheck } = await scene();
    await delegate(mara, editor, { kinds: ['votes', 'tasks'] });
    await delegate(editor, ben, { kinds: ['votes', 'tasks'] });
    const run = await atCheck();
    for (const whose of [mara, editor]) expect((await actFor(whose, ben, run, 'check', 'approve')).status).toBe(403);
    expect(await tasksOf(ben, run)).toEqual([]);
  });

  it('can work only between the start and the end of the delegation', async () => {
    const { orgId, mara, ben, atCheck } = await scene();
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const { id } = await delegate(mara, ben, { kinds: ['votes'], from: at(1), until: at(2) });
    const run = await atCheck();
    expect(await tasksOf(ben, run)).toEqual([]);
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject(notDelegated);
    const shift = (days: number) =>
      server.sql(
        `update delegations set starts_at = starts_at - make_interval(days => $3), ends_at = ends_at - make_interval(days => $3)
         where org_id = $1 and id = $2`,
        [orgId, id, days],
      );
    await shift(2);
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject(notDelegated);
    await shift(-1);
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject({ status: 200 });
  });

  it('acts in their own name if they don’t name a delegator', async () => {
    const { orgId, editor, mara, ben, atCheck } = await scene({ assignedRole: 'reviewer', minimumApprovers: 2 });
    const other = await server.signUp();
    await joinOrganization(server, other, orgId, 'reviewer');
    await delegate(mara, other, { kinds: ['votes'] });
    const run = await atCheck();
    expect(await tasksOf(other, run)).toEqual([['check', null]]);
    expect(await act(other, run.id, 'check', 'approve')).toMatchObject({ status: 200 });
    // They have voted and can't vote for Mara too, but Mara can still vote herself.
    expect(await actFor(mara, other, run, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect(await act(mara, run.id, 'check', 'approve')).toMatchObject({ status: 200 });
    expect((await runOf(editor, run.id)).status).toBe('completed');
    expect(await tasksOf(ben, run)).toEqual([]);
  });

  it('acts with a token only within its scopes', async () => {
    const { orgId, mara, editor } = await scene();
    await delegate(mara, editor, { kinds: ['votes'] });
    const other = await server.signUp();
    await joinOrganization(server, other, orgId, 'editor');
    const run = await start(other, 'pay');
    await act(other, run.id, 'work', 'complete', text);
    const revision = { 'if-match': `"${(await runOf(editor, run.id)).revision}"` };
    const call = async (scopes: Permission[]) =>
      (await personalToken(server, editor, scopes)).call(
        'POST',
        `/api/runs/${run.id}/steps/check/approve`,
        onBehalfOf(mara),
        revision,
      );
    expect(await call(['workflow.read'])).toMatchObject(refused(403, 'not_assigned'));
    expect(await call(['workflow.read', 'step.act_assigned'])).toMatchObject({ status: 200 });
  });
});

describe('a step that names a role', () => {
  it('becomes active although someone with the role has a delegate', async () => {
    const { owner, editor, mara, ben } = await scene();
    await publish(owner, mara, 'by-role', payment('reviewer', { worker: editor.user.email }));
    await delegate(mara, ben, { kinds: ['votes'] });
    const run = await start(editor, 'by-role');
    expect((await act(editor, run.id, 'work', 'complete', text)).status).toBe(200);
    expect(await tasksOf(ben, run)).toEqual([['check', 'The reviewer']]);
  });
});

describe('delegators and delegates', () => {
  it('can’t approve their own work through a delegate or as a delegate', async () => {
    const { owner, editor, mara, ben } = await scene();
    await publish(owner, mara, 'both', payment('reviewer, editor', { worker: '' }));
    // The worker both delegates and is a delegate.
    await delegate(editor, ben, { kinds: ['votes'] });
    await delegate(mara, editor, { kinds: ['votes'] });
    const run = await start(editor, 'both');
    await act(editor, run.id, 'work', 'complete', text);
    expect(await actFor(editor, ben, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    expect(await actFor(mara, editor, run, 'check', 'approve')).toMatchObject(refused(403, 'separate_from'));
    for (const person of [ben, editor]) {
      expect(await tasksOf(person, run)).toEqual([]);
      expect(await delegatedTo(person, run, 'check')).toEqual([]);
    }
    expect(await act(mara, run.id, 'check', 'approve')).toMatchObject({ status: 200 });
  });

  it('can’t approve work that a delegate did for them', async () => {
    const { owner, editor, mara, ben } = await scene();
    await publish(owner, mara, 'both', payment('reviewer, viewer', { worker: mara.user.email }));
    await delegate(mara, ben, { kinds: ['tasks', 'votes'] });
    const run = await start(editor, 'both');
    expect(await actFor(mara, ben, run, 'work', 'complete', text)).toMatchObject({ status: 200 });
    for (const attempt of [
      act(mara, run.id, 'check', 'approve'),
      act(ben, run.id, 'check', 'approve'),
      actFor(mara, ben, run, 'check', 'approve'),
    ])
      expect(await attempt).toMatchObject(refused(403, 'separate_from'));
  });

  it('have one vote, whoever casts it', async () => {
    const { orgId, editor, mara, ben, atCheck } = await scene({ assignedRole: 'reviewer', minimumApprovers: 3 });
    const [cem, dee] = [await server.signUp(), await server.signUp()];
    for (const person of [cem, dee]) await joinOrganization(server, person, orgId, 'reviewer');
    // Mara and Cem delegate to each other, and Dee delegates to Ben.
    await delegate(mara, cem, { kinds: ['votes'] });
    await delegate(cem, mara, { kinds: ['votes'] });
    await delegate(dee, ben, { kinds: ['votes'] });
    const run = await atCheck();
    expect(await actFor(mara, cem, run, 'check', 'approve')).toMatchObject({ status: 200 });
    for (const attempt of [
      act(mara, run.id, 'check', 'approve'),
      act(cem, run.id, 'check', 'approve'),
      actFor(cem, mara, run, 'check', 'approve'),
      actFor(mara, cem, run, 'check', 'approve'),
    ])
      expect(await attempt).toMatchObject(refused(409, 'already_voted'));
    expect(await actFor(dee, ben, run, 'check', 'approve')).toMatchObject({ status: 200 });
    expect(await act(dee, run.id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
    expect((await runOf(editor, run.id)).status).toBe('running');
  });

  it('who vote at the same time have one vote, and the second one is refused', async () => {
    const { mara, ben, atCheck } = await scene({ minimumApprovers: 2 });
    await delegate(mara, ben, { kinds: ['votes'] });
    for (let n = 0; n < 5; n += 1) {
      const run = await atCheck();
      const replies = await Promise.all([
        act(mara, run.id, 'check', 'approve'),
        actFor(mara, ben, run, 'check', 'approve'),
      ]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect((await runOf(mara, run.id)).steps[1]?.approvals?.votes).toHaveLength(1);
    }
  });

  it('are refused once the delegator lacks the role for the step or has left, even if the delegator joins again', async () => {
    const { owner, orgId, editor, mara, ben } = await scene();
    await publish(owner, mara, 'unassigned', payment('', { worker: editor.user.email }));
    const run = await start(editor, 'unassigned');
    await act(editor, run.id, 'work', 'complete', text);
    await delegate(mara, ben, { kinds: ['votes'] });
    expect(await tasksOf(ben, run)).toEqual([['check', 'The reviewer']]);
    await owner.patch(`/api/organizations/${orgId}/users/${mara.user.id}`, { role: 'viewer' });
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject(refused(403, 'not_assigned'));
    expect(await tasksOf(ben, run)).toEqual([]);
    await owner.patch(`/api/organizations/${orgId}/users/${mara.user.id}`, { role: 'reviewer' });
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${mara.user.id}`);
    await joinOrganization(server, mara, orgId, 'reviewer');
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject(notDelegated);
  });

  it('never get a server error while a delegator who has another step of the run is removed', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { owner, orgId, editor, mara, ben } = await scene();
      const steps = [
        { id: 'work', title: 'Work', assignee: editor.user.email, next: ['check', 'other'] },
        { id: 'check', title: 'Check', type: 'approval', assignee: mara.user.email, next: [] },
        { id: 'other', title: 'Other', assignee: 'reviewer', next: [] },
      ];
      await publish(owner, mara, 'both', steps);
      await delegate(mara, ben, { kinds: ['votes'] });
      const run = await start(editor, 'both');
      await act(editor, run.id, 'work', 'complete', text);
      expect((await act(mara, run.id, 'other', 'claim')).status).toBe(200);
      const [vote, removal] = await Promise.all([
        actFor(mara, ben, run, 'check', 'approve'),
        owner.call('DELETE', `/api/organizations/${orgId}/users/${mara.user.id}`),
      ]);
      expect(removal.status).toBe(200);
      expect([200, 403]).toContain(vote.status);
    }
  });

  it('lose no vote if a delegate leaves: it still counts as the delegator’s', async () => {
    const { owner, orgId, mara, ben, atCheck } = await scene({ minimumApprovers: 2 });
    await delegate(mara, ben, { kinds: ['votes'] });
    const run = await atCheck();
    expect(await actFor(mara, ben, run, 'check', 'approve')).toMatchObject({ status: 200 });
    await owner.call('DELETE', `/api/organizations/${orgId}/users/${ben.user.id}`);
    expect(await act(mara, run.id, 'check', 'approve')).toMatchObject(refused(409, 'already_voted'));
  });

  it('can’t name someone of another organization, or themselves', async () => {
    const { mara, ben, atCheck } = await scene();
    const { owner: stranger } = await teamOf(server, []);
    const run = await atCheck();
    for (const whose of [stranger, ben])
      expect(await actFor(whose, ben, run, 'check', 'approve')).toMatchObject(notDelegated);
    expect(await act(ben, run.id, 'check', 'approve', { onBehalfOf: 'Mara' })).toMatchObject({ status: 400 });
    expect(await actFor(mara, mara, run, 'check', 'approve')).toMatchObject(notDelegated);
  });
});

describe('the end of a delegation', () => {
  const head = (orgId: string) => ({ text: 'select from audit_heads where org_id = $1 for update', values: [orgId] });

  it('waits for a vote that is being saved, and that vote counts', async () => {
    const { orgId, mara, ben, atCheck } = await scene();
    const { id } = await delegate(mara, ben, { kinds: ['votes'] });
    const run = await atCheck();
    const replies = await whileLocked(server, head(orgId), [
      () => actFor(mara, ben, run, 'check', 'approve'),
      () => mara.call('DELETE', `/api/delegations/${id}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const order = await server.sql(
      `select action from audit_events where org_id = $1 and action in ('step.approved', 'delegation.ended') order by seq`,
      [orgId],
    );
    expect(order).toEqual([{ action: 'step.approved' }, { action: 'delegation.ended' }]);
  });

  it.each([
    ['the delegation', `update delegations set ended_at = now() where org_id = $1`],
    ['the delegator’s membership', `delete from memberships where org_id = $1 and role = 'reviewer'`],
    ['the delegate’s membership', `delete from memberships where org_id = $1 and role = 'viewer'`],
    [
      'the delegator’s account',
      `update users set disabled_at = now() where id in (select from_user_id from delegations where org_id = $1)`,
    ],
    [
      'the delegate’s account',
      `update users set disabled_at = now() where id in (select to_user_id from delegations where org_id = $1)`,
    ],
  ])('prevents a vote that waits for the end of %s', async (_, change) => {
    const { orgId, mara, ben, atCheck } = await scene();
    await delegate(mara, ben, { kinds: ['votes'] });
    const run = await atCheck();
    const values = [orgId];
    const reply = await changeBefore(server, orgId, { text: change, values, alone: true }, () =>
      actFor(mara, ben, run, 'check', 'approve'),
    );
    expect(reply).toMatchObject(notDelegated);
    expect(
      await server.sql(`select 1 from audit_events where run_id = $1 and action = 'step.approved'`, [run.id]),
    ).toEqual([]);
  });

  it('isn’t caused by a change of the delegator’s role: a waiting vote is decided with the new role', async () => {
    const { orgId, editor, owner, mara, ben, atCheck } = await scene();
    await publish(owner, mara, 'unassigned', payment('', { worker: editor.user.email }));
    const unassigned = await start(editor, 'unassigned');
    await act(editor, unassigned.id, 'work', 'complete', text);
    await delegate(mara, ben, { kinds: ['votes'] });
    const named = await atCheck();
    const change = `update memberships set role = 'viewer' where org_id = $1 and role = 'reviewer'`;
    const reply = await changeBefore(server, orgId, { text: change, values: [orgId], alone: true }, () =>
      actFor(mara, ben, unassigned, 'check', 'approve'),
    );
    expect(reply).toMatchObject(refused(403, 'not_assigned'));
    // A viewer may decide a step that names them.
    expect(await actFor(mara, ben, named, 'check', 'approve')).toMatchObject({ status: 200 });
  });

  it('prevents a vote that isn’t saved before it', async () => {
    const { orgId, mara, ben, atCheck } = await scene();
    const { id } = await delegate(mara, ben, { kinds: ['votes'] });
    const run = await atCheck();
    await server.sql(`update delegations set ends_at = clock_timestamp() + interval '1 second' where id = $1`, [id]);
    const isOver = async () =>
      (await server.sql('select 1 from delegations where id = $1 and ends_at <= clock_timestamp()', [id])).length > 0;
    const replies = await whileLocked(server, head(orgId), [() => actFor(mara, ben, run, 'check', 'approve')], isOver);
    expect(replies).toMatchObject([notDelegated]);
    expect((await runOf(mara, run.id)).status).toBe('running');
  });
});
