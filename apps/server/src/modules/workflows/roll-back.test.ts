import type { Run, VersionRecord, WholeDraft, WorkflowDetail } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

const refused = (status: number, code: string): object => ({ status, body: { code } });
const versionOfWinner = (reply: Reply<{ version?: VersionRecord }>): string =>
  reply.status === 200 ? `v${reply.body.version?.version}` : String(reply.status);

describe('a rollback', () => {
  let server: TestServer;
  let owner: Person;
  let reviewer: Person;
  let orgId: string;
  let key: string;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, reviewer, orgId } = await teamOf(server, ['reviewer']));
  });
  afterAll(() => server.stop());
  // Creates three versions. The third one is live.
  beforeEach(async () => {
    key = `rolled-${(keys += 1)}`;
    for (const title of ['One', 'Two', 'Three']) await publish(owner, reviewer, key, stepsNamed(title));
  });

  const rollBack = (
    to: number | string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Reply<{ version?: VersionRecord }>> =>
    reviewer.call('POST', `/api/workflows/${key}/versions/${to}/rollback`, body, headers);
  const versions = async (): Promise<string[]> =>
    (await owner.get<VersionRecord[]>(`/api/workflows/${key}/versions`)).map(
      ({ label, status }) => `${label} ${status}`,
    );
  const liveStep = async (): Promise<string | undefined> =>
    (await owner.get<WorkflowDetail>(`/api/workflows/${key}`)).steps[0]?.title;
  const events = async (): Promise<{ actor: { id: string }; data: Record<string, unknown> }[]> =>
    (
      await server.sql<{ payload: string }>(
        `select payload from audit_events where org_id = $1 and action = 'version.rolled_back' and payload::jsonb -> 'data' ->> 'key' = $2 order by seq`,
        [orgId, key],
      )
    ).map(({ payload }) => JSON.parse(payload) as { actor: { id: string }; data: Record<string, unknown> });

  it('records who did it, why, and which versions were live before and after', async () => {
    const before = await owner.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    await rollBack(1, { reason: '  Two approvers were missing ' });
    const [three, , one] = before;
    expect(await events()).toMatchObject([
      {
        actor: { id: reviewer.user.id },
        data: {
          key,
          from: 3,
          fromVersionId: three?.id,
          to: 1,
          toVersionId: one?.id,
          contentHash: one?.contentHash,
          reason: 'Two approvers were missing',
        },
      },
    ]);
    expect(await versions()).toEqual(['v3 superseded', 'v2 superseded', 'v1 live']);
  });

  it('doesn’t change the version’s number, and the next merge gets the next unused number', async () => {
    const [, two] = await owner.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    expect(await rollBack(two?.id ?? '')).toMatchObject({
      status: 200,
      body: { version: { version: 2, status: 'live' } },
    });
    expect(await liveStep()).toBe('Two');
    await publish(owner, reviewer, key, stepsNamed('Four'));
    expect(await versions()).toEqual(['v4 live', 'v3 superseded', 'v2 superseded', 'v1 superseded']);
  });

  it('accepts a missing reason, but not one that is too long', async () => {
    expect(await rollBack(1, { reason: ' ' })).toMatchObject({ status: 200 });
    expect(await rollBack(2)).toMatchObject({ status: 200 });
    expect((await events()).map(({ data }) => data['reason'])).toEqual([null, null]);
    expect(await rollBack(1, { reason: 'x'.repeat(2001) })).toMatchObject(refused(400, 'invalid'));
  });

  it('is executed only once and gets the same response if it is sent twice with one idempotency key', async () => {
    const headers = { 'idempotency-key': `once-${key}` };
    const first = await rollBack(1, { reason: 'Why' }, headers);
    const again = await rollBack(1, { reason: 'Why' }, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await events()).toHaveLength(1);
    expect(await rollBack(1, { reason: 'Other' }, headers)).toMatchObject(refused(409, 'idempotency_key_reused'));
  });

  it('is executed only once if several requests concurrently roll back to the same version', async () => {
    const replies = await Promise.all([rollBack(1), rollBack(1), rollBack(1)]);
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(await events()).toHaveLength(1);
    expect(await versions()).toEqual(['v3 superseded', 'v2 superseded', 'v1 live']);
  });

  it('results in one live version and a consistent trail if other rollbacks and a merge run concurrently', async () => {
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Four' },
      steps: stepsNamed('Four'),
    });
    await reviewer.post(`/api/workflows/${key}/drafts/${draftId}/approve`);
    const replies = await Promise.all([
      rollBack(1),
      reviewer.call<{ version?: VersionRecord }>('POST', `/api/workflows/${key}/drafts/${draftId}/merge`),
      rollBack(2),
    ]);
    expect(replies[0]?.status).toBe(200);
    expect(replies[2]?.status).toBe(200);
    const all = await versions();
    expect(all.filter((version) => version.endsWith('live'))).toHaveLength(1);
    // The merge either came before both rollbacks, or was refused because its base was no longer live.
    expect(['v4', '409']).toContain(versionOfWinner(replies[1]));
    const trail = await events();
    expect(trail[1]?.data['from']).toBe(trail[0]?.data['to']);
    expect(all).toContain(`v${String(trail[1]?.data['to'])} live`);
  });

  it('is refused if the person becomes a viewer while the request waits for the workflow', async () => {
    const holder = new pg.Client(server.database.connection);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from workflows where org_id = $1 and key = $2 for update', [orgId, key]);
    const rolling = rollBack(1);
    await vi.waitFor(async () => {
      expect(
        await server.sql(
          `select 1 from pg_stat_activity where datname = current_database() and application_name = 'stet' and wait_event_type = 'Lock'`,
        ),
      ).toHaveLength(1);
    }, 30_000);
    const role = (to: string) => owner.patch(`/api/organizations/${orgId}/users/${reviewer.user.id}`, { role: to });
    // The waiting rollback doesn't block this change.
    await role('viewer');
    await holder.query('commit');
    await holder.end();
    expect(await rolling).toMatchObject(refused(403, 'forbidden'));
    expect(await events()).toEqual([]);
    await role('reviewer');
  });

  it('is refused if the version is live, missing or a draft, or if the workflow is archived', async () => {
    expect(await rollBack(3)).toMatchObject(refused(409, 'already_live'));
    expect(await rollBack(4)).toMatchObject(refused(404, 'not_found'));
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Open' },
      steps: stepsNamed('Open'),
    });
    expect(await rollBack(draftId)).toMatchObject(refused(404, 'not_found'));
    await owner.call('DELETE', `/api/workflows/${key}`);
    expect(await rollBack(1)).toMatchObject(refused(409, 'workflow_archived'));
    expect(await events()).toEqual([]);
  });

  it('keeps runs on their versions, and starts new ones on the version that is live again', async () => {
    const begun = await owner.post<Run>('/api/runs', { key, name: 'Begun before' });
    await rollBack(1);
    expect(await owner.get<Run>(`/api/runs/${begun.id}`)).toMatchObject({
      workflowVersion: 3,
      steps: [{ title: 'Three' }],
    });
    expect(await owner.post<Run>('/api/runs', { key, name: 'Begun after' })).toMatchObject({
      workflowVersion: 1,
      steps: [{ title: 'One' }],
    });
    expect(await liveStep()).toBe('One');
  });

  it('makes drafts that are based on the replaced version outdated', async () => {
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Open' },
      steps: stepsNamed('Open'),
    });
    await rollBack(1);
    const draft = await owner.get<WholeDraft>(`/api/workflows/${key}/drafts/${draftId}`);
    expect(draft.blockers.map(({ code }) => code)).toContain('out_of_date');
    await rollBack(3);
    const again = await owner.get<WholeDraft>(`/api/workflows/${key}/drafts/${draftId}`);
    expect(again.blockers.map(({ code }) => code)).not.toContain('out_of_date');
  });
});
