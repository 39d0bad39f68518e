import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../sla/duration.ts';
import { applyFacts } from './apply.ts';
import { decide } from './decide.ts';
import type { RunFact } from './facts.ts';
import { actorOf, done } from './run.scenario.ts';
import { stepStateOf } from './state.ts';
import { trendOf } from './view.ts';
import { Clocked, OFFICE, step, T0 } from './clocked.scenario.ts';

describe('in working hours', () => {
  test('an SLA of one day is one working day, and the step is at risk after 80 %', () => {
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

  test('the used share of a late step does not include nights', () => {
    const run = new Clocked([step('a', '4h', ['b']), step('b', '90h')], OFFICE);
    run.at(26, done('a')); // Tuesday 11:00, ten working hours after the start.
    expect(trendOf(run.workflow, run.state)).toEqual([2.5]);
  });

  test('a pause over a weekend postpones the due time only by the working time in it', () => {
    const run = new Clocked([step('a', '40h')], OFFICE);
    const friday = 4 * 24;
    run.at(friday + 6, { type: 'pause' }); // Friday 15:00, 38 hours used.
    run.at(friday + 72 + 1, { type: 'resume' }); // Monday 10:00.
    expect(stepStateOf(run.state, 'a')).toMatchObject({ dueAt: Date.parse('2026-11-23T12:00:00Z') });
    expect(run.watch(friday + 72 + 2.9)).toEqual(['sla_at_risk run', 'sla_at_risk a']);
    expect(run.watch(friday + 72 + 3.1)).toEqual(['sla_breached run', 'sla_breached a']);
  });

  test('the end of a pause records new due times, based on each clock’s remaining working time', () => {
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

  test('a pause doesn’t affect the clock of a completed step', () => {
    const run = new Clocked([step('a', '4h', ['c']), step('b', '40h'), step('c', '40h')], OFFICE);
    run.at(1, done('a'));
    const before = stepStateOf(run.state, 'a');
    run.at(2, { type: 'pause' });
    const [resumed] = run.at(3, { type: 'resume' });
    expect(Object.keys((resumed as { deadlines: object }).deadlines)).toEqual(['b', 'c']);
    expect(stepStateOf(run.state, 'a')).toEqual(before);
  });

  test('a `run_resumed` fact without deadlines postpones all clocks by elapsed time', () => {
    const run = new Clocked([step('a', '4h')], OFFICE);
    run.at(1, { type: 'pause' });
    const { dueAt, riskAt } = stepStateOf(run.state, 'a') as { dueAt: number; riskAt: number };
    const fact: RunFact = { type: 'run_resumed', pausedMs: HOUR_MS, at: T0 + 2 * HOUR_MS, by: actorOf('ann') };
    const state = applyFacts(run.workflow, run.state, [fact]);
    const moved = { dueAt: dueAt + HOUR_MS, riskAt: riskAt + HOUR_MS };
    expect(stepStateOf(state, 'a')).toMatchObject(moved);
    expect(state.deadline).toEqual(moved);
    // A deadline of an unknown step is ignored.
    const strange = { ...fact, deadlines: { gone: { dueAt: 1 } } };
    expect(applyFacts(run.workflow, run.state, [strange])).toEqual(state);
  });

  test('if clocks count elapsed time, the end of a pause records no deadlines', () => {
    const run = new Clocked([step('a', '4h')]);
    run.at(1, { type: 'pause' });
    const [resumed] = run.at(2, { type: 'resume' });
    expect(Object.keys(resumed ?? {}).toSorted()).toEqual(['at', 'by', 'pausedMs', 'type']);
    expect(stepStateOf(run.state, 'a')).not.toHaveProperty('riskAt');
    run.at(3, done('a'));
    expect(stepStateOf(run.state, 'a')).not.toHaveProperty('riskAt');
    expect(run.state).not.toHaveProperty('deadline');
  });

  test('a clock that began in elapsed time stays in elapsed time', () => {
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
