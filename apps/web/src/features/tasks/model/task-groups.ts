import type { SlaState } from '@stet/domain/sla';
import type { Task } from '@stet/contract';
import { formatNumber } from '../../../lib/format/number.ts';

type TaskGroup = { name: 'Breached' | 'Due today' | 'Later' | 'No clock'; tasks: Task[] };

/**
 * The SLA state of a task at `now`, by the server's clock in milliseconds: the server's state, or breached once the due
 * time has passed. Null without an SLA.
 */
export function clockOf({ dueAt, slaState }: Pick<Task, 'dueAt' | 'slaState'>, now: number): SlaState | null {
  if (dueAt === null) return null;
  return slaState === 'breached' || Date.parse(dueAt) < now ? 'breached' : (slaState ?? 'on_track');
}

/** The tasks by urgency, in order; empty groups are omitted. `now`: the server's clock in milliseconds. */
export function taskGroups(tasks: readonly Task[], now: number): TaskGroup[] {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  const nameOf = (task: Task): TaskGroup['name'] => {
    if (task.dueAt === null) return 'No clock';
    if (clockOf(task, now) === 'breached') return 'Breached';
    return Date.parse(task.dueAt) < midnight ? 'Due today' : 'Later';
  };
  const names = ['Breached', 'Due today', 'Later', 'No clock'] as const;
  return names
    .map((name) => ({ name, tasks: tasks.filter((task) => nameOf(task) === name) }))
    .filter((group) => group.tasks.length > 0);
}

export const taskId = ({ runId, stepId }: Pick<Task, 'runId' | 'stepId'>): string => `${runId} ${stepId}`;

/** '7 wait on you, soonest first'. */
export function waitingSentence(count: number, isMore: boolean): string {
  if (count === 0) return 'You’re all caught up.';
  if (count === 1 && !isMore) return 'One waits on you';
  return `${formatNumber(count)}${isMore ? '+' : ''} wait on you, soonest first`;
}
