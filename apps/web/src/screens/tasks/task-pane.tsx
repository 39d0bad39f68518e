import { isolated } from '@stet/domain/workflows';
import type { Run, Task } from '@stet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChangeRun } from '../../features/runs/api/use-change-run.ts';
import type { RunChange } from '../../features/runs/api/use-change-run.ts';
import { useRun } from '../../features/runs/api/use-run.ts';
import { outputLines } from '../../features/runs/model/step-outcome.ts';
import { StepPanel } from '../../features/runs/parts/step-panel.tsx';
import { useTypedInput } from '../../features/runs/parts/use-typed-input.ts';
import { TASKS_KEY } from '../../features/tasks/api/use-tasks.ts';
import { clockOf } from '../../features/tasks/model/task-groups.ts';
import { errorSentence } from '../../lib/api/api-error.ts';
import { formatDue } from '../../lib/format/duration.ts';
import { paths } from '../../lib/paths.ts';
import { Note } from '../../ui/note.tsx';
import { Priority } from '../../ui/priority.tsx';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { SlaBadge } from '../../ui/sla-badge.tsx';
import { StepType } from '../../ui/step-type.tsx';
import { toast } from '../../ui/toast.ts';

type TaskPaneProps = {
  task: Task;
  /** The server's clock in milliseconds. */
  now: number;
  onDone: () => void;
  onClose: () => void;
};

/** The selected task with what it needs to be done: its words, what came before, and the panel to act in. */
export function TaskPane({ task, now, onDone, onClose }: TaskPaneProps) {
  const run = useRun(task.runId);
  return (
    <SidePanel label={`Task ${task.title}`} sheet="full" head={<StepType type={task.type} small />} onClose={onClose}>
      <p className="task-pane-of">
        <Link to={paths.run(task.runId)}>{task.runName}</Link>
        <span>{placeOf(task, run.data)}</span>
      </p>
      <h2>{task.title}</h2>
      <div className="task-pane-facts">
        {task.dueAt && (
          <SlaBadge state={clockOf(task, now)} pill>
            {formatDue(Date.parse(task.dueAt), now)}
          </SlaBadge>
        )}
        <Priority level={task.priority} />
      </div>
      {run.data ? (
        <Doing run={run.data} task={task} onDone={onDone} />
      ) : run.error ? (
        <Note tone="bad">{errorSentence(run.error, 'Failed to load run')}</Note>
      ) : (
        <SkeletonRows rows={3} label="Loading task" />
      )}
    </SidePanel>
  );
}

function placeOf(task: Task, run: Run | undefined): string {
  const at = run?.steps.findIndex(({ id }) => id === task.stepId) ?? -1;
  return run && at >= 0 ? `step ${at + 1} of ${run.steps.length}, ${isolated(task.workflowTitle)}` : task.workflowTitle;
}

const SAID: Partial<Record<RunChange['do'], string>> = {
  complete: 'Step Completed',
  approve: 'Approved',
  reject: 'Rejected',
  skip: 'Step Skipped',
};

function Doing({ run, task, onDone }: { run: Run; task: Task; onDone: () => void }) {
  const queryClient = useQueryClient();
  const typed = useTypedInput(run.id);
  const changeRun = useChangeRun(run.id, (sent) => 'stepId' in sent && typed.clear(sent.stepId));
  const [isSkipping, setSkipping] = useState(false);
  const step = run.steps.find(({ id }) => id === task.stepId);
  if (!step || step.state !== 'active')
    return <Note>This step does not wait any more. The list will follow in a moment.</Note>;

  const change = (wanted: RunChange) => {
    if (changeRun.isPending) return;
    changeRun.mutate(wanted, {
      onSuccess: () => {
        toast.ok(SAID[wanted.do] ?? 'Done', task.title);
        setSkipping(false);
        onDone();
        void queryClient.invalidateQueries({ queryKey: TASKS_KEY });
      },
    });
  };
  const error = changeRun.error ? errorSentence(changeRun.error, 'Failed to complete step') : null;
  const before = run.steps.flatMap((done) => {
    const lines = done.state === 'completed' ? outputLines(done) : [];
    const said = lines.map(({ label, value }) => (label ? `${isolated(label)}: ${isolated(value)}` : value)).join('\n');
    return said === '' ? [] : [{ id: done.id, title: done.title, said }];
  });
  return (
    <>
      {step.description && <p className="task-pane-words">{step.description}</p>}
      {before.length > 0 && (
        <>
          <h3>What came before</h3>
          <dl className="facts task-pane-before">
            {before.slice(-3).map(({ id, title, said }) => (
              <div key={id} style={{ display: 'contents' }}>
                <dt>{title}</dt>
                <dd style={{ whiteSpace: 'pre-line' }}>{said}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <StepPanel
        run={run}
        step={step}
        typed={typed.all[step.id] ?? {}}
        onType={(name, text) => typed.change(step.id, name, text)}
        pending={changeRun.isPending ? (changeRun.variables?.do ?? null) : null}
        error={isSkipping ? null : error}
        onChange={change}
        onSkip={() => setSkipping(true)}
      />
      {isSkipping && (
        <ReasonDialog
          title={`Skip ${isolated(step.title)}?`}
          confirmLabel="Skip step"
          cancelLabel="Cancel"
          busy={changeRun.isPending && 'Skipping…'}
          error={error}
          onConfirm={(reason) => change({ do: 'skip', stepId: step.id, reason })}
          onClose={() => setSkipping(false)}
        >
          The run goes on without it, and the history says who skipped it and why.
        </ReasonDialog>
      )}
    </>
  );
}
