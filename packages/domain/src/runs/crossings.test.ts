import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slaStateOf } from '../sla/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../sla/duration.ts';
import type { Step } from '../steps/index.ts';
import { type RunState, stepStateOf } from './state.ts';
import { applyFacts } from './apply.ts';
import { MAX_REMINDERS, nextCrossingAt, PAUSE_ESCALATES_MS } from './crossings.ts';
import { decide } from './decide.ts';
import { actorOf, done } from './run.scenario.ts';
import { slaMomentsOf, slaStateAt } from './sla-moments.ts';
import { slaStateOfRun, slaStatus } from './view.ts';
import { Clocked, OFFICE, step, T0 } from './clocked.scenario.ts';

describe('a run’s clocks', () => {
  test('report each crossing once: first at risk, then breached', () => {
    // The second step is long, so the run as a whole is not late.
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    expect(run.watch(7.9)).toEqual([]);
    expect(run.watch(8)).toEqual(['sla_at_risk a']);
    expect(run.watch(9)).toEqual([]);
    expect(run.watch(10)).toEqual([]);
    expect(run.watch(10.001)).toEqual(['sla_breached a']);
    expect(run.watch(50)).toEqual([]);
    expect(run.facts.at(-1)).toMatchObject({ crossedAt: T0 + 10 * HOUR_MS + 1 });
  });

  test('report only the breach if they passed both thresholds since the last check', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    expect(run.watch(20)).toEqual(['sla_breached a']);
    expect(run.watch(21)).toEqual([]);
  });

  test('report a breach even if no check happened before the step was done', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    run.at(12, done('a'));
    expect(nextCrossingAt(run.state)).toBe(T0 + 10 * HOUR_MS + 1);
    expect(run.watch(12.1)).toEqual(['sla_breached a']);
    expect(run.watch(12.2)).toEqual([]);
  });

  test('report the breach of the run as a whole even after its end', () => {
    const run = new Clocked([step('a', '10h')]);
    expect(run.watch(8)).toEqual(['sla_at_risk run', 'sla_at_risk a']);
    run.at(11, done('a'));
    expect(run.state.status).toBe('completed');
    expect(run.watch(11.1)).toEqual(['sla_breached run', 'sla_breached a']);
    expect(nextCrossingAt(run.state)).toBeNull();
  });

  test('stop during a pause and continue after it', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    run.at(5, { type: 'pause' });
    expect(nextCrossingAt(run.state)).toBe(run.state.updatedAt + PAUSE_ESCALATES_MS);
    expect(run.watch(30)).toEqual([]);
    run.at(40, { type: 'resume' });
    expect(run.watch(42.9)).toEqual([]);
    expect(run.watch(43)).toEqual(['sla_at_risk a']);
  });

  test('repeat a breach at the workflow’s interval, up to a limit, until the step is done', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '900h')]);
    expect(run.watch(11, HOUR_MS)).toEqual(['sla_breached a']);
    expect(run.watch(11.9, HOUR_MS)).toEqual([]);
    expect(run.watch(12, HOUR_MS)).toEqual(['sla_reminded a']);
    expect(run.watch(12.5)).toEqual([]);
    for (let n = 2; n <= MAX_REMINDERS; n += 1) expect(run.watch(11 + n)).toEqual(['sla_reminded a']);
    expect(nextCrossingAt(run.state)).toBe(T0 + 720 * HOUR_MS + 8 * HOUR_MS);
    expect(run.watch(200)).toEqual([]);

    const short = new Clocked([step('a', '10h', ['b']), step('b', '900h')]);
    short.watch(11, HOUR_MS);
    short.at(11.5, done('a'));
    expect(short.watch(13, HOUR_MS)).toEqual([]);
  });
});

type Event = { kind: 'watch' | 'pause' | 'resume' | 'done' | 'skip' | 'cancel'; minutes: number; pick: number };
const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('watch', 'watch', 'watch', 'pause', 'resume', 'resume', 'done', 'skip', 'cancel'),
  minutes: fc.integer({ min: 0, max: 900 }),
  pick: fc.nat(3),
});

