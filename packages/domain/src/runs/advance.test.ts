import { describe, expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { stepOf, stepsOf } from '../workflows/workflow.arbitrary.ts';
import { decided, done, Scenario } from './run.scenario.ts';

const condition = (trueNext: string, falseNext?: string): Partial<Step> => ({
  type: 'condition',
  config: { trueNext, ...(falseNext && { falseNext }) },
});
describe('a chain', () => {
  test('advances step by step to the end', () => {
    const run = new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }));
    expect(run.states).toBe('a:active b:waiting c:waiting');
    expect(run.act(done('a'))).toEqual(['step_completed a', 'step_activated b']);
    expect(run.act(done('b'))).toEqual(['step_completed b', 'step_activated c']);
    expect(run.act(done('c'))).toEqual(['step_completed c', 'run_completed']);
    expect(run.state.status).toBe('completed');
  });

  test('follows its links, not its rows', () => {
    const run = new Scenario(stepsOf({ c: '', b: 'c', a: 'b' }));
    expect(run.states).toBe('c:waiting b:waiting a:active');
  });
});

describe('fork and join', () => {
  const steps = () => stepsOf({ a: 'b c', b: 'd', c: 'd', d: '' });

  test('activate all next steps at a fork', () => {
    const run = new Scenario(steps());
    expect(run.act(done('a'))).toEqual(['step_completed a', 'step_activated b', 'step_activated c']);
  });

  test('wait at a join for all its predecessors', () => {
    const run = new Scenario(steps());
    run.act(done('a'));
    expect(run.act(done('c'))).toEqual(['step_completed c']);
    expect(run.states).toBe('a:completed b:active c:completed d:waiting');
    expect(run.act(done('b'))).toEqual(['step_completed b', 'step_activated d']);
  });

  test('don’t wait for a predecessor that a person skipped', () => {
    const run = new Scenario(steps());
    run.act(done('a'));
    run.act({ type: 'skip', stepId: 'b', reason: 'not needed' });
    expect(run.act(done('c'))).toEqual(['step_completed c', 'step_activated d']);
  });

  test('activate all first steps at the start', () => {
    expect(new Scenario(stepsOf({ a: 'c', b: 'c', c: '' })).states).toBe('a:active b:active c:waiting');
  });

  test('don’t complete the run before all its ends are done', () => {
    const run = new Scenario(stepsOf({ a: 'b c', b: '', c: '' }));
    run.act(done('a'));
    expect(run.act(done('b'))).toEqual(['step_completed b']);
    expect(run.act(done('c'))).toEqual(['step_completed c', 'run_completed']);
  });
});

describe('a branch that is not taken', () => {
  test('is skipped, along with the steps reachable only through it', () => {
    const run = new Scenario(stepsOf({ q: 't f', t: 'e', f: 'g', g: 'e', e: '' }, { q: condition('t', 'f') }));
    expect(run.act(decided('q', true), 'system')).toEqual([
      'step_completed q',
      'step_activated t',
      'step_skipped f',
      'step_skipped g',
    ]);
    expect(run.states).toBe('q:completed t:active f:skipped g:skipped e:waiting');
    expect(run.act(done('t'))).toEqual(['step_completed t', 'step_activated e']);
  });

  test('doesn’t skip a join that another branch leads to', () => {
    const run = new Scenario(stepsOf({ q: 't e', t: 'e', e: '' }, { q: condition('t', 'e') }));
    expect(run.act(decided('q', false), 'system')).toEqual(['step_completed q', 'step_skipped t', 'step_activated e']);
  });

  test('leaves a join waiting if an open branch may still lead to it', () => {
    const run = new Scenario(stepsOf({ a: 'j', q: 't', t: 'j', j: '' }, { q: condition('t') }));
    expect(run.act(decided('q', false), 'system')).toEqual(['step_completed q', 'step_skipped t']);
    expect(run.states).toBe('a:active q:completed t:skipped j:waiting');
    expect(run.act(done('a'))).toEqual(['step_completed a', 'step_activated j']);
  });

  test('still leaves a join waiting for other branches if several of its own steps lead there', () => {
    const run = new Scenario(stepsOf({ q: 't x', x: 'y j', y: 'j', t: '', z: 'j', j: '' }, { q: condition('t') }));
    expect(run.act(decided('q', true), 'system')).toEqual([
      'step_completed q',
      'step_activated t',
      'step_skipped x',
      'step_skipped y',
    ]);
    expect(run.act(done('t'))).toEqual(['step_completed t']);
    expect(run.act(done('z'))).toEqual(['step_completed z', 'step_activated j']);
  });

  test('leads to the skip of a join if no other branch that leads there is taken', () => {
    const steps = stepsOf({ p: 'x', q: 'y', x: 'j', y: 'j', j: 'k', k: '' }, { p: condition('x'), q: condition('y') });
    const run = new Scenario(steps);
    run.act(decided('p', false), 'system');
    expect(run.act(decided('q', false), 'system')).toEqual([
      'step_completed q',
      'step_skipped y',
      'step_skipped j',
      'step_skipped k',
      'run_completed',
    ]);
  });

  test('is distinguished from a skip by a person', () => {
    const run = new Scenario(stepsOf({ q: 't', t: 'u', u: '' }, { q: condition('t') }));
    run.act(decided('q', true), 'system');
    expect(run.act({ type: 'skip', stepId: 't', reason: ' not needed ' })).toEqual([
      'step_skipped t',
      'step_activated u',
    ]);
    expect(run.step('t')).toMatchObject({ state: 'skipped', onward: true, reason: 'not needed', by: { id: 'ann' } });
    const other = new Scenario(stepsOf({ q: 't', t: 'u', u: '' }, { q: condition('t') }));
    other.act(decided('q', false), 'system');
    expect(other.step('t')).toMatchObject({ state: 'skipped', onward: false, reason: null, clock: null });
  });

  test('doesn’t exist if a person skipped the condition, because the run then takes all branches', () => {
    const run = new Scenario(stepsOf({ q: 't f', t: '', f: '' }, { q: condition('t', 'f') }));
    expect(run.act({ type: 'skip', stepId: 'q', reason: 'not needed' })).toEqual([
      'step_skipped q',
      'step_activated t',
      'step_activated f',
    ]);
  });
});

describe('a large run', () => {
  test('skips 998 steps in one decision without a stack overflow', () => {
    const chain = Array.from({ length: 998 }, (_, at) =>
      stepOf({ id: `s${at}`, next: at < 997 ? [`s${at + 1}`] : [] }),
    );
    const run = new Scenario([
      stepOf({ id: 'q', next: ['s0', 'end'], ...condition('s0', 'end') }),
      ...chain,
      stepOf({ id: 'end' }),
    ]);
    expect(run.act(decided('q', false), 'system')).toHaveLength(1 + 998 + 1);
    expect(run.act(done('end'))).toEqual(['step_completed end', 'run_completed']);
  });

  test('can have 1000 steps with up to 200 links each', () => {
    const steps = Array.from({ length: 1000 }, (_, at): Step => {
      const next = Array.from({ length: Math.min(200, 999 - at) }, (_unused, jump) => `s${at + 1 + jump}`);
      return stepOf({
        id: `s${at}`,
        next,
        type: 'condition',
        config: at < 999 ? { trueNext: `s${at + 1}`, falseNext: `s${at + 1}` } : {},
      });
    });
    const run = new Scenario(steps);
    expect(run.act(decided('s0', true), 'system')).toEqual(['step_completed s0', 'step_activated s1']);
  });
});
