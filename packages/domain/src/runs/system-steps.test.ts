import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import type { RunCommand } from './commands.ts';
import { decided, done, ran, Scenario, sent } from './run.scenario.ts';

const run = (type: Step['type']) =>
  new Scenario(stepsOf({ a: 'b', b: '' }, { a: { type, config: {} } as Partial<Step> }));
const at = (activation: number) => ({ stepId: 'a', activation });
const fail = (activation: number): RunCommand => ({ type: 'fail_step', ...at(activation), reason: 'no answer' });
const finished = (activation: number): RunCommand => ({
  ...ran('a', [1, 'x']),
  activation,
});

describe('a report', () => {
  test.each([
    [
      'automated',
      { ...finished(1), report: { kind: 'automated', simulated: true, reportedMs: 3000 } },
      [1, 'x'],
      { kind: 'automated', simulated: true, reportedMs: 3000 },
    ],
    ['automated', finished(1), [1, 'x'], { kind: 'automated', simulated: false, reportedMs: null }],
    ['condition', decided('a', true), { result: true }, { kind: 'condition', result: true }],
    ['notification', sent('a', ['x@example.com']), null, { kind: 'notification', undeliverable: ['x@example.com'] }],
  ] as const)('completes a server step of type %s', (type, command, output, report) => {
    const scenario = run(type);
    expect(scenario.act(command as RunCommand, 'system')).toEqual(['step_completed a', 'step_activated b']);
    expect(scenario.step('a')).toMatchObject({ state: 'completed', by: { kind: 'system' }, output, report });
  });

  test.each([
    ['nothing if there is no log', undefined, {}],
    ['nothing if the log is empty', [], {}],
    ['the log’s lines', ['one', 'two'], { log: ['one', 'two'] }],
  ])('stores %s, whether the step succeeds or fails', (_, log, stored) => {
    const [good, bad] = [run('automated'), run('automated')];
    const given = log && { log };
    good.act({ ...finished(1), ...given }, 'system');
    bad.act({ ...fail(1), ...given }, 'system');
    const logOf = (scenario: Scenario, type: string) => {
      const fact = scenario.facts.find((each) => each.type === type);
      return fact && 'log' in fact ? { log: fact.log } : {};
    };
    expect(logOf(good, 'step_completed')).toEqual(stored);
    expect(logOf(bad, 'step_failed')).toEqual(stored);
  });

  test('marks a failure as simulated only if the simulation caused it', () => {
    const failedAs = (simulated: boolean | undefined): unknown[] => {
      const scenario = run('automated');
      scenario.act({ ...fail(1), ...(simulated !== undefined && { simulated }) }, 'system');
      return [scenario.facts.find(({ type }) => type === 'step_failed'), scenario.step('a')];
    };
    for (const outcome of failedAs(true)) expect(outcome).toMatchObject({ simulated: true });
    for (const outcome of [...failedAs(false), ...failedAs(undefined)]) expect(outcome).not.toHaveProperty('simulated');
  });

  test('is refused if the step has a different type', () => {
    expect(run('notification').refusal(finished(1), 'system')).toEqual({
      code: 'wrong_step_type',
      stepId: 'a',
      type: 'notification',
    });
    expect(run('manual').refusal(fail(1), 'system')).toEqual({ code: 'wrong_step_type', stepId: 'a', type: 'manual' });
  });

  test('is refused as stale if it belongs to a different activation, even while the run is paused', () => {
    const scenario = run('automated');
    const stale = { code: 'stale_activation', stepId: 'a', activation: 2, current: 1 };
    expect(scenario.refusal(finished(2), 'system')).toEqual(stale);
    scenario.act({ type: 'pause' });
    expect(scenario.refusal(finished(2), 'system')).toEqual(stale);
    expect(scenario.refusal(finished(1), 'system')).toEqual({ code: 'run_paused' });
  });

  test('changes nothing if it is received a second time', () => {
    const scenario = run('automated');
    scenario.act(finished(1), 'system');
    expect(scenario.refusal(finished(1), 'system')).toEqual({
      code: 'step_not_active',
      stepId: 'a',
      state: 'completed',
    });
  });

  test('is refused if there is no such step', () => {
    expect(run('automated').refusal({ ...finished(1), stepId: 'x' } as RunCommand, 'system')).toEqual({
      code: 'unknown_step',
      stepId: 'x',
    });
  });
});

describe('a failure', () => {
  test.each(['automated', 'condition', 'notification'] as const)(
    'fails the run if the step has the type %s',
    (type) => {
      const scenario = run(type);
      expect(scenario.act(fail(1), 'system')).toEqual(['step_failed a', 'run_failed a']);
      expect(scenario.state).toMatchObject({ status: 'failed', stepId: 'a', reason: 'no answer' });
      expect(scenario.step('a')).toMatchObject({ state: 'failed', reason: 'no answer' });
    },
  );

  test('is undone by a retry, whose new activation makes the failed one stale', () => {
    const scenario = run('automated');
    scenario.act(fail(1), 'system');
    expect(scenario.act({ type: 'retry', stepId: 'a' })).toEqual(['step_retried a', 'step_activated a']);
    expect(scenario.state.status).toBe('running');
    expect(scenario.refusal(finished(1), 'system').code).toBe('stale_activation');
    expect(scenario.act(finished(2), 'system')).toContain('step_completed a');
  });

  test('blocks other active steps until the retry', () => {
    const scenario = new Scenario(stepsOf({ a: 'c', b: 'c', c: '' }, { a: { type: 'automated', config: {} } }));
    scenario.act(fail(1), 'system');
    expect(scenario.refusal(done('b'))).toEqual({ code: 'run_finished', status: 'failed' });
    scenario.act({ type: 'retry', stepId: 'a' });
    expect(scenario.act(done('b'))).toEqual(['step_completed b']);
  });
});
