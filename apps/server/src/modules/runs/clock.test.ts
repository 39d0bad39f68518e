import type { Run } from '@stet/contract';
import { HOUR_MS } from '@stet/domain/sla';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { act, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

/** Longer than the requests of a test take, and much shorter than the hour by which the node's clock is wrong. */
const NEAR_MS = 10 * 60_000;

describe('a node whose clock is wrong', () => {
  let server: TestServer;
  let person: Person;
  let keys = 0;

  beforeAll(async () => {
    server = await startTestServer({ SIMULATED_FAILURE_RATE: '0' });
    person = await server.signUp();
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => server.stop());

  const databaseNow = async (): Promise<number> =>
    Number((await server.sql<{ now: number }>('select extract(epoch from clock_timestamp()) * 1000 as now'))[0]?.now);

  it.each([
    ['fast', HOUR_MS],
    ['slow', -HOUR_MS],
  ])('uses the database’s clock for dates and deadlines if its own clock is an hour %s', async (_, wrongBy) => {
    keys += 1;
    await publish(person, person, `clock-${keys}`, [
      { id: 'robot', title: 'Robot', type: 'automated', sla: '20m', next: ['sign'] },
      { id: 'sign', title: 'Sign', sla: '30m', next: ['end'] },
      { id: 'end', title: 'End', sla: '30m', next: [] },
    ]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrongBy });
    const { id } = await start(person, `clock-${keys}`);
    let run: Run = await runOf(person, id);
    await expect
      .poll(async () => (run = await runOf(person, id)).currentStepIds, { timeout: 15_000 })
      .toEqual(['sign']);

    const now = await databaseNow();
    const [robot, sign] = run.steps;
    const dated = [
      run.now,
      ...[run.createdAt, robot?.completedAt, sign?.activatedAt].map((at) => Date.parse(at ?? '')),
    ];
    for (const at of dated) expect(Math.abs(at - now)).toBeLessThan(NEAR_MS);
    expect(Date.parse(sign?.dueAt ?? '')).toBe(Date.parse(sign?.activatedAt ?? '') + HOUR_MS / 2);
    expect(Date.parse(robot?.completedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(run.createdAt) + 2000);
    expect(run).toMatchObject({
      slaState: 'on_track',
      steps: [{ slaState: 'on_track' }, { slaState: 'on_track' }, {}],
    });
    expect(run.durationMs).toBeLessThan(NEAR_MS);

    await person.post(`/api/runs/${id}/pause`);
    await person.post(`/api/runs/${id}/resume`);
    const { body } = await act(person, id, 'sign', 'complete', { output: { text: 'Signed' } });
    expect(Math.abs(Date.parse(body.run.steps[2]?.dueAt ?? '') - now - HOUR_MS / 2)).toBeLessThan(NEAR_MS);
    expect(body.run.slaState).toBe('on_track');
    expect(body.run.history.map(({ at }) => at)).toEqual(body.run.history.map(({ at }) => at).toSorted());
    const [listed] = await person.get<{ id: string; slaState: string }[]>('/api/runs?limit=1');
    expect(listed).toMatchObject({ id, slaState: 'on_track' });
  });
});
