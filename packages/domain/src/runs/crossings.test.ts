import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkCalendar } from '../sla/calendar.ts';
import { slaStateOf } from '../sla/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../sla/duration.ts';
import type { Step } from '../workflows/step.ts';
import { applyFacts } from './apply.ts';
import type { RunCommand } from './commands.ts';
import { MOST_REMINDERS, nextCrossingAt } from './crossings.ts';
import { decide } from './decide.ts';
import type { RunFact } from './facts.ts';
import { actorOf, done } from './run.scenario.ts';
import { slaMomentsOf, slaStateAt } from './sla-moments.ts';
import { type RunState, stepStateOf } from './state.ts';
import { slaStateOfRun, slaStatus, trendOf } from './view.ts';

const T0 = Date.parse('2026-11-16T09:00:00Z'); // A Monday.
const step = (id: string, sla: string, next: string[] = []): Step => ({
  id,
  type: 'manual',
  title: id,
  description: '',
  assignee: 'ann@example.com',
  sla,
  config: {},
  next,
});
const OFFICE: WorkCalendar = {
  timeZone: 'UTC',
  week: [...Array.from({ length: 5 }, () => [{ from: 540, to: 1020 }]), [], []],
  holidays: [],
};

/** A run that is told when things happen; times in hours since it started. */
class Clocked {
  readonly facts: RunFact[] = [];
  state: RunState;
  readonly workflow: { steps: Step[] };

  constructor(
    steps: Step[],
    private readonly calendar: WorkCalendar | null = null,
  ) {
    this.workflow = { steps };
    const decision = decide(this.workflow, null, { type: 'start' }, { at: T0, actor: actorOf('ann'), calendar });
    if (!decision.ok) throw new Error(decision.refusal.code);
    const [first, ...rest] = decision.facts;
    if (!first) throw new Error('no facts');
    this.state = applyFacts(this.workflow, null, [first, ...rest]);
  }

  at(hours: number, command: RunCommand): RunFact[] {
    const at = T0 + Math.round(hours * HOUR_MS);
    const decision = decide(this.workflow, this.state, command, { at, actor: actorOf('ann'), calendar: this.calendar });
    if (!decision.ok) throw new Error(`Refused: ${decision.refusal.code}`);
    this.state = applyFacts(this.workflow, this.state, decision.facts);
    this.facts.push(...decision.facts);
    return decision.facts;
  }

  watch(hours: number, againAfterMs: number | null = null): string[] {
    return this.at(hours, { type: 'watch_clocks', againAfterMs }).map(
      (fact) => `${fact.type} ${'stepId' in fact ? (fact.stepId ?? 'run') : ''}`,
    );
  }
}

describe('the clocks of a run', () => {
  test('tell of each crossing once, at risk before breached', () => {
    // The second step is long, so that the run as a whole is not late.
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    expect(run.watch(7.9)).toEqual([]);
    expect(run.watch(8)).toEqual(['sla_at_risk a']);
    expect(run.watch(9)).toEqual([]);
    expect(run.watch(10)).toEqual([]);
    expect(run.watch(10.001)).toEqual(['sla_breached a']);
    expect(run.watch(50)).toEqual([]);
    expect(run.facts.at(-1)).toMatchObject({ crossedAt: T0 + 10 * HOUR_MS + 1 });
  });

  test('tell of the breach alone where nobody looked between the two', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    expect(run.watch(20)).toEqual(['sla_breached a']);
    expect(run.watch(21)).toEqual([]);
  });

  test('tell of a breach that nobody saw before the step was done', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    run.at(12, done('a'));
    expect(nextCrossingAt(run.state)).toBe(T0 + 10 * HOUR_MS + 1);
    expect(run.watch(12.1)).toEqual(['sla_breached a']);
    expect(run.watch(12.2)).toEqual([]);
  });

  test('tell of the run as a whole, also when it is over', () => {
    const run = new Clocked([step('a', '10h')]);
    expect(run.watch(8)).toEqual(['sla_at_risk run', 'sla_at_risk a']);
    run.at(11, done('a'));
    expect(run.state.status).toBe('completed');
    expect(run.watch(11.1)).toEqual(['sla_breached run', 'sla_breached a']);
    expect(nextCrossingAt(run.state)).toBeNull();
  });

  test('stand still in a pause, and go on after it', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '100h')]);
    run.at(5, { type: 'pause' });
    expect(nextCrossingAt(run.state)).toBeNull();
    expect(run.watch(30)).toEqual([]);
    run.at(40, { type: 'resume' });
    expect(run.watch(42.9)).toEqual([]);
    expect(run.watch(43)).toEqual(['sla_at_risk a']);
  });

  test('tell again of a breach as often as the workflow says, up to a limit, until the step is done', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '900h')]);
    expect(run.watch(11, HOUR_MS)).toEqual(['sla_breached a']);
    expect(run.watch(11.9, HOUR_MS)).toEqual([]);
    expect(run.watch(12, HOUR_MS)).toEqual(['sla_reminded a']);
    expect(run.watch(12.5)).toEqual([]);
    for (let n = 2; n <= MOST_REMINDERS; n += 1) expect(run.watch(11 + n)).toEqual(['sla_reminded a']);
    expect(nextCrossingAt(run.state)).toBe(T0 + 720 * HOUR_MS + 8 * HOUR_MS);
    expect(run.watch(200)).toEqual([]);

    const short = new Clocked([step('a', '10h', ['b']), step('b', '900h')]);
    short.watch(11, HOUR_MS);
    short.at(11.5, done('a'));
    expect(short.watch(13, HOUR_MS)).toEqual([]);
  });
});

