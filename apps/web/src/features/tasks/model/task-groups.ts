import type { Task } from '@stet/contract';

export type TaskGroup = { name: 'Breached' | 'Due today' | 'Later' | 'No clock'; tasks: Task[] };

/** The tasks by urgency, in their order; groups without tasks are left out. `now` in milliseconds. */
export function taskGroups(tasks: readonly Task[], now: number): TaskGroup[] {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  const nameOf = ({ dueAt }: Task): TaskGroup['name'] => {
    if (dueAt === null) return 'No clock';
    const due = Date.parse(dueAt);
    if (due < now) return 'Breached';
    return due < midnight ? 'Due today' : 'Later';
  };
  const names = ['Breached', 'Due today', 'Later', 'No clock'] as const;
  return names
    .map((name) => ({ name, tasks: tasks.filter((task) => nameOf(task) === name) }))
    .filter((group) => group.tasks.length > 0);
}

export const taskId = ({ runId, stepId }: Pick<Task, 'runId' | 'stepId'>): string => `${runId} ${stepId}`;

/** '7 wait on you, soonest first'. */
export function waitingSentence(count: number, isMore: boolean): string {
  if (count === 0) return 'Nothing waits on you.';
  if (count === 1 && !isMore) return 'One waits on you';
  return `${count}${isMore ? '+' : ''} wait on you, soonest first`;
}
