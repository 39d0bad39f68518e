import type { Run, RunSummary } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed } from '../../testing/organization.ts';
import { complete, runOf, start, listRuns } from '../../testing/runs.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

describe('the list of runs', () => {
  let server: TestServer;
  let many: Person;
  let person: Person;
  const runs: Record<string, Run> = {};

  beforeAll(async () => {
    server = await startTestServer();
    many = await server.signUp();
    person = await server.signUp();
    await publish(many, many, 'plain');
    for (let n = 0; n < 12; n++)
      await Promise.all(Array.from({ length: 10 }, (_, m) => start(many, 'plain', `Run ${n * 10 + m}`)));
    // Several runs get equal timestamps, so that the test shows whether runs are repeated or skipped.
    await server.sql(`update runs set created_at = date_trunc('second', created_at) where org_id = $1`, [
      many.user.currentOrgId,
    ]);

    await publish(person, person, 'hiring', stepsNamed('First', 'Second'));
    await publish(person, person, 'offboarding', [{ id: 'step-1', title: 'Only', sla: '' }]);
    runs['running'] = await start(person, 'hiring', 'Hire 100% of %_them');
    runs['paused'] = await start(person, 'hiring', 'Hire Ärzte');
    await person.post(`/api/runs/${runs['paused'].id}/pause`);
    runs['completed'] = await start(person, 'offboarding', 'Goodbye');
    await complete(person, runs['completed'].id, 'step-1');
    runs['cancelled'] = await start(person, 'offboarding', 'Back\\slash');
    await person.post(`/api/runs/${runs['cancelled'].id}/cancel`, { reason: 'No' });
  });
  afterAll(() => server.stop());

  const names = async (query: string): Promise<string[]> => (await listRuns(person, query)).map(({ name }) => name);

  it.each([7, 50, 120, 200])(
    'has pages of %i runs that together contain all 120 runs without gaps or duplicates, newest first',
    async (limit) => {
      const seen: RunSummary[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages++) {
        expect(pages).toBeLessThan(20);
        const page: Reply<RunSummary[]> = await many.call<RunSummary[]>(
          'GET',
          `/api/runs?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        expect(page.body.length).toBeLessThanOrEqual(limit);
        seen.push(...page.body);
        cursor = page.headers.get('x-next-cursor');
      }
      expect(seen).toHaveLength(120);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(120);
      const order = seen.map(({ createdAt, id }) => `${createdAt} ${id}`);
      expect(order).toEqual(order.toSorted().toReversed());
    },
  );

  it('has pages of 50 runs by default and at most 200, which don’t shift if runs are added', async () => {
    const first = await many.call<RunSummary[]>('GET', '/api/runs');
    expect(first.body).toHaveLength(50);
    const added = await start(many, 'plain', 'Added later');
    const second = await many.get<RunSummary[]>(
      `/api/runs?cursor=${encodeURIComponent(first.headers.get('x-next-cursor') ?? '')}`,
    );
    expect(second.map(({ id }) => id)).not.toContain(added.id);
    expect(second.filter(({ id }) => first.body.some((seen) => seen.id === id))).toEqual([]);
    for (const limit of ['0', '201', 'x', '1.5', ''])
      expect((await many.call('GET', `/api/runs?limit=${limit}`)).status).toBe(400);
    for (const cursor of ['x', '2024-01-01T00:00:00.000Z_x', `2024-99-99T00:00:00.000Z_${added.id}`]) {
      expect((await many.call('GET', `/api/runs?cursor=${cursor}`)).status).toBe(400);
    }
  });

  it('can be filtered by status, workflow, text and time, alone or combined', async () => {
    for (const [status, run] of Object.entries(runs)) expect(await names(`?status=${status}`)).toEqual([run.name]);
    expect(await names('?workflow=offboarding')).toEqual(['Back\\slash', 'Goodbye']);
    expect(await names('?workflow=offboarding&status=running')).toEqual([]);
    expect(await names('?q=HIRE')).toEqual(['Hire Ärzte', 'Hire 100% of %_them']);
    expect(await names(`?q=${encodeURIComponent('ärzte')}`)).toEqual(['Hire Ärzte']);
    expect(await names(`?q=${encodeURIComponent('%_')}`)).toEqual(['Hire 100% of %_them']);
    expect(await names(`?q=${encodeURIComponent('_')}`)).toEqual(['Hire 100% of %_them']);
    expect(await names(`?q=${encodeURIComponent('\\')}`)).toEqual(['Back\\slash']);
    expect(await names('?q=title+of+offb')).toEqual(['Back\\slash', 'Goodbye']);
    expect(await names('?q=')).toHaveLength(4);
    const middle = encodeURIComponent(runs['paused']?.createdAt ?? '');
    expect(await names(`?from=${middle}`)).toEqual(['Back\\slash', 'Goodbye', 'Hire Ärzte']);
    expect(await names(`?to=${middle}`)).toEqual(['Hire Ärzte', 'Hire 100% of %_them']);
    expect(await names(`?from=${middle}&to=${middle}`)).toEqual(['Hire Ärzte']);
    for (const query of ['status=unknown', 'sla=fine', 'from=yesterday', 'workflow=%20', 'q=' + 'x'.repeat(101)]) {
      expect((await person.call('GET', `/api/runs?${query}`)).status).toBe(400);
    }
  });

  it('contains exactly the runs that match every filter, for all combinations of status, workflow, SLA state and period', async () => {
    const middle = encodeURIComponent(runs['paused']?.createdAt ?? '');
    const newest = runs['cancelled'];
    const filters = [
      ['status=running', 'status=paused', 'status=completed'],
      ['workflow=hiring', 'workflow=offboarding'],
      ['sla=on_track', 'sla=at_risk'],
      [`to=${middle}`, `cursor=${encodeURIComponent(`${newest?.createdAt}_${newest?.id}`)}`],
    ].map((options) => ['', ...options]);
    const alone = new Map<string, string[]>();
    for (const filter of filters.flat()) alone.set(filter, await names(`?${filter}`));
    const together = filters.reduce<string[][]>(
      (sets, options) => sets.flatMap((set) => options.map((option) => [...set, option])),
      [[]],
    );
    const all = await names('');
    for (const set of together)
      expect(await names(`?${set.filter(Boolean).join('&')}`), set.join('&')).toEqual(
        all.filter((name) => set.every((filter) => alone.get(filter)?.includes(name))),
      );
  });

  it('starts after the cursor or at the end of the period, whichever comes later in the list', async () => {
    const [newest, oldest] = [runs['cancelled'], runs['running']];
    const after = (run: Run | undefined) => `cursor=${encodeURIComponent(`${run?.createdAt}_${run?.id}`)}`;
    const to = (run: Run | undefined) => `to=${encodeURIComponent(run?.createdAt ?? '')}`;
    expect(await names(`?${after(newest)}&${to(runs['paused'])}`)).toEqual(['Hire Ärzte', 'Hire 100% of %_them']);
    expect(await names(`?${after(runs['paused'])}&${to(newest)}`)).toEqual(['Hire 100% of %_them']);
    expect(await names(`?${after(oldest)}&${to(oldest)}`)).toEqual([]);
  });

  it('counts runs by status and by SLA state', async () => {
    expect(await person.get('/api/runs/summary')).toEqual({
      total: 4,
      byStatus: { running: 1, paused: 1, completed: 1, failed: 0, cancelled: 1 },
      bySla: { on_track: 1, at_risk: 0, breached: 0 },
    });
  });

  it('shows the same data as the run page', async () => {
    const parts = ({
      id,
      name,
      status,
      slaState,
      sla,
      nextSteps,
      currentStepIds,
      slaStatus,
      stepsTotal,
      stepsCompleted,
      startedBy,
      createdAt,
      completedAt,
      priority,
      workflowKey,
      workflowTitle,
      workflowVersion,
      description,
    }: RunSummary) => ({
      id,
      name,
      status,
      slaState,
      sla,
      nextSteps,
      currentStepIds,
      slaStatus,
      stepsTotal,
      stepsCompleted,
      startedBy,
      createdAt,
      completedAt,
      priority,
      workflowKey,
      workflowTitle,
      workflowVersion,
      description,
    });
    for (const row of await listRuns(person)) {
      const page = await runOf(person, row.id);
      expect(parts(row)).toEqual(parts(page));
      // Time passes between the two responses.
      expect(row.trend).toEqual(page.trend.map((share) => expect.closeTo(share, 2) as number));
    }
  });
});
