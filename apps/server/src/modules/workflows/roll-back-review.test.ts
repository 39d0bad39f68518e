import type { Confirmation, Run, VersionRecord, WholeDraft, WorkflowDetail } from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../../testing/api-tokens.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { remindOfEmergencies } from '../confirmations/remind-of-emergencies.job.ts';
import { type Client, type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const PLAIN = [{ id: 'pay', title: 'Pay', sla: '1 day' }];
const GUARDED = [
  { id: 'cfo', title: 'CFO approval', type: 'approval', sla: '1 day', next: ['pay'] },
  { id: 'pay', title: 'Pay', sla: '1 day' },
];

describe('going back to an earlier version', () => {
  let server: TestServer;
  let owner: Person;
  let admin: Person;
  let editor: Person;
  let reviewer: Person;
  let orgId: string;
  let key: string;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, admin, editor, reviewer, orgId } = await teamOf(server, ['admin', 'editor', 'reviewer']));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    key = `back-${(keys += 1)}`;
  });

  type Answer = Reply<{ version: VersionRecord; code?: string; details?: object[] }>;
  const rollBack = (by: Client, to: number, body?: object): Promise<Answer> =>
    by.call('POST', `/api/workflows/${key}/versions/${to}/rollback`, body);
  const liveVersion = async (): Promise<number | undefined> =>
    (await owner.get<WorkflowDetail>(`/api/workflows/${key}`)).version?.number;
  const events = async (action: string): Promise<Record<string, unknown>[]> =>
    (
      await server.sql<{ payload: string }>(
        `select payload from audit_events where org_id = $1 and action = $2 and payload like '%' || $3 || '%' order by seq`,
        [orgId, action, key],
      )
    ).map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
  const notified = async (person: Person, kind: string): Promise<string[]> =>
    (
      await server.sql<{ body: string }>(
        `select body from notifications where org_id = $1 and user_id = $2 and kind = $3 order by created_at desc`,
        [orgId, person.user.id, kind],
      )
    ).map(({ body }) => body);
  const policy = (requiredApprovals: number, strict = false): Promise<unknown> =>
    server.sql('update organizations set required_approvals = $2, strict = $3 where id = $1', [
      orgId,
      requiredApprovals,
      strict,
    ]);
  const needsReview = (sentence: string): object => ({
    status: 409,
    body: {
      code: 'rollback_needs_review',
      details: expect.arrayContaining([expect.objectContaining({ sentence })]) as unknown,
    },
  });

  it('is refused if it removes a control, with a list of the controls that would be lost', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, GUARDED);
    expect(await rollBack(owner, 1, { reason: 'Too slow' })).toMatchObject(
      needsReview('CFO approval is no longer an approval of this workflow'),
    );
    expect(await liveVersion()).toBe(2);
    await publish(editor, reviewer, key, PLAIN);
    expect(await rollBack(owner, 2)).toMatchObject({ status: 200 });
  });

  it('is refused if the version went live with fewer approvals than the current policy requires', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, stepsNamed('Two'));
    await policy(2);
    expect(await rollBack(owner, 1)).toMatchObject(needsReview('It went live with 1 approval, and 2 are required now'));
    await policy(1);
    expect(await rollBack(owner, 1)).toMatchObject({ status: 200 });
  });

  it('counts the stored reviews of versions that were merged before approvals were recorded', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, stepsNamed('Two'));
    await publish(editor, reviewer, key, stepsNamed('Three'));
    await server.sql(`alter table workflow_versions disable trigger user`);
    await server.sql(`update workflow_versions set approvals = null where org_id = $1`, [orgId]);
    await server.sql(`alter table workflow_versions enable trigger user`);
    expect(await rollBack(owner, 1)).toMatchObject({ status: 200 });
    await server.sql(
      `update draft_reviews r set dismissed = true from workflow_versions v, workflows w
       where r.org_id = $1 and v.id = r.draft_id and w.id = v.workflow_id and w.key = $2 and v.version = 2`,
      [orgId, key],
    );
    expect(await rollBack(owner, 2)).toMatchObject(needsReview('It went live with 0 approvals, and 1 is required now'));
  });

  it('requires unmarked approvals under strict review', async () => {
    await publish(editor, reviewer, key, PLAIN);
    const marked = await personalToken(server, reviewer);
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Two' },
      steps: stepsNamed('Two'),
    });
    const at = `/api/workflows/${key}/drafts/${draftId}`;
    expect((await marked.call('POST', `${at}/approve`, undefined, { 'if-match': '"1"' })).status).toBe(200);
    await reviewer.post(`${at}/merge`);
    await publish(editor, reviewer, key, stepsNamed('Three'));
    await policy(1, true);
    expect(await rollBack(owner, 2)).toMatchObject(
      needsReview('It went live with 0 unmarked approvals, and 1 is required now'),
    );
    expect(await rollBack(owner, 1)).toMatchObject({ status: 200 });
    await policy(1);
  });

  it('is refused if someone has since requested changes to its content', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, stepsNamed('Two'));
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/versions/1/restore`);
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/request-changes`, { comment: 'Not again' });
    expect(await rollBack(owner, 1)).toMatchObject(needsReview('This content has an open request for changes'));
  });

  it('can be opened as a draft based on the live version, for an ordinary review', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, GUARDED);
    const restored = await editor.call<{ draftId: string }>('POST', `/api/workflows/${key}/versions/1/restore`);
    expect(restored.status).toBe(201);
    const draft = await reviewer.get<WholeDraft>(`/api/workflows/${key}/drafts/${restored.body.draftId}`);
    expect(draft).toMatchObject({
      baseVersion: 2,
      status: 'draft',
      steps: [{ id: 'pay' }],
      contributors: [{ id: editor.user.id }],
    });
    const [, one] = await owner
      .get<VersionRecord[]>(`/api/workflows/${key}/versions`)
      .then((all) => all.filter(({ version }) => version));
    expect(draft.contentHash).toBe(one?.contentHash);
    expect(await editor.call('POST', `/api/workflows/${key}/drafts/${draft.id}/approve`)).toMatchObject({
      status: 403,
    });
    await reviewer.post(`/api/workflows/${key}/drafts/${draft.id}/approve`);
    await reviewer.post(`/api/workflows/${key}/drafts/${draft.id}/merge`);
    expect(await liveVersion()).toBe(3);
    expect(await editor.call('POST', `/api/workflows/${key}/versions/3/restore`)).toMatchObject({
      status: 409,
      body: { code: 'already_live' },
    });
    expect((await editor.call('POST', `/api/workflows/${key}/versions/9/restore`)).status).toBe(404);
  });

  it('notifies owners, authors of the live version and people in running runs, and records a missing reason', async () => {
    const starter = await server.signUp();
    await joinOrganization(server, starter, orgId, 'reviewer');
    const assigned = await server.signUp();
    await joinOrganization(server, assigned, orgId, 'viewer');
    await publish(editor, reviewer, key, [{ id: 'a', title: 'A', assignee: assigned.user.email }]);
    await publish(editor, reviewer, key, [{ id: 'a', title: 'B', assignee: assigned.user.email }]);
    await starter.post('/api/runs', { key, name: 'Open' });
    await rollBack(reviewer, 1);
    const title = new RegExp('rolled this workflow back from v2 to v1, and gave no reason');
    for (const person of [owner, editor, starter, assigned])
      expect(await notified(person, 'version_rolled_back')).toContainEqual(expect.stringMatching(title));
    expect(await notified(reviewer, 'version_rolled_back')).toEqual([]);
    expect(await events('version.rolled_back')).toMatchObject([{ reason: null, note: 'no reason given' }]);
  });

  it('also notifies people in failed runs, because someone can still retry the failed step, but not in cancelled ones', async () => {
    const join = async (role: 'reviewer' | 'viewer'): Promise<Person> => {
      const person = await server.signUp();
      await joinOrganization(server, person, orgId, role);
      return person;
    };
    const [starter, assigned, past] = [await join('reviewer'), await join('viewer'), await join('reviewer')];
    const stepsWith = (title: string) => [
      { id: 'begin', title, next: ['check', 'work'] },
      { id: 'check', title: 'Check', type: 'approval', next: [] },
      { id: 'work', title: 'Work', assignee: assigned.user.email, next: [] },
    ];
    for (const title of ['Begin', 'Start']) await publish(editor, reviewer, key, stepsWith(title));
    const { id } = await start(starter, key);
    await complete(editor, id, 'begin');
    const { body } = await act(reviewer, id, 'check', 'reject', { comments: 'No' });
    expect(body.run).toMatchObject({ status: 'failed', currentStepIds: ['work'] });
    const ended = await start(past, key);
    await owner.post(`/api/runs/${ended.id}/cancel`, { reason: 'Enough' });
    expect(await rollBack(reviewer, 1)).toMatchObject({ status: 200 });
    for (const person of [starter, assigned])
      expect(await notified(person, 'version_rolled_back')).toContainEqual(expect.stringContaining('from v2 to v1'));
    expect(await notified(past, 'version_rolled_back')).toEqual([]);
  });

  it("can't be done with an organization's token, or in an emergency with a personal token", async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, stepsNamed('Two'));
    const robot = await organizationToken(server, owner, 'admin');
    expect(await rollBack(robot, 1)).toMatchObject({ status: 403, body: { code: 'not_for_tokens' } });
    const mine = await personalToken(server, owner);
    expect(await rollBack(mine, 1, { emergency: true, reason: 'Now' })).toMatchObject({
      status: 403,
      body: { code: 'not_for_tokens' },
    });
    expect(await rollBack(mine, 1)).toMatchObject({ status: 200 });
  });

  it('can be an emergency of an owner with a reason, which needs no review and is marked until another manager ratifies it', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, GUARDED);
    const emergency = { emergency: true, reason: 'Payments have stopped' };
    expect(await rollBack(admin, 1, emergency)).toMatchObject({ status: 403, body: { code: 'emergency_needs_owner' } });
    expect(await rollBack(owner, 1, { emergency: true, reason: ' ' })).toMatchObject({
      status: 400,
      body: { code: 'reason_required' },
    });
    const done = await rollBack(owner, 1, emergency);
    expect(done).toMatchObject({
      status: 200,
      body: {
        version: {
          version: 1,
          emergency: { by: { id: owner.user.id }, reason: 'Payments have stopped', ratified: null, refused: null },
        },
      },
    });
    for (const person of [admin, editor, reviewer])
      expect(await notified(person, 'emergency')).toContainEqual(expect.stringContaining('Payments have stopped'));
    const run = await owner.post<Run>('/api/runs', { key, name: 'On it' });
    expect(run.emergency).toMatchObject({ reason: 'Payments have stopped', ratified: null });

    const waiting = (await owner.get<Confirmation[]>('/api/confirmations')).find(
      ({ payload }) => payload['key'] === key,
    );
    expect(waiting).toMatchObject({ kind: 'emergency', abilities: { confirm: false, refuse: false, withdraw: false } });
    const path = `/api/confirmations/${waiting?.id}`;
    expect(await owner.call('POST', `${path}/refuse`)).toMatchObject({ status: 403 });
    expect(await owner.call('POST', `${path}/confirm`)).toMatchObject({ status: 403 });
    expect(await admin.call('POST', `${path}/confirm`)).toMatchObject({ status: 200, body: { status: 'confirmed' } });
    expect(await owner.get<Run>(`/api/runs/${run.id}`)).toMatchObject({
      emergency: { ratified: { by: { id: admin.user.id } } },
    });
    expect(await events('emergency.ratified')).toMatchObject([{ reason: 'Payments have stopped' }]);
    expect(await events('version.rolled_back')).toMatchObject([{ emergency: true, reason: 'Payments have stopped' }]);
  });

  it('shows that a run’s emergency is waiting if a later one replaced it, even if an earlier one was ratified', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, GUARDED);
    await rollBack(owner, 1, { emergency: true, reason: 'First' });
    const confirmations = await admin.get<Confirmation[]>('/api/confirmations');
    const first = confirmations.find(({ payload }) => payload['key'] === key);
    await admin.post(`/api/confirmations/${first?.id}/confirm`);
    const ratified = await owner.post<Run>('/api/runs', { key, name: 'Under the first' });
    await rollBack(owner, 2);
    await rollBack(owner, 1, { emergency: true, reason: 'Second' });
    const waiting = await owner.post<Run>('/api/runs', { key, name: 'Under the second' });
    await rollBack(owner, 2);
    await rollBack(owner, 1, { emergency: true, reason: 'Third' });
    const emergency = async ({ id }: Run) => (await owner.get<Run>(`/api/runs/${id}`)).emergency;
    expect(await emergency(ratified)).toMatchObject({ reason: 'First', ratified: { by: { id: admin.user.id } } });
    expect(await emergency(waiting)).toMatchObject({ reason: 'Third', ratified: null });
  });

  it('is refused for a version from an emergency that a manager has refused to ratify', async () => {
    await publish(editor, reviewer, key, stepsNamed('One'));
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Two' },
      steps: stepsNamed('Two'),
    });
    const merge = (by: Person, body?: object): Promise<Answer> =>
      by.call('POST', `/api/workflows/${key}/drafts/${draftId}/merge`, body);
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/request-changes`, { comment: 'No' });
    expect(await merge(owner)).toMatchObject({ status: 409, body: { code: 'not_submitted' } });
    const emergency = { emergency: { reason: 'It burns' } };
    expect(await merge(admin, emergency)).toMatchObject({ status: 403, body: { code: 'emergency_needs_owner' } });
    expect(await merge(owner, { emergency: { reason: '' } })).toMatchObject({ status: 400 });
    expect(await merge(owner, emergency)).toMatchObject({
      status: 200,
      body: { version: { version: 2, approvals: [], emergency: { reason: 'It burns', ratified: null } } },
    });
    const waiting = (await admin.get<Confirmation[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === draftId,
    );
    await admin.post(`/api/confirmations/${waiting?.id}/refuse`, { reason: 'It was not urgent' });
    expect((await owner.get<VersionRecord[]>(`/api/workflows/${key}/versions`))[0]?.emergency).toMatchObject({
      ratified: null,
      refused: { by: { id: admin.user.id }, reason: 'It was not urgent' },
    });
    expect(await events('draft.merged')).toMatchObject([{}, { emergency: true, reason: 'It burns' }]);
    await publish(editor, reviewer, key, stepsNamed('Three'));
    expect(await rollBack(owner, 2)).toMatchObject(needsReview('It went live in an emergency that was never ratified'));
  });

  it('can’t be an emergency under strict review, and neither can a merge', async () => {
    await publish(editor, reviewer, key, PLAIN);
    const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Two' },
      steps: stepsNamed('Two'),
    });
    const path = `/api/workflows/${key}/drafts/${draftId}/merge`;
    const emergency = { emergency: { reason: 'Now' } };
    await policy(1, true);
    expect(await owner.call('POST', path, emergency)).toMatchObject({
      status: 409,
      body: { code: 'strict_refuses_emergency' },
    });
    await publish(editor, reviewer, key, GUARDED);
    expect(await rollBack(owner, 1, { emergency: true, reason: 'Now' })).toMatchObject({
      status: 409,
      body: { code: 'strict_refuses_emergency' },
    });
    await policy(1);
    expect(await owner.call('POST', path, emergency)).toMatchObject({ status: 409, body: { code: 'out_of_date' } });
  });

  it('is an ordinary rollback if an emergency is requested although nothing requires a review', async () => {
    await publish(editor, reviewer, key, PLAIN);
    await publish(editor, reviewer, key, stepsNamed('Two'));
    expect((await rollBack(owner, 1, { emergency: true, reason: 'Now' })).body.version.emergency).toBeNull();
  });

  it.each(['merge', 'rollback'])(
    'reminds the other managers of an emergency, such as a %s, every day until someone has ratified it',
    async (kind) => {
      const reason = `Because of ${key}`;
      if (kind === 'rollback') {
        for (const steps of [PLAIN, GUARDED]) await publish(editor, reviewer, key, steps);
        expect((await rollBack(owner, 1, { emergency: true, reason })).status).toBe(200);
      } else {
        const { draftId } = await editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
          metadata: { title: 'One' },
          steps: PLAIN,
        });
        await owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`, { emergency: { reason } });
      }
      const waiting = (await admin.get<Confirmation[]>('/api/confirmations')).find(
        ({ payload }) => payload['key'] === key,
      );
      const reminders = async (person: Person): Promise<number> =>
        (
          await server.sql(
            `select 1 from notifications where org_id = $1 and user_id = $2 and source like 'emergency_reminder:%' and body like '%' || $3`,
            [orgId, person.user.id, reason],
          )
        ).length;
      const daysAgo = (days: number): Promise<unknown> =>
        server.sql(`update confirmations set proposed_at = now() - $2 * interval '1 day' where id = $1`, [
          waiting?.id,
          days,
        ]);
      await remindOfEmergencies(server.server.deps);
      expect(await reminders(admin)).toBe(0);
      await daysAgo(1.1);
      await remindOfEmergencies(server.server.deps);
      await remindOfEmergencies(server.server.deps);
      expect([await reminders(admin), await reminders(owner), await reminders(editor)]).toEqual([1, 0, 0]);
      await daysAgo(2.1);
      await remindOfEmergencies(server.server.deps);
      expect(await reminders(admin)).toBe(2);
      await admin.post(`/api/confirmations/${waiting?.id}/confirm`);
      await daysAgo(3.1);
      await remindOfEmergencies(server.server.deps);
      expect(await reminders(admin)).toBe(2);
    },
  );

  it.each(['merge', 'rollback'])(
    'records in an emergency, such as a %s, that there was no other manager, and lets the next one ratify it',
    async (kind) => {
      const alone = await teamOf(server, ['editor', 'reviewer']);
      if (kind === 'rollback') {
        for (const steps of [PLAIN, GUARDED]) await publish(alone.editor, alone.reviewer, key, steps);
        expect((await rollBack(alone.owner, 1, { emergency: true, reason: 'Now' })).status).toBe(200);
      } else {
        const { draftId } = await alone.editor.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
          metadata: { title: 'One' },
          steps: PLAIN,
        });
        await alone.owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`, { emergency: { reason: 'Now' } });
      }
      const [waiting] = await alone.owner.get<Confirmation[]>('/api/confirmations');
      expect(waiting?.payload).toMatchObject({ note: 'alone: no other proved owner or admin' });
      const second = await server.signUp();
      await joinOrganization(server, second, alone.orgId, 'admin');
      expect((await alone.owner.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(403);
      expect((await second.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    },
  );

  it('requires a review if the version contains simulated steps and the organization refuses them', async () => {
    await publish(owner, reviewer, key, [{ id: 'robot', title: 'Robot', type: 'automated' }]);
    await publish(owner, reviewer, key, PLAIN);
    await owner.patch(`/api/organizations/${orgId}`, { simulatedSteps: 'refused' });
    const reply = await rollBack(owner, 1);
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'rollback_needs_review', details: [{ code: 'simulated_steps', stepIds: ['robot'] }] },
    });
    expect(reply.body).toMatchObject({ error: expect.stringContaining('Simulated steps can’t go live') as unknown });
    expect(await liveVersion()).toBe(2);
    await server.sql(`update organizations set simulated_steps = 'allowed' where id = $1`, [orgId]);
    expect((await rollBack(owner, 1)).status).toBe(200);
  });
});
