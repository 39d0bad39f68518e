import { expect, test } from 'vitest';
import { aTask } from '../../../testing/records.ts';
import { clockOf, nextSentence, readShown, taskGroups, waitingSentence } from './task-groups.ts';

const NOW = new Date(2026, 10, 20, 14, 0).getTime();
const due = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();

test('groups tasks by urgency and keeps the order within each group', () => {
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
    ['No SLA', 'whenever'],
  ]);
  expect(taskGroups([], NOW)).toEqual([]);
});

test.each([
  ['a task that the server reports as breached is breached', due(0.1), 'breached', 'breached'],
  ['a task that became due after the response is breached', due(-0.1), 'at_risk', 'breached'],
  ['a task that isn’t due yet keeps the server’s state', due(0.1), 'at_risk', 'at_risk'],
  ['a task without an SLA has no state', null, null, null],
] as const)('%s', (_, dueAt, slaState, verdict) => {
  const task = aTask({ dueAt, slaState });
  expect(clockOf(task, NOW)).toBe(verdict);
  expect(taskGroups([task], NOW)[0]?.name === 'Breached').toBe(verdict === 'breached');
});

test.each([
  [0, false, 'You’re all caught up.'],
  [1, false, '1 task waiting for you'],
  [7, false, '7 tasks waiting for you, soonest first'],
  [100, true, '100+ tasks waiting for you, soonest first'],
])('describes %d tasks (more: %s) as “%s”', (count, isMore, sentence) => {
  expect(waitingSentence(count, isMore)).toBe(sentence);
});

test('says which task is next and when it is due', () => {
  expect(nextSentence(aTask({ title: 'Search by hand', dueAt: due(11) }), NOW)).toBe(
    'Next: Search by hand, due in 11 h',
  );
  expect(nextSentence(aTask({ title: 'Search by hand', dueAt: null }), NOW)).toBe('Next: Search by hand');
});

test('reads the chosen list from the address and falls back to all tasks', () => {
  expect(['me', 'role', 'done', null, 'x'].map(readShown)).toEqual(['me', 'role', 'done', 'all', 'all']);
});
