import { describe, expect, test } from 'vitest';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { currentStepIds, displayStates, nextSteps, progressOf } from './display.ts';
import { done, Scenario } from './run.scenario.ts';

const shown = (run: Scenario) =>
  displayStates(run.workflow, run.state)
    .map(({ stepId, state }) => `${stepId}:${state}`)
    .join(' ');
const following = (run: Scenario) => nextSteps(run.workflow, run.state).map(({ id }) => id);

test('steps are shown as completed, skipped, active and blocked', () => {
  const run = new Scenario(stepsOf({ a: 'b', b: 'c', c: 'd', d: '' }));
  run.act(done('a'));
  run.act({ type: 'skip', stepId: 'b', reason: 'not needed' });
  expect(shown(run)).toBe('a:completed b:skipped c:active d:blocked');
  expect(currentStepIds(run.workflow, run.state)).toEqual(['c']);
  expect(progressOf(run.workflow, run.state)).toEqual({ completed: 1, skipped: 1, total: 4, share: 0.25 });
});

test('a waiting step is shown as pending if all rows above it are done', () => {
  const run = new Scenario(stepsOf({ a: '', j: '', b: 'j' }));
  run.act(done('a'));
  expect(shown(run)).toBe('a:completed j:pending b:active');
});

test('a failed step is shown as failed, and active parallel steps as active', () => {
  const run = new Scenario(stepsOf({ a: '', b: 'c', c: '' }, { b: { type: 'automated', config: {} } }));
  run.act({ type: 'fail_step', stepId: 'b', activation: 1, reason: 'x' });
  expect(shown(run)).toBe('a:active b:failed c:blocked');
  expect(currentStepIds(run.workflow, run.state)).toEqual(['a']);
});

test('a paused run keeps its current steps; a cancelled run has none', () => {
  const run = new Scenario(stepsOf({ a: 'b', b: '' }));
  run.act({ type: 'pause' });
  expect(currentStepIds(run.workflow, run.state)).toEqual(['a']);
  run.act({ type: 'cancel', reason: 'x' });
  expect(currentStepIds(run.workflow, run.state)).toEqual([]);
  expect(shown(run)).toBe('a:pending b:blocked');
  expect(following(run)).toEqual([]);
});

describe('next steps', () => {
  test('follow the active steps and have a name and an owner', () => {
    const run = new Scenario(
      stepsOf({ a: 'b c', b: 'd', c: 'd', d: '' }, { b: { title: 'Check', assignee: 'reviewer' } }),
    );
    expect(nextSteps(run.workflow, run.state)).toEqual([
      { id: 'b', name: 'Check', owner: 'reviewer' },
      { id: 'c', name: 'C', owner: 'Unassigned' },
    ]);
    run.act(done('a'));
    expect(following(run)).toEqual(['d']);
  });

  test('don’t include the row below if the active steps lead elsewhere', () => {
    expect(following(new Scenario(stepsOf({ a: 'c', b: '', c: 'b' })))).toEqual(['c']);
  });

  test('include the row below if the active steps lead nowhere', () => {
    const run = new Scenario(stepsOf({ a: '', c: '', b: 'c' }));
    expect(following(run)).toEqual(['c']);
    run.act(done('b'));
    expect(following(run)).toEqual([]);
  });

  test('include the row below the last active step if that step leads nowhere', () => {
    const of = (links: Record<string, string>) => {
      const run = new Scenario(stepsOf(links, { p: { type: 'automated', config: {} } }));
      run.act({ type: 'fail_step', stepId: 'p', activation: 1, reason: 'x' });
      return following(run);
    };
    expect(of({ p: 'x', q: '', x: 'y', y: '' })).toEqual(['x']);
    expect(of({ p: 'x', x: 'y', q: '', y: '' })).toEqual(['y']);
    expect(of({ p: 'x', x: '', q: '' })).toEqual([]);
  });

  test('are empty if no step is active, even if the first row is waiting', () => {
    const run = new Scenario(stepsOf({ b: '', a: 'b' }));
    expect(following(run)).toEqual(['b']);
    run.act({ type: 'cancel', reason: 'x' });
    expect(following(run)).toEqual([]);
  });

  test('are empty in a run that is over', () => {
    const run = new Scenario(stepsOf({ a: '' }));
    run.act(done('a'));
    expect(following(run)).toEqual([]);
    expect(progressOf(run.workflow, run.state)).toEqual({ completed: 1, skipped: 0, total: 1, share: 1 });
  });
});

test('a run without steps has no progress', () => {
  const { state } = new Scenario(stepsOf({ a: '' }));
  expect(progressOf({ steps: [] }, state)).toEqual({ completed: 0, skipped: 0, total: 0, share: 0 });
});
