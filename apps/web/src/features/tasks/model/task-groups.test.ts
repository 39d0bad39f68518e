import { expect, test } from 'vitest';
import { aTask } from '../../../testing/records.ts';
import { clockOf, taskGroups, waitingSentence } from './task-groups.ts';

const NOW = new Date(2026, 10, 20, 14, 0).getTime();
const due = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();

test('tasks are grouped by urgency, each group in order', () => {
  const tasks = [
    aTask({ stepId: 'late', dueAt: due(-1) }),
    aTask({ stepId: 'soon', dueAt: due(1) }),
    aTask({ stepId: 'tonight', dueAt: due(9.9) }),
    aTask({ stepId: 'tomorrow', dueAt: due(10.1) }),
    aTask({ stepId: 'whenever', dueAt: null }),
  ];
  expect(taskGroups(tasks, NOW).map(({ name, tasks: of }) => [name, ...of.map(({ stepId }) => stepId)])).toEqual([
    ['Breached', 'late'],
    ['Due today', 'soon', 'tonight'],
    ['Later', 'tomorrow'],
    ['No clock', 'whenever'],
  ]);
  expect(taskGroups([], NOW)).toEqual([]);
});

test.each([
  ['what the server calls breached is breached', due(0.1), 'breached', 'breached'],
  ['what has come due since it answered is breached', due(-0.1), 'at_risk', 'breached'],
  ['until then its word counts', due(0.1), 'at_risk', 'at_risk'],
  ['without a clock there is no verdict', null, null, null],
] as const)('%s', (_, dueAt, slaState, verdict) => {
  const task = aTask({ dueAt, slaState });
  expect(clockOf(task, NOW)).toBe(verdict);
  expect(taskGroups([task], NOW)[0]?.name === 'Breached').toBe(verdict === 'breached');
});

test.each([
  [0, false, 'You’re all caught up.'],
  [1, false, 'One waits on you'],
  [7, false, '7 wait on you, soonest first'],
  [100, true, '100+ wait on you, soonest first'],
])('%d tasks, more %s: %s', (count, isMore, sentence) => {
  expect(waitingSentence(count, isMore)).toBe(sentence);
});
