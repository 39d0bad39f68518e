import type { Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { act, complete, letTimePass, runOf, start, listRuns } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const HOUR = 3_600_000;

describe('the list of runs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  describe('as time passes', () => {
    // Each step has an SLA of 10 h, so the run has one of 20 h. A step is at risk after 8 h and breached after 10 h.
    let timed: Person;
    beforeAll(async () => {
      timed = await server.signUp();
      await publish(timed, timed, 'timed', [
        { id: 'step-1', title: 'First', sla: '10h' },
        { id: 'step-2', title: 'Second', sla: '10h' },
      ]);
    });

    const agree = async (): Promise<void> => {
      const detailed = await Promise.all((await listRuns(timed)).map(({ id }) => runOf(timed, id)));
      expect((await listRuns(timed)).map(({ slaState }) => slaState)).toEqual(detailed.map(({ slaState }) => slaState));
      expect((await listRuns(timed)).map(({ slaStatus }) => slaStatus)).toEqual(
        detailed.map(({ slaStatus }) => slaStatus),
      );
      for (const state of ['on_track', 'at_risk', 'breached'] as const) {
        const found = (await listRuns(timed, `?sla=${state}`)).map(({ id }) => id);
        expect(found).toEqual(detailed.filter(({ slaState }) => slaState === state).map(({ id }) => id));
      }
    };
    const slaOf = async (id: string): Promise<string | null> => (await runOf(timed, id)).slaState;

    it('shows a run as at risk after 80% of a step’s SLA and then as breached, although nobody acts', async () => {
      const { id } = await start(timed, 'timed', 'Slow');
      const seen: (string | null)[] = [];
      for (const hours of [0, 7.9, 0.2, 1.8, 0.2]) {
        await letTimePass(server, id, hours * HOUR);
        seen.push(await slaOf(id));
        await agree();
      }
      expect(seen).toEqual(['on_track', 'on_track', 'at_risk', 'at_risk', 'breached']);
      // Only crossings may have been recorded in the meantime, and the states don't depend on them.
      const { history } = await runOf(timed, id);
      expect(history.filter(({ action }) => action !== 'at_risk' && action !== 'breached')).toHaveLength(2);
    });

    it('stops the clocks during a pause, and moves due times by its length', async () => {
      const { id } = await start(timed, 'timed', 'Paused');
      await letTimePass(server, id, 5 * HOUR);
      await timed.post(`/api/runs/${id}/pause`);
      const before = await runOf(timed, id);
      await letTimePass(server, id, 100 * HOUR);
      // The start of the pause was moved into the past, so the pause has now lasted 100 h.
      expect(await slaOf(id)).toBe('on_track');
      await agree();
      const resumed = await timed.post<Run>(`/api/runs/${id}/resume`);
      expect(resumed.slaState).toBe('on_track');
      const moved = Date.parse(resumed.steps[0]?.dueAt ?? '') - Date.parse(before.steps[0]?.dueAt ?? '');
      expect(Math.abs(moved)).toBeLessThan(5000);
      expect(Math.abs(resumed.durationMs - 5 * HOUR)).toBeLessThan(60_000);
      await letTimePass(server, id, 4 * HOUR);
      expect(await slaOf(id)).toBe('at_risk');
      await agree();
    });

    it("still shows a late step as breached after its completion, and the run's final state after its end", async () => {
      const late = await start(timed, 'timed', 'Late');
      await letTimePass(server, late.id, 11 * HOUR);
      const { body } = await complete(timed, late.id, 'step-1');
      expect(body.run).toMatchObject({
        slaState: 'breached',
        slaStatus: [
          { stepId: 'step-1', state: 'breached' },
          { stepId: 'step-2', state: 'on_track' },
        ],
      });
      expect(body.run.trend[0]).toBeCloseTo(1.1, 2);
      const swift = await start(timed, 'timed', 'Swift');
      await complete(timed, swift.id, 'step-1');
      await act(timed, swift.id, 'step-2', 'skip', { reason: 'Not needed' });
      await letTimePass(server, swift.id, 1000 * HOUR);
      expect(await runOf(timed, swift.id)).toMatchObject({ status: 'completed', slaState: 'on_track' });
      const cancelled = await start(timed, 'timed', 'Cancelled');
      await timed.post(`/api/runs/${cancelled.id}/cancel`, { reason: 'No' });
      await letTimePass(server, cancelled.id, 1000 * HOUR);
      expect(await slaOf(cancelled.id)).toBe('on_track');
      await agree();
    });

    it('shows no SLA state if no step has a clock, and no SLA filter finds such a run', async () => {
      await publish(timed, timed, 'untimed', [{ id: 'step-1', title: 'Any time', sla: 'whenever' }]);
      const { id } = await start(timed, 'untimed');
      await letTimePass(server, id, 1000 * HOUR);
      expect(await runOf(timed, id)).toMatchObject({ slaState: null, sla: { targetMs: null }, slaStatus: [] });
      await agree();
    });
  });
});