test('clocks report each crossing exactly once at the announced time, for any sequence of commands', () => {
  const steps = [step('a', '10h', ['b', 'c']), step('b', '', ['d']), step('c', '3h', ['d']), step('d', '30m')];
  const calendar = fc.constantFrom(null, OFFICE);
  const again = fc.constantFrom(null, 50 * MINUTE_MS);
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), calendar, again, (events, of, againAfterMs) => {
      const run = new Clocked(steps, of);
      let hours = 0;
      for (const { kind, minutes, pick } of events) {
        hours += minutes / 60;
        const now = T0 + Math.round(hours * HOUR_MS);
        const stepId = ['a', 'b', 'c', 'd'][pick] ?? 'a';
        const next = nextCrossingAt(run.state);
        try {
          if (kind === 'watch') {
            const facts = run.at(hours, { type: 'watch_clocks', againAfterMs });
            expect(facts.length > 0).toBe(next !== null && next <= now);
            expect(nextCrossingAt(run.state) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
          } else if (kind === 'done') run.at(hours, done(stepId));
          else if (kind === 'skip') run.at(hours, { type: 'skip', stepId });
          else if (kind === 'cancel') run.at(hours, { type: 'cancel', reason: 'x' });
          else run.at(hours, { type: kind });
        } catch (error) {
          if (!(error instanceof Error && error.message.startsWith('Refused'))) throw error;
        }
        expect(slaStateAt(slaMomentsOf(run.state), now)).toBe(slaStateOfRun(run.state, now));
      }
      const crossed = run.facts.filter(({ type }) => type === 'sla_at_risk' || type === 'sla_breached');
      const names = crossed.map((fact) =>
        [fact.type, 'stepId' in fact && fact.stepId, 'activation' in fact && fact.activation].join(' '),
      );
      expect(new Set(names).size).toBe(names.length);

      run.at(hours, { type: 'watch_clocks', againAfterMs });
      const now = T0 + Math.round(hours * HOUR_MS);
      for (const { id } of steps) {
        const clock = stepStateOf(run.state, id);
        if (clock?.state !== 'active' || run.state.status !== 'running') continue;
        expect(clock.told?.state ?? 'on_track').toBe(slaStateOf({ ...clock, now }) ?? 'on_track');
      }
      let replayed: RunState | null = null;
      const start = decide({ steps }, null, { type: 'start' }, { at: T0, actor: actorOf('ann'), calendar: of });
      for (const fact of [...(start.ok ? start.facts : []), ...run.facts])
        replayed = applyFacts({ steps }, replayed, [fact]);
      expect(replayed).toEqual(run.state);
    }),
    { numRuns: 150 },
  );
});

test('a failed run’s clocks continue in its SLA state, in clock checks and in lists', () => {
  const robot: Step = { ...step('robot', ''), type: 'automated', config: {} };
  const run = new Clocked([step('a', '4h'), robot]);
  run.at(1, { type: 'fail_step', stepId: 'robot', activation: 1, reason: 'broken' });
  expect(run.state.status).toBe('failed');
  expect(nextCrossingAt(run.state)).toBe(T0 + 3.2 * HOUR_MS);
  const seen = (hours: number) => {
    const at = T0 + hours * HOUR_MS;
    const { state, workflow } = run;
    return [slaStateOfRun(state, at), slaStateAt(slaMomentsOf(state), at), slaStatus(workflow, state, at)[0]?.state];
  };
  expect([seen(3), seen(3.5), seen(5)]).toEqual([
    ['on_track', 'on_track', 'on_track'],
    ['at_risk', 'at_risk', 'at_risk'],
    ['breached', 'breached', 'breached'],
  ]);
  const crossed = run.at(5, { type: 'watch_clocks', againAfterMs: null });
  expect(crossed.map((fact) => [fact.type, 'stepId' in fact ? fact.stepId : undefined])).toEqual([
    ['sla_breached', null],
    ['sla_breached', 'a'],
  ]);
  expect(run.at(6, { type: 'watch_clocks', againAfterMs: null })).toEqual([]);
  run.at(7, { type: 'retry', stepId: 'robot' });
  expect(seen(7)).toEqual(['breached', 'breached', 'breached']);
});
