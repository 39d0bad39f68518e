import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { SYSTEM_ACTOR } from './state.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { nextCrossingAt, PAUSE_ESCALATES_MS } from './crossings.ts';
import { decide } from './decide.ts';
import { actorOf, done, Scenario } from './run.scenario.ts';
import { slaMomentsOf, slaStateAt } from './sla-moments.ts';
import { slaStateOfRun } from './view.ts';

const MINUTE = 60_000;
const automated: Partial<Step> = { type: 'automated', config: {} };
/** Returns a run with a step of ten minutes beside a step of one hour, so the run as a whole is not late. */
const beside = (more: Partial<Step> = {}) =>
  new Scenario(stepsOf({ a: '', z: '' }, { a: { sla: '10m', ...more }, z: { sla: '1h' } }));
const fail = { type: 'fail_step', stepId: 'a', activation: 1, reason: 'x' } as const;

/** Returns the facts of a clock check at a time in milliseconds after the start. */
const watched = (run: Scenario, at: number): string[] => {
  const decision = decide(
    run.workflow,
    run.state,
    { type: 'watch_clocks', againAfterMs: null },
    { at, actor: SYSTEM_ACTOR },
  );
  if (!decision.ok) throw new Error(decision.refusal.code);
  run.state = decision.state;
  return decision.facts.map((fact) => `${fact.type} ${'stepId' in fact ? (fact.stepId ?? 'run') : ''}`);
};
/**
 * Returns the SLA state at a time, computed both from the run's stored times and from its state: lists and pages must
 * agree.
 */
const stateAt = (run: Scenario, now: number) => {
  const state = slaStateAt(slaMomentsOf(run.state), now);
  expect(state).toBe(slaStateOfRun(run.state, now));
  return state;
};
const endAt = (run: Scenario, at: number, how: Parameters<Scenario['act']>[0]): Scenario => {
  run.now = at - MINUTE;
  run.act(how);
  return run;
};

describe('a clock check', () => {
  test('reports a risk once 80 % of the SLA has passed, and only the breach after its end', () => {
    expect(watched(beside(), 8 * MINUTE - 1)).toEqual([]);
    expect(watched(beside(), 8 * MINUTE)).toEqual(['sla_at_risk a']);
    expect(watched(beside(), 10 * MINUTE)).toEqual(['sla_at_risk a']);
    expect(watched(beside(), 10 * MINUTE + 1)).toEqual(['sla_breached a']);
  });

  test.each([
    ['completed', done('a'), {}],
    ['skipped', { type: 'skip', stepId: 'a', reason: 'not needed' } as const, {}],
    ['failed', fail, automated],
  ])('reports the missed breach of a late %s step, but nothing for a step that was in time', (_, how, more) => {
    expect(watched(endAt(beside(more), 10 * MINUTE, how), 59 * MINUTE)).toEqual(['sla_at_risk run', 'sla_at_risk z']);
    const late = endAt(beside(more), 10 * MINUTE + 1, how);
    expect(nextCrossingAt(late.state)).toBe(10 * MINUTE + 1);
    expect(watched(late, 11 * MINUTE)).toEqual(['sla_breached a']);
    expect(watched(late, 12 * MINUTE)).toEqual([]);
  });

  test('ignores a waiting step and a step without a clock', () => {
    const run = new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }, { b: { sla: '1m' } }));
    expect(watched(run, MINUTE - 1)).toEqual(['sla_at_risk run']);
    run.act(done('a'));
    expect(watched(run, run.now)).toEqual([]);
  });

  test('ignores the clocks of a paused run and of steps that were active when the run was cancelled', () => {
    const run = beside();
    run.act({ type: 'pause' });
    expect(nextCrossingAt(run.state)).toBe(run.now + PAUSE_ESCALATES_MS);
    expect(watched(run, 99 * MINUTE)).toEqual([]);
    run.act({ type: 'cancel', reason: 'x' });
    expect(watched(run, 999 * MINUTE)).toEqual([]);
  });
});

describe('a run’s SLA times', () => {
  test('agree with the run’s state at each crossing and right before it', () => {
    const run = beside();
    expect(stateAt(run, 8 * MINUTE - 1)).toBe('on_track');
    expect(stateAt(run, 8 * MINUTE)).toBe('at_risk');
    expect(stateAt(run, 10 * MINUTE)).toBe('at_risk');
    expect(stateAt(run, 10 * MINUTE + 1)).toBe('breached');
    expect(stateAt(new Scenario(stepsOf({ a: '' })), 99 * MINUTE)).toBeNull();
  });

  test('show a breach from the start of the run if a step ended late', () => {
    const run = endAt(beside(), 11 * MINUTE, done('a'));
    for (const now of [0, 1, 11 * MINUTE, 40 * MINUTE]) expect(stateAt(run, now)).toBe('breached');
  });

  test('no longer include the risk of a step that ended in time', () => {
    const run = endAt(beside(), 9 * MINUTE, done('a'));
    expect(stateAt(run, 9 * MINUTE)).toBe('on_track');
    expect(stateAt(run, 48 * MINUTE)).toBe('at_risk');
  });

  test('don’t change after the run’s end', () => {
    const inTime = endAt(new Scenario(stepsOf({ a: '' }, { a: { sla: '10m' } })), 9 * MINUTE, done('a'));
    for (const now of [9 * MINUTE, 99 * MINUTE]) expect(stateAt(inTime, now)).toBe('on_track');
    const late = endAt(new Scenario(stepsOf({ a: '' }, { a: { sla: '10m' } })), 10 * MINUTE + 1, done('a'));
    expect(stateAt(late, 99 * MINUTE)).toBe('breached');
    const cancelled = endAt(beside(), 9 * MINUTE, { type: 'cancel', reason: 'x' });
    for (const now of [9 * MINUTE, 99 * MINUTE]) expect(stateAt(cancelled, now)).toBe('at_risk');
  });

  test('stop during a pause and are postponed by its length', () => {
    const run = endAt(beside(), 5 * MINUTE, { type: 'pause' });
    expect(stateAt(run, 99 * MINUTE)).toBe('on_track');
    endAt(run, 25 * MINUTE, { type: 'resume' });
    expect(stateAt(run, 28 * MINUTE - 1)).toBe('on_track');
    expect(stateAt(run, 28 * MINUTE)).toBe('at_risk');
    expect(stateAt(run, 30 * MINUTE + 1)).toBe('breached');
  });

  test('continue in a failed run', () => {
    const run = endAt(beside(automated), 2 * MINUTE, fail);
    expect(stateAt(run, 2 * MINUTE)).toBe('on_track');
    expect(stateAt(run, 48 * MINUTE)).toBe('at_risk');
    expect(stateAt(run, 61 * MINUTE)).toBe('breached');
  });
});

test('the server acts as `system`, without an email address', () => {
  expect(SYSTEM_ACTOR).toEqual({ id: 'system', name: 'system', email: '', kind: 'system' });
  expect(actorOf('system')).toBe(SYSTEM_ACTOR);
});
