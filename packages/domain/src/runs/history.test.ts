import { expect, test } from 'vitest';
import { stepsOf } from '../workflows/workflow.arbitrary.ts';
import { HISTORY_ACTIONS, historyEntry } from './history.ts';
import { actorOf, done, Scenario } from './run.scenario.ts';

test('a run’s history has one entry for a failure', () => {
  const run = new Scenario(stepsOf({ a: 'b', b: 'c', c: '' }, { c: { type: 'automated', config: {} } }));
  run.act(done('a'));
  run.act({ type: 'skip', stepId: 'b', reason: 'not needed' }, 'bob');
  run.act({ type: 'fail_step', stepId: 'c', activation: 1, reason: 'no answer' }, 'system');
  expect(
    run.facts
      .flatMap((fact) => historyEntry(fact) ?? [])
      .map(({ stepId, action, actor }) => `${stepId} ${action} ${actor.name}`),
  ).toEqual([
    'null run_started ann',
    'a activated ann',
    'a completed ann',
    'b activated ann',
    'b skipped bob',
    'c activated bob',
    'c failed system',
  ]);
});

test('an entry contains the output or the reason, and omits missing values', () => {
  const dated = { at: 5, by: actorOf('ann'), stepId: 'a', activation: 1 };
  const completed = { type: 'step_completed', ...dated, output: { text: 'x' }, notes: null, report: null } as const;
  expect(historyEntry(completed)).toEqual({
    stepId: 'a',
    action: 'completed',
    at: 5,
    actor: actorOf('ann'),
    data: { activation: 1, output: { text: 'x' } },
  });
  expect(historyEntry({ type: 'step_skipped', ...dated, reason: 'why', onward: true })?.data).toEqual({
    activation: 1,
    reason: 'why',
    onward: true,
  });
});

test('each action belongs to one kind of fact', () => {
  const actions = Object.values(HISTORY_ACTIONS);
  expect(new Set(actions).size).toBe(actions.length);
});