describe('in working hours', () => {
  test('a day is a working day, and is at risk when four fifths of it were worked', () => {
    const run = new Clocked([step('a', '1 day', ['b']), step('b', '2 days')], OFFICE);
    expect(run.state).toMatchObject({ targetMs: 24 * HOUR_MS });
    const clock = stepStateOf(run.state, 'a');
    expect(clock).toMatchObject({ dueAt: T0 + 8 * HOUR_MS, riskAt: T0 + 6.4 * HOUR_MS });
    run.at(7, done('a'));
    expect(stepStateOf(run.state, 'a')).toMatchObject({ state: 'completed', riskAt: T0 + 6.4 * HOUR_MS });
    expect(trendOf(run.workflow, run.state)).toEqual([0.875]);
    // Two days from Monday 16:00: one hour on Monday, eight on Tuesday, seven on Wednesday.
    expect(stepStateOf(run.state, 'b')).toMatchObject({ dueAt: Date.parse('2026-11-18T16:00:00Z') });
  });

  test('what comes late has used more than its share, nights not counted', () => {
    const run = new Clocked([step('a', '4h', ['b']), step('b', '90h')], OFFICE);
    run.at(26, done('a')); // Tuesday 11:00, ten working hours after the start.
    expect(trendOf(run.workflow, run.state)).toEqual([2.5]);
  });

  test('a pause over a weekend costs only what of it was worked', () => {
    const run = new Clocked([step('a', '40h')], OFFICE);
    const friday = 4 * 24;
    run.at(friday + 6, { type: 'pause' }); // Friday 15:00, 38 hours used.
    run.at(friday + 72 + 1, { type: 'resume' }); // Monday 10:00.
    expect(stepStateOf(run.state, 'a')).toMatchObject({ dueAt: Date.parse('2026-11-23T12:00:00Z') });
    expect(run.watch(friday + 72 + 2.9)).toEqual(['sla_at_risk run', 'sla_at_risk a']);
    expect(run.watch(friday + 72 + 3.1)).toEqual(['sla_breached run', 'sla_breached a']);
  });

  test('a pause that ends before work begins moves every clock by its own working time, and says so', () => {
    const run = new Clocked([step('a', '40h'), step('b', ''), step('c', '4h')], OFFICE);
    const friday = 4 * 24;
    run.at(friday + 6, { type: 'pause' }); // Friday 15:00: two hours are left of a, and none of c.
    const [resumed] = run.at(friday + 72 - 1, { type: 'resume' }); // Monday 8:00, an hour before work.
    const monday = Date.parse('2026-11-23T09:00:00Z');
    expect(resumed).toMatchObject({
      type: 'run_resumed',
      pausedMs: 65 * HOUR_MS,
      deadline: { dueAt: monday + 2 * HOUR_MS },
      deadlines: { a: { dueAt: monday + 2 * HOUR_MS } },
    });
    expect(Object.keys((resumed as { deadlines: object }).deadlines)).toEqual(['a', 'c']);
    expect(stepStateOf(run.state, 'a')).toMatchObject({ dueAt: monday + 2 * HOUR_MS, pausedMs: 65 * HOUR_MS });
    expect(stepStateOf(run.state, 'b')).toMatchObject({ dueAt: null, pausedMs: 65 * HOUR_MS });
    expect(run.state.deadline).toMatchObject({ dueAt: monday + 2 * HOUR_MS });
  });

  test('a pause moves no clock of a step that is over', () => {
    const run = new Clocked([step('a', '4h', ['c']), step('b', '40h'), step('c', '40h')], OFFICE);
    run.at(1, done('a'));
    const before = stepStateOf(run.state, 'a');
    run.at(2, { type: 'pause' });
    const [resumed] = run.at(3, { type: 'resume' });
    expect(Object.keys((resumed as { deadlines: object }).deadlines)).toEqual(['b', 'c']);
    expect(stepStateOf(run.state, 'a')).toEqual(before);
  });

  test('a resumption that names no deadlines moves all clocks on by the wall', () => {
    const run = new Clocked([step('a', '4h')], OFFICE);
    run.at(1, { type: 'pause' });
    const { dueAt, riskAt } = stepStateOf(run.state, 'a') as { dueAt: number; riskAt: number };
    const fact: RunFact = { type: 'run_resumed', pausedMs: HOUR_MS, at: T0 + 2 * HOUR_MS, by: actorOf('ann') };
    const state = applyFacts(run.workflow, run.state, [fact]);
    const moved = { dueAt: dueAt + HOUR_MS, riskAt: riskAt + HOUR_MS };
    expect(stepStateOf(state, 'a')).toMatchObject(moved);
    expect(state.deadline).toEqual(moved);
    // A deadline of a step that is none, or not active, says nothing.
    const strange = { ...fact, deadlines: { gone: { dueAt: 1 } } };
    expect(applyFacts(run.workflow, run.state, [strange])).toEqual(state);
  });

  test('a pause by the wall says nothing of deadlines', () => {
    const run = new Clocked([step('a', '4h')]);
    run.at(1, { type: 'pause' });
    const [resumed] = run.at(2, { type: 'resume' });
    expect(Object.keys(resumed ?? {}).toSorted()).toEqual(['at', 'by', 'pausedMs', 'type']);
    expect(stepStateOf(run.state, 'a')).not.toHaveProperty('riskAt');
    run.at(3, done('a'));
    expect(stepStateOf(run.state, 'a')).not.toHaveProperty('riskAt');
    expect(run.state).not.toHaveProperty('deadline');
  });

  test('a clock that began by the wall goes on by the wall', () => {
    const run = new Clocked([step('a', '10h', ['b']), step('b', '4h')]);
    const later = decide(run.workflow, run.state, done('a'), {
      at: T0 + HOUR_MS,
      actor: actorOf('ann'),
      calendar: OFFICE,
    });
    if (!later.ok) throw new Error('refused');
    expect(later.facts.find(({ type }) => type === 'step_completed')).not.toHaveProperty('usedShare');
    expect(later.facts.find(({ type }) => type === 'step_activated')).toMatchObject({ riskAt: T0 + 4.2 * HOUR_MS });
  });
});

type Event = { kind: 'watch' | 'pause' | 'resume' | 'done' | 'skip' | 'cancel'; minutes: number; pick: number };
const event: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom('watch', 'watch', 'watch', 'pause', 'resume', 'resume', 'done', 'skip', 'cancel'),
  minutes: fc.integer({ min: 0, max: 900 }),
  pick: fc.nat(3),
});

test('whatever happens: each crossing is told once, none is forgotten, and the announced moment is the right one', () => {
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
      const told = run.facts.filter(({ type }) => type === 'sla_at_risk' || type === 'sla_breached');
      const names = told.map((fact) =>
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

test('the clocks of a run that has failed go on, in its verdict, for the sweep, and for lists', () => {
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
  const told = run.at(5, { type: 'watch_clocks', againAfterMs: null });
  expect(told.map((fact) => [fact.type, 'stepId' in fact ? fact.stepId : undefined])).toEqual([
    ['sla_breached', null],
    ['sla_breached', 'a'],
  ]);
  expect(run.at(6, { type: 'watch_clocks', againAfterMs: null })).toEqual([]);
  run.at(7, { type: 'retry', stepId: 'robot' });
  expect(seen(7)).toEqual(['breached', 'breached', 'breached']);
});
