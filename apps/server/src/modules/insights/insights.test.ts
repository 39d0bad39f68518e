import type { Conformance, InsightsOverview, Run, RunSummary, WorkflowInsights } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { followTrails, recount } from './follow-trail.ts';

const KEY = 'pay-invoices';
const STEPS = [
  { id: 'enter', title: 'Enter invoice', assignee: 'editor', sla: '1h', next: ['check'] },
  {
    id: 'check',
    title: 'Check invoice',
    type: 'approval',
    assignee: 'reviewer',
    config: { onReject: 'enter' },
    next: ['pay'],
  },
  { id: 'pay', title: 'Pay', assignee: 'group:finance', sla: '1 day', next: [] as string[] },
];

type Event = { runId: string; action: string; at: number; data: Record<string, unknown> };

describe('insights', () => {
  let server: TestServer;
  let [owner, editor, reviewer, viewer]: Person[] = [];
  let orgId = '';
  const person = (one: Person | undefined): Person => {
    if (!one) throw new Error('not signed up yet');
    return one;
  };
  const insights = (query = '', by = owner) =>
    person(by).get<WorkflowInsights>(`/api/workflows/${KEY}/insights${query}`);
  const runs: { id: string; how: 'completed' | 'returned' | 'skipped' | 'cancelled' | 'open' }[] = [];

  /** Counts all events so far. */
  const countEvents = async (): Promise<void> => {
    const findUncounted = () =>
      server.sql(
        `select from audit_heads h left join insight_cursors c on c.org_id = h.org_id
         where h.org_id = $1 and h.seq > coalesce(c.seq, 0)`,
        [orgId],
      );
    while ((await findUncounted()).length > 0) await followTrails(server.server.deps);
  };

  beforeAll(async () => {
    server = await startTestServer();
    const team = await teamOf(server, ['editor', 'reviewer', 'viewer']);
    ({ owner, editor, reviewer, viewer, orgId } = team);
    const members = [team.owner.user.id, team.editor.user.id];
    await team.owner.post('/api/groups', { name: 'Finance', slug: 'finance', members });
    await publish(team.editor, team.reviewer, KEY, STEPS);
    await publish(team.editor, team.reviewer, 'other-flow');
    for (const how of [
      'completed',
      'completed',
      'returned',
      'skipped',
      'completed',
      'cancelled',
      'open',
      'completed',
    ] as const) {
      const { id } = await start(team.owner, KEY, `Invoice ${runs.length + 1}`);
      runs.push({ id, how });
      await complete(team.editor, id, 'enter');
      if (how === 'open') continue;
      if (how === 'cancelled') {
        await team.owner.post(`/api/runs/${id}/cancel`, { reason: 'Paid twice' });
        continue;
      }
      if (how === 'returned') {
        await act(team.reviewer, id, 'check', 'reject', { comments: 'Wrong amount' });
        await complete(team.editor, id, 'enter');
      }
      if (how === 'skipped')
        for (const by of [team.owner, team.reviewer]) await act(by, id, 'check', 'skip', { reason: 'Known supplier' });
      else await act(team.reviewer, id, 'check', 'approve');
      if (how === 'returned')
        await act(team.editor, id, 'pay', 'hand-over', { to: team.owner.user.email, reason: 'On holiday' });
      await complete(team.owner, id, 'pay');
    }
    await countEvents();
  });
  afterAll(() => server.stop());

  it('equal figures computed from the exported audit trail', async () => {
    const lines = (await person(owner).call<string>('GET', '/api/audit/export.ndjson')).body;
    const events = String(lines)
      .split('\n')
      .filter((line) => line.includes('"runId"'))
      .map((line) => JSON.parse((JSON.parse(line) as { payload?: string }).payload ?? '{}') as Partial<Event>)
      .flatMap(({ runId, action = '', data = {} }): Event[] =>
        runId === undefined ? [] : [{ runId, action, data, at: Number(data['at']) }],
      );
    const of = (action: string, stepId?: string) =>
      events.filter((event) => event.action === action && (stepId === undefined || event.data['stepId'] === stepId));
    const completed = of('run.completed');
    const cancelled = of('run.cancelled');
    const startOf = (runId?: string) => of('run.started').find((event) => event.runId === runId)?.at ?? 0;
    const endedIds = [...completed, ...cancelled].map(({ runId }) => runId);
    const inEnded = (list: Event[]) => list.filter(({ runId }) => endedIds.includes(runId)).length;
    const median = (all: number[]) => all.toSorted((one, other) => one - other)[Math.ceil(all.length / 2) - 1];
    const found = await insights();
    expect(found.runs).toMatchObject({
      started: 8,
      ended: completed.length + cancelled.length,
      completed: completed.length,
      cancelled: cancelled.length,
      failed: 0,
      sla: { timed: completed.length, kept: completed.length },
    });
    expect(completed).toHaveLength(6);
    expect(found.runs.times.count).toBe(6);
    expect(found.runs.times.calendar.p50).toBe(
      median(completed.map(({ runId, at }) => Math.round((at - startOf(runId)) / 1000))),
    );
    for (const stepId of ['enter', 'check', 'pay']) {
      const step = found.steps.find((each) => each.stepId === stepId);
      expect(step).toMatchObject({
        visits: inEnded(of('step.activated', stepId)),
        completed: inEnded(of('step.completed', stepId)),
        skipped: inEnded(of('step.skipped', stepId)),
        sentBack: inEnded(of('step.rejected', stepId)),
        handedOver: inEnded(of('step.handed_over', stepId)),
        returned: of('step.activated', stepId).filter(({ data }) => data['returned'] !== null).length,
        people: null,
      });
    }
    expect(found.steps.find(({ stepId }) => stepId === 'pay')).toMatchObject({
      doneBy: 'group:finance',
      handedOver: 1,
    });
    const load = (who: string) =>
      found.load
        .filter((each) => each.who === who)
        .reduce(([into = 0, outOf = 0], { arrived, done }) => [into + arrived, outOf + done], [0, 0]);
    expect(load('group:finance')).toEqual([of('step.activated', 'pay').length, of('step.completed', 'pay').length]);
    expect(load('role:editor')).toEqual([of('step.activated', 'enter').length, of('step.completed', 'enter').length]);
    expect(found.paths).toMatchObject({
      listed: [{ stepIds: ['enter', 'check', 'pay'], runs: 6 }],
      others: 0,
      runs: 6,
    });
    expect(Date.parse(found.asOf)).toBeGreaterThan(completed.at(-1)?.at ?? Infinity);
  });

  it('lead to lists with as many runs as the figures say', async () => {
    const found = await insights();
    const idsOf = async (query: string, sort = 'newest') => {
      const period = `from=${found.from}T00:00:00.000Z&to=${found.to}T23:59:59.999Z`;
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null && ids.length < 100;) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const reply: Awaited<ReturnType<Person['call']>> = await person(viewer).call(
          'GET',
          `/api/runs?workflow=${KEY}&limit=2&sort=${sort}&${period}&${query}${more}`,
        );
        expect(reply.status).toBe(200);
        ids.push(...(reply.body as RunSummary[]).map(({ id }) => id));
        cursor = reply.headers.get('x-next-cursor');
      }
      expect(new Set(ids).size).toBe(ids.length);
      return ids;
    };
    const { started, completed, failed, cancelled, sla } = found.runs;
    expect(await idsOf('')).toHaveLength(started);
    for (const [status, count] of Object.entries({ completed, failed, cancelled }))
      expect(await idsOf(`status=${status}`)).toHaveLength(count);
    expect(await idsOf('status=completed&sla=breached')).toHaveLength(sla.timed - sla.kept);
    let counted = 0;
    for (const { stepId, inRuns } of found.steps)
      for (const [outcome, count] of Object.entries(inRuns)) {
        const ids = await idsOf(`figure=${outcome}:${stepId}`);
        expect([stepId, outcome, ids.length]).toEqual([stepId, outcome, count]);
        expect(await idsOf(`figure=${outcome}:${stepId}&version=1`, 'oldest')).toEqual(ids.toReversed());
        expect(await idsOf(`figure=${outcome}:${stepId}&version=2`)).toEqual([]);
        counted += count;
      }
    expect(counted).toBeGreaterThan(20);
    const idOf = (how: string) => runs.filter((run) => run.how === how).map(({ id }) => id);
    expect(await idsOf('figure=returned:enter')).toEqual(idOf('returned'));
    expect(await idsOf('figure=handedOver:pay')).toEqual(idOf('returned'));
    expect(await idsOf('figure=skipped:check')).toEqual(idOf('skipped'));
    expect(await idsOf('figure=completed:enter&status=cancelled')).toEqual(idOf('cancelled'));
    for (const { id, runs: count } of found.paths.listed) expect(await idsOf(`figure=path:${id}`)).toHaveLength(count);
    expect(found.paths.listed[0]?.runs).toBe(6);
  });

  it.each([
    ['figure=late:check', 'needs a workflow'],
    [`figure=late:check&workflow=${KEY}&q=Invoice`, 'can’t be combined with q or with'],
    [`figure=late:check&workflow=${KEY}&with=editor`, 'can’t be combined with q or with'],
  ])('refuse a list of the runs behind a figure with %s: %s', async (query, problem) =>
    expect(await person(viewer).call('GET', `/api/runs?${query}`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'figure', problem }] },
    }),
  );
  it.each(['name', 'due', 'attention', 'priority'])(
    'refuse a list of the runs behind a figure in the order of %s',
    async (sort) =>
      expect(
        await person(viewer).call('GET', `/api/runs?workflow=${KEY}&figure=late:check&sort=${sort}`),
      ).toMatchObject({
        status: 400,
        body: { details: [{ field: 'figure', problem: 'can only be sorted by newest or oldest' }] },
      }),
  );

  it('are the same after they have been counted again, in small batches or in one', async () => {
    const cells = async () =>
      server.sql(
        `select kind, workflow_key, is_block, week::text as week, version, subject, counts, spreads from insight_cells
         where org_id = $1 and exists (select from jsonb_each_text(counts) where value <> '0') order by kind, workflow_key, is_block, week, version, subject`,
        [orgId],
      );
    const findings = () =>
      server.sql(`select * from insight_findings where org_id = $1 order by run_id, step_id, kind, activation`, [
        orgId,
      ]);
    const nonZero = (rows: object[]) =>
      rows.map((row) => {
        const { counts, ...rest } = row as { counts: Record<string, number> };
        return { ...rest, counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) };
      });
    const behind = () =>
      server.sql(
        `select * from insight_runs where org_id = $1 order by workflow_key, figure, version, started_at, run_id`,
        [orgId],
      );
    const before = [nonZero(await cells()), await findings(), await behind()];
    expect(before[0]?.length).toBeGreaterThan(8);
    for (const chunk of [3, 20_000]) {
      await recount(server.server.deps, orgId, chunk);
      expect([nonZero(await cells()), await findings(), await behind()]).toEqual(before);
    }
  });

  it('are the same if the period contains the whole block of eight weeks', async () => {
    const day = (weeks: number) => new Date(Date.now() + weeks * 7 * 86_400_000).toISOString().slice(0, 10);
    const period = `from=${day(-20)}&to=${day(20)}`;
    const { from: _from, to: _to, asOf: _asOf, ...wide } = await insights(`?${period}`);
    const { from, to, asOf: _until, ...narrow } = await insights();
    expect(from < to).toBe(true);
    expect(wide).toEqual(narrow);
    const counts = async (query: string) =>
      (await person(viewer).get<Conformance>(`/api/workflows/${KEY}/conformance?${query}`)).counts;
    expect(await counts(period)).toEqual(await counts(`from=${day(0)}`));
    expect(await counts(period)).not.toEqual([]);
  });

  it('list each finding with its run and step, newest runs first, in pages', async () => {
    const all: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 20; pages += 1) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const reply: Awaited<ReturnType<Person['call']>> = await person(viewer).call(
        'GET',
        `/api/workflows/${KEY}/conformance?limit=2${query}`,
      );
      const body = reply.body as Conformance;
      expect(body.runs).toBe(7);
      all.push(
        ...body.findings.map(
          ({ kind, run, step }) => `${runs.findIndex(({ id }) => id === run.id)} ${kind} ${step.title}`,
        ),
      );
      cursor = reply.headers.get('x-next-cursor');
    }
    const kindOf = { completed: 'approved_at_once', returned: 'approved_at_once', skipped: 'control_skipped' };
    const expected = runs.flatMap(({ how }, n) =>
      how === 'cancelled' || how === 'open' ? [] : [`${n} ${kindOf[how]} Check invoice`],
    );
    expect(all).toEqual(expected.toReversed());
    const only = await person(viewer).get<Conformance>(
      `/api/workflows/${KEY}/conformance?kind=control_skipped&step=check`,
    );
    expect(only.counts).toEqual([{ kind: 'control_skipped', stepId: 'check', title: 'Check invoice', findings: 1 }]);
    expect(only.findings).toMatchObject([{ run: { id: runs[3]?.id, name: 'Invoice 4' } }]);
  });

  it('split steps by person only for managers, and record who viewed them', async () => {
    const refused = await person(editor).call('GET', `/api/workflows/${KEY}/insights?people=true`);
    expect(refused.status).toBe(403);
    const found = await insights('?people=true');
    const people = (stepId: string) =>
      found.steps
        .find((step) => step.stepId === stepId)
        ?.people?.map(({ person: who, runs: count }) => [who?.name ?? null, count]);
    expect(people('enter')).toEqual([['The editor', 7]]);
    expect(people('check')).toEqual([['The reviewer', 5]]);
    expect(people('pay')).toEqual([[person(owner).user.name, 6]]);
    const looks = await server.sql<{ actor: string; data: object }>(
      `select actor, payload::json -> 'data' as data from audit_events where org_id = $1 and action = 'organization.person_figures_viewed'`,
      [orgId],
    );
    expect(looks).toMatchObject([{ actor: person(owner).user.id, data: { key: KEY, version: null } }]);
    await insights();
    expect(
      await server.sql(`select from audit_events where org_id = $1 and action = 'organization.person_figures_viewed'`, [
        orgId,
      ]),
    ).toHaveLength(1);
  });

  it.each(['from=2026-11-02', 'to=2100-01-01', 'version=1', 'from=2026-11-02&version=1'])(
    'by person can’t be narrowed with %s, so that no difference reveals the figures of single runs',
    async (query) => {
      expect((await person(owner).call('GET', `/api/workflows/${KEY}/insights?people=true&${query}`)).status).toBe(400);
      expect((await person(editor).call('GET', `/api/workflows/${KEY}/insights?people=true&${query}`)).status).toBe(
        400,
      );
    },
  );

  it('don’t name people in any other response', async () => {
    const names = [owner, editor, reviewer].map((one) => person(one).user.name);
    for (const path of [
      `/api/workflows/${KEY}/insights`,
      `/api/workflows/${KEY}/insights.csv`,
      `/api/workflows/${KEY}/conformance`,
      `/api/workflows/${KEY}/conformance.csv`,
      '/api/insights/overview',
      '/api/insights/overview.csv',
    ]) {
      const { body } = await person(viewer).call('GET', path);
      for (const name of names) expect(JSON.stringify(body), path).not.toContain(name);
    }
    const csv = await person(owner).call('GET', `/api/workflows/${KEY}/insights.csv?people=true`);
    expect(csv.status).toBe(400);
  });

  it('don’t name people with fewer than five runs', async () => {
    const { id } = await start(person(owner), KEY, 'One by the owner');
    await complete(person(owner), id, 'enter');
    await person(owner).post(`/api/runs/${id}/cancel`, { reason: 'Enough' });
    await countEvents();
    const found = await insights('?people=true');
    const people = found.steps[0]?.people ?? [];
    expect(people.map(({ person: who, runs: count }) => [who?.name ?? null, count])).toEqual([
      ['The editor', 7],
      [null, 1],
    ]);
    // The line could be about one person, so it has times only for at least five runs.
    const none = { p50: null, p90: null };
    expect(people[1]?.times).toEqual({ count: 0, calendar: none, working: none, waiting: none, handling: none });
    expect(people[0]?.times.count).toBeGreaterThanOrEqual(7);
  });

  it('compare a version with the previous one', async () => {
    const steps = STEPS.map((step) => (step.id === 'pay' ? { ...step, sla: '2h' } : step));
    await publish(person(editor), person(reviewer), KEY, steps);
    const { id } = await start(person(owner), KEY, 'With version 2');
    await complete(person(editor), id, 'enter');
    await act(person(reviewer), id, 'check', 'approve');
    await complete(person(owner), id, 'pay');
    await countEvents();
    const { change, versions, runs: all } = await insights();
    expect(versions.map(({ version, completed }) => [version, completed])).toEqual([
      [1, 6],
      [2, 1],
    ]);
    expect(change).toMatchObject({
      before: 1,
      after: 2,
      measures: { calendar: { before: { runs: 6 }, after: { runs: 1 }, verdict: 'too_few_runs' } },
    });
    expect(all.completed).toBe(7);
    const second = await insights('?version=2');
    expect(second.runs).toMatchObject({ started: 1, completed: 1 });
    expect((await insights('?version=1')).change).toBeNull();
  });

  it('no longer count a run as failed once it is retried', async () => {
    const failing = [{ id: 'sign', title: 'Sign', type: 'approval', assignee: 'reviewer' }];
    await publish(person(editor), person(reviewer), 'signing', failing);
    const run = await start(person(owner), 'signing');
    const figures = async () => {
      await countEvents();
      return (await person(viewer).get<WorkflowInsights>('/api/workflows/signing/insights')).runs;
    };
    await act(person(reviewer), run.id, 'sign', 'reject', { comments: 'No' });
    expect(await figures()).toMatchObject({ started: 1, ended: 1, failed: 1 });
    const failedAt = () => person(viewer).get<RunSummary[]>('/api/runs?workflow=signing&figure=failed:sign');
    expect(await failedAt()).toHaveLength(1);
    expect((await act(person(editor), run.id, 'sign', 'retry')).status).toBe(200);
    expect(await figures()).toMatchObject({ started: 1, ended: 0, failed: 0 });
    expect(await failedAt()).toEqual([]);
    await act(person(reviewer), run.id, 'sign', 'approve');
    expect(await figures()).toMatchObject({ started: 1, ended: 1, failed: 0, completed: 1 });
    const { status } = await person(viewer).get<Run>(`/api/runs/${run.id}`);
    expect(status).toBe('completed');
  });

  it('show what is late now, by workflow and step', async () => {
    const late = await start(person(owner), KEY, 'Late');
    await server.sql(`update run_steps set due_at = now() - interval '2 hours' where run_id = $1`, [late.id]);
    await server.sql(`update open_runs set sla_state = 'breached' where run_id = $1`, [late.id]);
    const found = await person(viewer).get<InsightsOverview>('/api/insights/overview');
    expect(found.late).toMatchObject([{ key: KEY, stepTitle: 'Enter invoice', doneBy: 'editor', runs: 1 }]);
    const listed = (step: string, sort: string) =>
      person(viewer).get<RunSummary[]>(`/api/runs?workflow=${KEY}&figure=lateNow:${step}&sort=${sort}`);
    for (const sort of ['newest', 'oldest']) expect(await listed('enter', sort)).toMatchObject([{ id: late.id }]);
    expect(await listed('check', 'newest')).toEqual([]);
    const own = found.workflows.find(({ key }) => key === KEY);
    expect(own).toMatchObject({ title: `Title of ${KEY}`, completed: 7, sla: { timed: 7, kept: 7 } });
    expect(own?.findings).toBeGreaterThan(5);
    expect(found.load.some(({ who }) => who === 'group:finance')).toBe(true);
  });

  it.each([
    [`/api/workflows/${KEY}/insights.csv`, /"Step","Enter invoice","Times completed","\d+"/],
    [`/api/workflows/${KEY}/conformance.csv`, /"control_skipped","[^"]+","[^"]+","Invoice 4","check"/],
    ['/api/insights/overview.csv', /"pay-invoices","Title of pay-invoices"/],
  ])('can be exported from %s, which is recorded', async (path, line) => {
    const reply = await person(viewer).call<string>('GET', path);
    expect(reply.headers.get('content-type')).toContain('text/csv');
    expect(reply.body).toMatch(line);
    const [last] = await server.sql<{ action: string }>(
      'select action from audit_events where org_id = $1 order by seq desc limit 1',
      [orgId],
    );
    expect(last?.action).toBe('organization.runs_exported');
  });

  it.each([
    ['/api/workflows/missing/insights', 404],
    ['/api/workflows/missing/conformance', 404],
    ['/api/workflows/missing/conformance.csv', 404],
    [`/api/workflows/${KEY}/insights?version=9`, 404],
    [`/api/workflows/${KEY}/insights?from=2026-02-01&to=2026-01-01`, 400],
    [`/api/workflows/${KEY}/insights?from=1990-01-01`, 400],
    [`/api/workflows/${KEY}/insights?from=9999-12-01&to=9999-12-31`, 400],
    ['/api/insights/overview?from=1968-12-01&to=1969-01-01', 400],
    [`/api/workflows/${KEY}/conformance?cursor=nonsense`, 400],
  ])('refuse %s with %i', async (path, status) => {
    expect((await person(viewer).call('GET', path)).status).toBe(status);
  });
});
