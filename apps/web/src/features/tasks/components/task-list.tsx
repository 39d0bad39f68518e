import { isolated } from '@stet/domain/workflows';
import type { Task } from '@stet/contract';
import { dueInWords } from '@stet/presentation/duration-in-words';
import type { KeyboardEvent } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Pressable } from '../../../ui/button.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { StepTypeIcon } from '../../../step-types/step-type.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Moment } from '../../../ui/moment.tsx';
import { clockOf, taskGroups, taskId } from '../model/task-groups.ts';
import styles from './task-list.module.css';

type TaskListProps = {
  tasks: readonly Task[];
  /** The server's time in milliseconds. */
  now: number;
  selectedId: string | null;
  onSelect: (task: Task) => void;
  onOpen: (task: Task) => void;
};

/** The tasks by urgency. Arrow keys move the selection, Space or a click selects, and Enter opens the run. */
export function TaskList({ tasks, now, selectedId, onSelect, onOpen }: TaskListProps) {
  const onKey = (event: KeyboardEvent<HTMLButtonElement>, task: Task) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onOpen(task);
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const all = [...document.querySelectorAll<HTMLButtonElement>('[data-task-id]')];
    const next = all[all.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
    const wanted = tasks.find((each) => taskId(each) === next.dataset['taskId']);
    if (wanted) onSelect(wanted);
  };
  return (
    <>
      {taskGroups(tasks, now).map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h2 className={classNames(styles.taskGroup, group.name === 'Breached' && styles.late)}>
            {group.name} <span>{group.tasks.length}</span>
          </h2>
          <ul className={classNames('sheet', styles.tasks)}>
            {group.tasks.map((task) => (
              <li key={taskId(task)}>
                <Pressable
                  className={styles.task}
                  data-task-id={taskId(task)}
                  aria-pressed={taskId(task) === selectedId}
                  onClick={() => onSelect(task)}
                  onKeyDown={(event) => onKey(event, task)}
                >
                  <StepTypeIcon type={task.type} />
                  <span className={styles.what}>
                    <span className={styles.name}>{task.title}</span>
                    <span className={styles.of}>
                      {isolated(task.runName)}, {isolated(task.workflowTitle)}
                    </span>
                  </span>
                  <span className={styles.whose}>
                    <Whose task={task} />
                    {task.activatedAt && (
                      <span className={styles.since}>
                        since <Moment at={task.activatedAt}>{formatDateTime(task.activatedAt, now)}</Moment>
                      </span>
                    )}
                  </span>
                  <Priority className={styles.priority} level={task.priority} />
                  <span className={styles.when}>
                    <TaskDue task={task} now={now} />
                  </span>
                </Pressable>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Says why the task is in the user's list. */
function Whose({ task: { waitsFor, assignee, onlyReject, onBehalfOf } }: { task: Task }) {
  const { personOf } = usePeople();
  if (onBehalfOf)
    return (
      <>
        For <Who name={onBehalfOf.name} address={onBehalfOf.email} />
        {onlyReject && ', you can only reject this'}
      </>
    );
  if (onlyReject) return <>You can only reject this</>;
  if (waitsFor === 'me') return <>Assigned to you</>;
  if (waitsFor === 'anyone') return <>Anyone with permission can do this</>;
  return (
    <>
      Assigned to <Who {...personOf(assignee)} />
    </>
  );
}

function TaskDue({ task, now }: { task: Task; now: number }) {
  if (task.dueAt === null) return <span className="muted xs">no SLA</span>;
  const due = Date.parse(task.dueAt);
  const state = clockOf(task, now);
  return (
    <SlaBadge state={state} pill={state !== 'on_track'}>
      <Moment at={task.dueAt}>{dueInWords(due, now, 'in')}</Moment>
    </SlaBadge>
  );
}
