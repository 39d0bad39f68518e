import type { ErrorBody, VersionInForce, WorkflowDocument } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('which version was in force', () => {
  let server: TestServer;
  let owner: Person;
  let admin: Person;
  let reviewer: Person;
  let orgId: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, admin, reviewer, orgId } = await teamOf(server, ['admin', 'reviewer']));
  });
  afterAll(() => server.stop());

  const versionsOf = (key: string): Promise<VersionInForce[]> => owner.get(`/api/workflows/${key}/versions`);
  const asOf = (key: string, at: string): Promise<Reply<WorkflowDocument & ErrorBody>> =>
    owner.call('GET', `/api/workflows/${key}/document?asOf=${encodeURIComponent(at)}`);
  const rollBack = (key: string, to: number, reason?: string): Promise<unknown> =>
    owner.post(`/api/workflows/${key}/versions/${to}/rollback`, { reason });
  const periodsOf = async (key: string) =>
    (await versionsOf(key))
      .flatMap(({ label, inForce }) => inForce.map((period) => ({ label, ...period })))
      .toSorted((one, other) => one.from.localeCompare(other.from));
  /**
   * Moves the recorded changes of a workflow to these instants, in order. Only the owner of the database could do this.
   */
  const dateChanges = async (key: string, instants: readonly string[]): Promise<void> => {
    await server.sql('alter table audit_events disable trigger user');
    const events = await server.sql<{ seq: string }>(
      `select seq from audit_events where org_id = $1 and payload::json #>> '{data,key}' = $2
         and action in ('draft.merged', 'version.rolled_back', 'workflow.archived') order by seq`,
      [orgId, key],
    );
    for (const [n, { seq }] of events.entries())
      await server.sql('update audit_events set at = $3 where org_id = $1 and seq = $2', [orgId, seq, instants[n]]);
    await server.sql('alter table audit_events enable trigger user');
  };

  it('is listed with each version: who put it in force, why, and when its period ended', async () => {
    const key = 'listed';
    await publish(owner, reviewer, key, stepsNamed('One'));
    await publish(owner, reviewer, key, stepsNamed('Two'));
    await rollBack(key, 1, 'Two was too much');
    await publish(owner, reviewer, key, stepsNamed('Three'));
    const [three, two, one] = await versionsOf(key);
    const by = { id: reviewer.user.id };
    expect(one?.inForce).toMatchObject([
      { act: 'merge', by, reason: null, isEmergency: false, endedBy: 'merge' },
      { act: 'rollback', by: { id: owner.user.id }, reason: 'Two was too much', isEmergency: false, endedBy: 'merge' },
    ]);
    expect(two?.inForce).toMatchObject([{ act: 'merge', endedBy: 'rollback' }]);
    expect(three?.inForce).toMatchObject([{ act: 'merge', until: null, endedBy: null }]);
    expect(await periodsOf(key)).toMatchObject(['v1', 'v2', 'v1', 'v3'].map((label) => ({ label })));
    const periods = await periodsOf(key);
    expect(periods.slice(1).map(({ from }) => from)).toEqual(periods.slice(0, -1).map(({ until }) => until));
    expect(await owner.get(`/api/workflows/${key}/document?version=1`)).toMatchObject({
      inForce: one?.inForce,
      asOf: null,
    });
  });

  it('is listed with the approvals of each version, and whether they counted when it went live', async () => {
    const key = 'approved';
    await publish(owner, reviewer, key, stepsNamed('One'));
    const { draftId } = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'At once' },
      steps: stepsNamed('Two'),
    });
    expect(await versionsOf(key)).toMatchObject([
      { label: 'Draft', approvals: [], inForce: [] },
      {
        label: 'v1',
        approvals: [{ reviewer: { id: reviewer.user.id }, marks: [], counted: true, selfApproved: false }],
      },
    ]);
    await owner.post(`/api/workflows/${key}/drafts/${draftId}/merge`, { emergency: { reason: 'It burns' } });
    const [two] = await versionsOf(key);
    expect(two).toMatchObject({
      emergency: { reason: 'It burns' },
      approvals: [],
      inForce: [{ isEmergency: true, reason: 'It burns' }],
    });

    await server.sql('update organizations set required_approvals = 2 where id = $1', [orgId]);
    const third = await owner.post<{ draftId: string }>(`/api/workflows/${key}/drafts`, {
      metadata: { title: 'Three' },
      steps: stepsNamed('Three'),
    });
    await admin.post(`/api/workflows/${key}/drafts/${third.draftId}/approve`, { comment: 'Fine' });
    await reviewer.post(`/api/workflows/${key}/drafts/${third.draftId}/approve`);
    await reviewer.post(`/api/workflows/${key}/drafts/${third.draftId}/merge`);
    await server.sql('update organizations set required_approvals = 1 where id = $1', [orgId]);
    const [three] = await versionsOf(key);
    expect(three?.approvals.map(({ comment, counted }) => [comment, counted])).toEqual([
      ['', true],
      ['Fine', true],
    ]);
    // This row looks as if the version had gone live without these approvals.
    await server.sql(`update workflow_versions set approvals = '[]' where org_id = $1 and id = $2`, [
      orgId,
      third.draftId,
    ]);
    expect((await versionsOf(key))[0]?.approvals.map(({ counted }) => counted)).toEqual([false, false]);
    // Earlier releases didn't record the approvals.
    await server.sql(`update workflow_versions set approvals = null where org_id = $1 and id = $2`, [
      orgId,
      third.draftId,
    ]);
    expect((await versionsOf(key))[0]?.approvals.map(({ counted }) => counted)).toEqual([null, null]);
  });

  it('is the document at an instant, exact to the microsecond', async () => {
    const key = 'instants';
    await publish(owner, reviewer, key, stepsNamed('One'));
    await publish(owner, reviewer, key, stepsNamed('Two'));
    await rollBack(key, 1);
    await dateChanges(key, ['2026-03-01T10:00:00.000005Z', '2026-04-01T10:00:00Z', '2026-05-01T10:00:00Z']);
    const versionAt = async (at: string) => (await asOf(key, at)).body.version ?? null;
    expect(await versionAt('2026-03-01T10:00:00.000004Z')).toBeNull();
    expect(await versionAt('2026-03-01T10:00:00.000005Z')).toBe(1);
    expect(await versionAt('2026-04-01T09:59:59.999999Z')).toBe(1);
    expect(await versionAt('2026-04-01T12:00:00+02:00')).toBe(2);
    expect(await versionAt('2026-05-01T10:00:00Z')).toBe(1);
    expect((await asOf(key, '2026-04-15T00:00:00Z')).body).toMatchObject({
      label: 'v2',
      status: 'superseded',
      steps: [{ title: 'Two' }],
      asOf: { at: '2026-04-15T00:00:00.000000Z', timeZone: 'UTC' },
      inForce: [{ from: '2026-04-01T10:00:00.000000Z', until: '2026-05-01T10:00:00.000000Z' }],
    });
  });

  it('is the document at the end of a day in the time zone of the working hours', async () => {
    const key = 'days';
    await publish(owner, reviewer, key, stepsNamed('One'));
    await publish(owner, reviewer, key, stepsNamed('Two'));
    // 1 September, 23:30 in Berlin; 2 September, 00:30 in Berlin, which is still 1 September in UTC.
    await dateChanges(key, ['2026-09-01T21:30:00Z', '2026-09-01T22:30:00Z']);
    expect((await asOf(key, '2026-09-01')).body.version).toBe(2);
    const week = Array.from({ length: 7 }, () => [{ from: 540, to: 1020 }]);
    await server.sql('update organizations set working_hours = $2 where id = $1', [
      orgId,
      JSON.stringify({ timeZone: 'Europe/Berlin', week, holidays: [] }),
    ]);
    try {
      expect((await asOf(key, '2026-09-01')).body).toMatchObject({
        version: 1,
        asOf: { at: '2026-09-01T21:59:59.999999Z', timeZone: 'Europe/Berlin' },
      });
      expect((await asOf(key, '2026-09-02')).body.version).toBe(2);
    } finally {
      await server.sql('update organizations set working_hours = null where id = $1', [orgId]);
    }
  });

  it('is the live version today, and is refused for the future', async () => {
    const key = 'today';
    await publish(owner, reviewer, key);
    const today = new Date().toISOString().slice(0, 10);
    expect((await asOf(key, today)).body).toMatchObject({ version: 1, status: 'live' });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const at of [tomorrow, tomorrow.slice(0, 10)])
      expect(await asOf(key, at)).toMatchObject({
        status: 400,
        body: { code: 'invalid', details: [{ field: 'asOf', problem: 'is in the future' }] },
      });
  });

  it('doesn’t exist before the first version, without a live version, or after archiving', async () => {
    const key = 'gone';
    await publish(owner, reviewer, key);
    await owner.call('DELETE', `/api/workflows/${key}`);
    await dateChanges(key, ['2026-03-01T10:00:00Z', '2026-04-01T10:00:00Z']);
    expect(await asOf(key, '2026-02-28')).toMatchObject({
      status: 404,
      body: {
        code: 'not_in_force',
        error: 'No version was in force then. The first one went live on 1 Mar 2026, 10:00 UTC.',
        details: [{ firstLiveAt: '2026-03-01T10:00:00.000000Z', archivedAt: null }],
      },
    });
    expect((await asOf(key, '2026-03-31')).body).toMatchObject({ version: 1, archived: true });
    expect(await asOf(key, '2026-04-01')).toMatchObject({
      status: 404,
      body: {
        code: 'not_in_force',
        error: 'No version was in force then. The workflow was archived on 1 Apr 2026, 10:00 UTC.',
      },
    });
    expect((await versionsOf(key))[0]?.inForce).toMatchObject([{ endedBy: 'archive' }]);

    await owner.post('/api/workflows/unmerged/drafts', { metadata: { title: 'New' }, steps: stepsNamed('One') });
    expect(await asOf('unmerged', '2026-03-31')).toMatchObject({
      status: 404,
      body: { code: 'not_in_force', error: 'No version of this workflow has ever been live' },
    });
    expect(await asOf('nowhere', '2026-03-31')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it.each(['yesterday', '2026-02-30', '2026-09-01T10:00', '2026-09', ''])('can’t be requested for %j', async (at) => {
    expect(await asOf('today', at)).toMatchObject({
      status: 400,
      body: {
        details: [
          { field: 'asOf', problem: 'must be a date or a time, for example 2026-09-01 or 2026-09-01T09:30:00Z' },
        ],
      },
    });
  });

  it('can’t be requested together with a version', async () => {
    const reply = await owner.call('GET', '/api/workflows/today/document?version=1&asOf=2026-09-01');
    expect(reply).toMatchObject({ status: 400, body: { details: [{ field: 'asOf' }] } });
  });

  it('is found with an index of the events that change the live version', async () => {
    // Without this option, the plan depends on how many events the small table holds.
    const client = new pg.Client({ ...server.database.connection, options: '-c enable_seqscan=off' });
    await client.connect();
    const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select seq from audit_events where org_id = '${orgId}' and subject_id = 'x'
         and action in ('draft.merged', 'version.rolled_back', 'workflow.archived')`,
    );
    await client.end();
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('audit_events_of_live_changes');
  });
});
