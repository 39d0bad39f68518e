import type { SlaState } from '@stet/domain/sla';
import type { Task } from '@stet/contract';
import { dueInWords } from '@stet/presentation/duration-in-words';
import { formatNumber } from '../../../lib/format/number.ts';

type TaskGroup = { name: 'Breached' | 'Due today' | 'Later' | 'No SLA'; tasks: Task[] };

/**
 * The SLA state of a task at `now`, the server's time in milliseconds. It is the server's state, or breached once the
 * due time has passed. Null without an SLA.
 */
export function clockOf({ dueAt, slaState }: Pick<Task, 'dueAt' | 'slaState'>, now: number): SlaState | null {
  if (dueAt === null) return null;
  return slaState === 'breached' || Date.parse(dueAt) < now ? 'breached' : (slaState ?? 'on_track');
}

/** The tasks grouped by urgency, without empty groups. `now` is the server's time in milliseconds. */
export function taskGroups(tasks: readonly Task[], now: number): TaskGroup[] {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  const nameOf = (task: Task): TaskGroup['name'] => {
    if (task.dueAt === null) return 'No SLA';
    if (clockOf(task, now) === 'breached') return 'Breached';
    return Date.parse(task.dueAt) < midnight ? 'Due today' : 'Later';
  };
  const names = ['Breached', 'Due today', 'Later', 'No SLA'] as const;
  return names
    .map((name) => ({ name, tasks: tasks.filter((task) => nameOf(task) === name) }))
    .filter((group) => group.tasks.length > 0);
}

export const taskId = ({ runId, stepId }: Pick<Task, 'runId' | 'stepId'>): string => `${runId} ${stepId}`;

const SHOWN = ['all', 'me', 'role', 'done'] as const;
/**
 * The lists of My tasks: all tasks, those that name the user, those for a role or group of theirs or for anyone, and
 * those that the user has done.
 */
export type Shown = (typeof SHOWN)[number];

/** The list named in the address; by default all tasks. */
export const readShown = (value: string | null): Shown => SHOWN.find((each) => each === value) ?? 'all';

/** For example 'Next: Compliance review, due in 11 h'. `now` is the server's time in milliseconds. */
export const nextSentence = ({ title, dueAt }: Pick<Task, 'title' | 'dueAt'>, now: number): string =>
  `Next: ${title}${dueAt === null ? '' : `, ${dueInWords(Date.parse(dueAt), now)}`}`;

/** For example '7 tasks waiting for you, soonest first'. */
export function waitingSentence(count: number, isMore: boolean): string {
  if (count === 0) return 'You’re all caught up.';
  if (count === 1 && !isMore) return '1 task waiting for you';
  return `${formatNumber(count)}${isMore ? '+' : ''} tasks waiting for you, soonest first`;
}
