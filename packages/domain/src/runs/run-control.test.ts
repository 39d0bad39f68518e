import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import type { RunState } from './state.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { applyFacts } from './apply.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import { RUN_REFUSAL_CODES } from './refusals.ts';
import { actorOf, done, ran, Scenario } from './run.scenario.ts';

const automated: Partial<Step> = { type: 'automated', config: {} };
const steps = () => stepsOf({ a: 'b', b: '' }, { a: { sla: '1h' }, b: { sla: '2h' } });
const by = { at: 5, actor: actorOf('ann') };
const everyStepAction: RunCommand[] = [
  done('a'),
  { type: 'skip', stepId: 'a', reason: 'not needed' },
  { type: 'approve', stepId: 'a' },
  { type: 'reject', stepId: 'a', comments: 'no' },
  { type: 'claim', stepId: 'a' },
  { type: 'release', stepId: 'a', holderId: 'ann' },
  {
    type: 'hand_over',
    stepId: 'a',
    to: { kind: 'person', id: 'bob', name: 'Bob', email: 'bob@example.com' },
    reason: 'away',
  },
];

describe('start', () => {
  test('stores the run’s target time and activates the first step with its due time', () => {
    const run = new Scenario(steps());
    expect(run.state).toMatchObject({
      status: 'running',
      startedAt: 0,
      startedBy: { id: 'ann' },
      targetMs: 3 * 3_600_000,
      pausedMs: 0,
    });
    expect(run.step('a')).toMatchObject({ state: 'active', activation: 1, activatedAt: 0, dueAt: 3_600_000 });
    expect(run.step('b')).toEqual({ state: 'waiting', activation: 0 });
  });

  test('is refused a second time or without steps, and a step can’t be completed before it', () => {
    expect(new Scenario(steps()).refusal({ type: 'start' })).toEqual({ code: 'already_started' });
    expect(decide({ steps: [] }, null, { type: 'start' }, by)).toEqual({ ok: false, refusal: { code: 'no_steps' } });
    expect(decide({ steps: steps() }, null, done('a'), by)).toEqual({ ok: false, refusal: { code: 'not_started' } });
  });

  test('sets no due time for a step with an invalid SLA', () => {
    const run = new Scenario(stepsOf({ a: '' }, { a: { sla: 'soon' } }));
    expect(run.step('a')).toMatchObject({ dueAt: null });
    expect(run.state.targetMs).toBeNull();
  });
});

describe('a pause', () => {
  test('makes the run refuse step actions', () => {
    const run = new Scenario(steps());
    run.act({ type: 'pause' });
    expect(run.state).toMatchObject({ status: 'paused', pausedSince: 60_000 });
    for (const command of everyStepAction) expect(run.refusal(command)).toEqual({ code: 'run_paused' });
    expect(run.refusal({ type: 'pause' })).toEqual({ code: 'run_paused' });
    expect(run.refusal({ type: 'retry', stepId: 'a' })).toEqual({ code: 'run_paused' });
  });

  test('postpones due times by its length', () => {
    const run = new Scenario(steps());
    run.act({ type: 'pause' });
    run.act({ type: 'resume' });
    expect(run.state).toMatchObject({ status: 'running', pausedMs: 60_000 });
    expect(run.state).not.toHaveProperty('pausedSince');
    expect(run.step('a')).toMatchObject({ activatedAt: 0, pausedMs: 60_000, dueAt: 3_660_000 });
    run.act({ type: 'pause' });
    run.act({ type: 'resume' });
    expect(run.step('a')).toMatchObject({ pausedMs: 120_000, dueAt: 3_720_000 });
    expect(run.step('b')).toEqual({ state: 'waiting', activation: 0 });
  });

  test('can’t be ended if the run isn’t paused', () => {
    expect(new Scenario(steps()).refusal({ type: 'resume' })).toEqual({ code: 'run_not_paused' });
  });
});

describe('a cancellation', () => {
  test('ends a running or paused run and needs a reason', () => {
    const run = new Scenario(steps());
    expect(run.refusal({ type: 'cancel', reason: ' ' })).toEqual({ code: 'reason_required' });
    run.act({ type: 'cancel', reason: ' not wanted ' }, 'bob');
    expect(run.state).toMatchObject({ status: 'cancelled', reason: 'not wanted', by: { id: 'bob' }, endedAt: run.now });

    const paused = new Scenario(steps());
    paused.act({ type: 'pause' });
    paused.act({ type: 'cancel', reason: 'x' });
    expect(paused.state).toMatchObject({ status: 'cancelled', pausedMs: 60_000 });
    expect(paused.step('a')).toMatchObject({ state: 'active', pausedMs: 60_000 });
  });
});

