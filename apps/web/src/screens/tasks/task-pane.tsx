import { isServerType } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import type { Run, Task } from '@stet/contract';
import { dueInWords } from '@stet/presentation/duration-in-words';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { useRun } from '../../features/runs/api/use-run.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { outputLines } from '../../step-types/run/output-lines.ts';
import { RunDialogs } from '../../features/runs/components/run-dialogs.tsx';
import { StepPanel } from '../../features/runs/components/step-panel.tsx';
import { StepThread } from '../../features/runs/components/step-thread.tsx';
import { useRunActions } from '../../features/runs/components/use-run-actions.ts';
import { TASKS_KEY } from '../../features/tasks/api/use-tasks.ts';
import { clockOf } from '../../features/tasks/model/task-groups.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Moment } from '../../ui/moment.tsx';
import { Note } from '../../ui/note.tsx';
import { progressText, stepSegments } from '../../features/runs/model/run-segments.ts';
import { Priority } from '../../ui/priority.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SlaBadge } from '../../ui/sla-badge.tsx';
import { StepType } from '../../step-types/step-type.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './tasks-screen.module.css';

type TaskPaneProps = {
  task: Task;
  /** The server's time in milliseconds. */
  now: number;
  /** Selects another task. Returns it in words, for the message about the completed one; undefined if there is none. */
  onDone: () => string | undefined;
  onClose: () => void;
};

/** The selected task with its description, the results of the previous steps, the panel to act on it, and its notes. */
export function TaskPane({ task, now, onDone, onClose }: TaskPaneProps) {
  const run = useRun(task.runId);
  return (
    <SidePanel label={`Task ${task.title}`} sheet="full" head={<StepType type={task.type} small />} onClose={onClose}>
      <p className={styles.taskPaneOf}>
        <Link to={paths.run(task.runId)}>{task.runName}</Link>
        <span>{placeOf(task, run.data)}</span>
      </p>
      <h2>{task.title}</h2>
      <div className={styles.taskPaneFacts}>
        {task.dueAt && (
          <SlaBadge state={clockOf(task, now)} pill>
            <Moment at={task.dueAt}>{dueInWords(Date.parse(task.dueAt), now)}</Moment>
          </SlaBadge>
        )}
        <Priority level={task.priority} />
      </div>
      <Suspense fallback={<SkeletonRows rows={3} label="Loading task" />}>
        {run.data ? (
          <Doing run={run.data} task={task} now={now} onDone={onDone} />
        ) : run.error ? (
          <Note tone="bad">{errorSentence(run.error, 'Failed to load run')}</Note>
        ) : (
          <SkeletonRows rows={3} label="Loading task" />
        )}
      </Suspense>
    </SidePanel>
  );
}

function placeOf(task: Task, run: Run | undefined): string {
  const at = run?.steps.findIndex(({ id }) => id === task.stepId) ?? -1;
  return run && at >= 0 ? `step ${at + 1} of ${run.steps.length}, ${isolated(task.workflowTitle)}` : task.workflowTitle;
}

function Doing({ run, task, now, onDone }: { run: Run } & Omit<TaskPaneProps, 'onClose'>) {
  const queryClient = useQueryClient();
  const actions = useRunActions(run, (change) => {
    void queryClient.invalidateQueries({ queryKey: TASKS_KEY });
    // A step that was claimed or released can still be this person's task.
    return change.do === 'claim' || change.do === 'release' ? undefined : onDone();
  });
  const { nameOf } = usePeople();
  const step = run.steps.find(({ id }) => id === task.stepId);
  const conflict = actions.conflict && <Note tone="warn">{actions.conflict}</Note>;
  if (!step || step.state !== 'active') {
    return (
      <>
        {conflict}
        <Note>This step is no longer waiting. Updating the list…</Note>
      </>
    );
  }
  const before = run.steps.flatMap((done) => {
    // Outputs of server steps are for later steps, not for people.
    const isByPerson = !isServerType(done.type);
    const lines = isByPerson && done.state === 'completed' ? outputLines(done) : [];
    const text = lines
      .map(({ label, value, isPerson }) => ({ label, words: isPerson ? nameOf(value) : value }))
      .map(({ label, words }) => (label ? `${isolated(label)}: ${isolated(words)}` : words))
      .join('\n');
    return text === '' ? [] : [{ id: done.id, title: done.title, text }];
  });
  const previous = before.length > 0 && (
    <>
      <h3>Previous steps</h3>
      <dl className={classNames('facts', styles.taskPaneBefore)}>
        {before.slice(-3).map(({ id, title, text }) => (
          <div key={id} style={{ display: 'contents' }}>
            <dt>{title}</dt>
            <dd style={{ whiteSpace: 'pre-line' }}>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
  // On a phone, the task comes first.
  const isPhone = window.matchMedia('(max-width: 720px)').matches;
  return (
    <>
      {step.description && <p className={styles.taskPaneWords}>{step.description}</p>}
      {!isPhone && previous}
      {conflict}
      <StepPanel run={run} step={step} actions={actions} />
      <StepThread run={run} step={step} now={now} startsOpen />
      {isPhone && (
        <div className={styles.taskPaneContext}>
          {previous}
          <Segments of={stepSegments(run.steps)} completed={run.stepsCompleted} label={progressText(run)} large />
          <p className="muted xs">{progressText(run)}</p>
        </div>
      )}
      <RunDialogs run={run} actions={actions} />
    </>
  );
}
