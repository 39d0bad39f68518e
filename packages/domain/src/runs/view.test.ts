import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { decided, done, Scenario } from './run.scenario.ts';
import {
  durationMs,
  failureMessage,
  nextDueAt,
  outputsOf,
  pendingSystemSteps,
  slaStateOfRun,
  slaStatus,
  trendOf,
  usedShareOf,
} from './view.ts';

const MINUTE = 60_000;
const chain = () =>
  new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }, { a: { sla: '2m' }, b: { sla: '' }, c: { sla: '10m' } }));

test('a run’s duration excludes pauses and ends with the run', () => {
  const run = chain();
  expect(durationMs(run.state, 5000)).toBe(5000);
  run.act({ type: 'pause' });
  expect(durationMs(run.state, 90 * MINUTE)).toBe(MINUTE);
  run.act({ type: 'resume' });
  expect(durationMs(run.state, 5 * MINUTE)).toBe(4 * MINUTE);
  run.act({ type: 'cancel', reason: 'x' });
  expect(durationMs(run.state, 90 * MINUTE)).toBe(2 * MINUTE);
});

describe('an SLA state', () => {
  test('depends on the current time if the step is active', () => {
    const run = chain();
    expect(slaStatus(run.workflow, run.state, 1.5 * MINUTE)).toEqual([{ stepId: 'a', state: 'on_track' }]);
    expect(slaStatus(run.workflow, run.state, 1.6 * MINUTE)).toEqual([{ stepId: 'a', state: 'at_risk' }]);
    expect(slaStatus(run.workflow, run.state, 2 * MINUTE + 1)).toEqual([{ stepId: 'a', state: 'breached' }]);
    expect(slaStateOfRun(run.state, 2 * MINUTE + 1)).toBe('breached');
  });

  test('is final and counts for the run if the step is finished', () => {
    const run = chain();
    run.now = 9 * MINUTE;
    run.act(done('a'));
    run.act(done('b'));
    expect(slaStatus(run.workflow, run.state, run.now)).toEqual([
      { stepId: 'a', state: 'breached' },
      { stepId: 'c', state: 'on_track' },
    ]);
    expect(slaStateOfRun(run.state, run.now)).toBe('breached');
  });

  test('is also breached if the step was skipped late', () => {
    const run = chain();
    run.now = 9 * MINUTE;
    run.act({ type: 'skip', stepId: 'a', reason: 'not needed' });
    expect(slaStatus(run.workflow, run.state, run.now)).toEqual([{ stepId: 'a', state: 'breached' }]);
  });

  test('also depends on the run’s elapsed time compared with the longest path', () => {
    const run = new Scenario(stepsOf({ a: 'b', b: '' }, { a: { sla: '' }, b: { sla: '10m' } }));
    expect(slaStateOfRun(run.state, 7 * MINUTE)).toBe('on_track');
    expect(slaStateOfRun(run.state, 8 * MINUTE)).toBe('at_risk');
    expect(slaStateOfRun(run.state, 10 * MINUTE + 1)).toBe('breached');
  });

  test('doesn’t change during a pause or after the run’s end', () => {
    const run = chain();
    run.act({ type: 'pause' });
    expect(slaStateOfRun(run.state, 90 * MINUTE)).toBe('on_track');
    expect(slaStatus(run.workflow, run.state, 90 * MINUTE)).toEqual([{ stepId: 'a', state: 'on_track' }]);
    run.act({ type: 'cancel', reason: 'x' });
    expect(slaStateOfRun(run.state, 90 * MINUTE)).toBe('on_track');
    expect(slaStatus(run.workflow, run.state, 90 * MINUTE)).toEqual([{ stepId: 'a', state: 'on_track' }]);
  });

  test('is null if no step has an SLA', () => {
    expect(slaStateOfRun(new Scenario(stepsOf({ a: '' })).state, 9e9)).toBeNull();
  });
});