test.each(['completed', 'cancelled', 'failed'] as const)(
  'a %s run refuses actions on steps, pauses, resumptions, cancellations and, unless it failed, retries and changes of its priority',
  (status) => {
    const run = new Scenario(stepsOf({ a: '' }, { a: automated }));
    if (status === 'cancelled') run.act({ type: 'cancel', reason: 'x' });
    if (status === 'completed') run.act(ran('a', null));
    if (status === 'failed') run.act({ type: 'fail_step', stepId: 'a', activation: 1, reason: 'x' });
    const commands: RunCommand[] = [
      ...everyStepAction,
      { type: 'pause' },
      { type: 'resume' },
      { type: 'cancel', reason: 'x' },
    ];
    const priority = { type: 'set_priority', from: 'low', to: 'high' } as const;
    if (status !== 'failed') commands.push({ type: 'retry', stepId: 'a' }, priority);
    for (const command of commands) expect(run.refusal(command)).toEqual({ code: 'run_finished', status });
  },
);

describe('a retry', () => {
  test('is possible only for the failed step of a failed run', () => {
    const run = new Scenario(stepsOf({ a: 'b', c: '', b: '' }, { a: automated }));
    expect(run.refusal({ type: 'retry', stepId: 'a' })).toEqual({
      code: 'step_not_failed',
      stepId: 'a',
      state: 'active',
    });
    run.act({ type: 'fail_step', stepId: 'a', activation: 1, reason: 'x' });
    expect(run.refusal({ type: 'retry', stepId: 'c' })).toEqual({
      code: 'step_not_failed',
      stepId: 'c',
      state: 'active',
    });
    expect(run.refusal({ type: 'retry', stepId: 'x' })).toEqual({ code: 'unknown_step', stepId: 'x' });
    run.act({ type: 'retry', stepId: 'a' });
    expect(run.state).not.toHaveProperty('reason');
    expect(run.step('a')).toMatchObject({ state: 'active', activation: 2, activatedAt: run.now });
  });
});

test('facts are never dated before earlier facts', () => {
  const run = new Scenario(steps());
  run.act(done('a'));
  const decision = decide(run.workflow, run.state, done('b'), { at: 1, actor: actorOf('ann') });
  expect(decision.ok && decision.facts.map((fact) => fact.at)).toEqual([60_000, 60_000]);
});

test('ids that are JavaScript property names work like any other', () => {
  const run = new Scenario(stepsOf({ ['__proto__']: 'constructor', constructor: '' }));
  expect(run.states).toBe('__proto__:active constructor:waiting');
  run.act(done('__proto__'));
  run.state = JSON.parse(JSON.stringify(run.state)) as RunState;
  expect(run.act(done('constructor'))).toEqual(['step_completed constructor', 'run_completed']);
});

test('applyFacts throws an error for impossible facts', () => {
  const run = new Scenario(steps());
  const { workflow } = run;
  const dated = { at: 1, by: actorOf('ann') };
  expect(() => applyFacts(workflow, null, [{ type: 'run_paused', ...dated }])).toThrow('before run_started');
  const completed = {
    type: 'step_completed',
    activation: 1,
    output: null,
    notes: null,
    report: null,
    ...dated,
  } as const;
  expect(() => applyFacts(workflow, run.state, [{ ...completed, stepId: 'b' }])).toThrow('which is waiting');
  expect(() => applyFacts(workflow, run.state, [{ ...completed, stepId: 'x' }])).toThrow("doesn't have");
  expect(applyFacts(workflow, run.state, [])).toEqual(run.state);
});

test('the refusal codes are in snake_case and don’t change', () => {
  // Written out on purpose, because callers depend on them.
  const codes =
    'already_started not_started no_steps unknown_step run_paused run_finished run_not_paused priority_unchanged step_not_active ' +
    'step_not_failed not_a_person_step wrong_step_type stale_activation input_required invalid_fields ' +
    'comments_required reason_required already_submitted not_submitted own_submission already_voted skip_never already_agreed stand_in_reason_required reviewer_not_counted_yet ' +
    'already_claimed already_theirs not_claimed handed_to_oneself approval_handed_over approval_to_group hand_over_barred rejected_cannot_retry separate_from';
  expect(RUN_REFUSAL_CODES).toEqual(codes.split(' '));
  for (const code of RUN_REFUSAL_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