test('the trend has the used share of each completed step’s SLA in order of completion, and omits other steps', () => {
  const run = new Scenario(
    stepsOf({ a: '', b: '', c: '', d: '' }, { a: { sla: '2m' }, b: { sla: '4m' }, d: { sla: '1h' } }),
  );
  run.act(done('b'));
  run.act(done('a'));
  run.act(done('c'));
  run.act({ type: 'skip', stepId: 'd', reason: 'not needed' });
  expect(trendOf(run.workflow, run.state)).toEqual([0.25, 1]);
  expect(run.workflow.steps.map(({ id }) => usedShareOf(run.state.steps[id]))).toContain(0.25);
});

test('the trend omits failed steps', () => {
  const run = new Scenario(stepsOf({ a: '', b: '' }, { a: { type: 'automated', config: {}, sla: '2m' } }));
  run.act({ type: 'fail_step', stepId: 'a', activation: 1, reason: 'x' }, 'system');
  expect(trendOf(run.workflow, run.state)).toEqual([]);
});

test('a run’s duration is zero if its start is in the future', () => {
  const { state } = chain();
  const later = { ...state, startedAt: 50 * MINUTE };
  expect(durationMs(later, 51 * MINUTE)).toBe(MINUTE);
  expect(durationMs(later, 49 * MINUTE)).toBe(0);
});

test('the trend excludes pauses', () => {
  const run = chain();
  run.act({ type: 'pause' });
  run.act({ type: 'resume' });
  run.act(done('a'));
  expect(trendOf(run.workflow, run.state)).toEqual([1]);
});

test('the next due time is the earliest one, or null if the run is paused or no active step has an SLA', () => {
  const run = new Scenario(stepsOf({ a: '', b: '', c: '' }, { a: { sla: '2h' }, b: { sla: '1h' } }));
  expect(nextDueAt(run.workflow, run.state)).toBe(60 * MINUTE);
  run.act({ type: 'pause' });
  expect(nextDueAt(run.workflow, run.state)).toBeNull();
  run.act({ type: 'resume' });
  expect(nextDueAt(run.workflow, run.state)).toBe(61 * MINUTE);
  run.act(done('a'));
  run.act(done('b'));
  expect(nextDueAt(run.workflow, run.state)).toBeNull();
});

test('outputsOf returns the outputs of completed steps', () => {
  const run = new Scenario(stepsOf({ a: '', q: '', c: '' }, { q: { type: 'condition', config: {} } }));
  run.act(done('a'));
  run.act(decided('q', false), 'system');
  expect(Object.keys(outputsOf(run.state))).toEqual(['a', 'q']);
  expect(outputsOf(run.state)).toEqual({ a: { text: 'a done' }, q: { result: false } });
});

test('pendingSystemSteps returns the active steps that the server executes, if the run is running', () => {
  const types: Record<string, Partial<Step>> = {
    b: { type: 'automated', config: {} },
    c: { type: 'condition', config: {} },
    d: { type: 'notification', config: {} },
    e: { type: 'approval', config: {} },
  };
  const run = new Scenario(
    stepsOf({ a: '', b: 'f', c: '', d: '', e: '', f: '' }, { ...types, f: { type: 'automated', config: {} } }),
  );
  const pending = () =>
    pendingSystemSteps(run.workflow, run.state).map(
      ({ stepId, activation, type }) => `${stepId} ${activation} ${type}`,
    );
  expect(pending()).toEqual(['b 1 automated', 'c 1 condition', 'd 1 notification']);
  run.act({ type: 'fail_step', stepId: 'b', activation: 1, reason: 'no answer' }, 'system');
  expect(failureMessage(run.state)).toBe('Step failed: no answer');
  expect(pending()).toEqual([]);
  run.act({ type: 'retry', stepId: 'b' });
  expect(failureMessage(run.state)).toBeNull();
  expect(pending()).toEqual(['b 2 automated', 'c 1 condition', 'd 1 notification']);
});
