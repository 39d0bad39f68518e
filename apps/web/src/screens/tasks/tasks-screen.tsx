import type { Task } from '@stet/contract';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useConfirmations } from '../../features/confirmations/api/use-confirmations.ts';
import { ConfirmationList } from '../../features/confirmations/components/confirmation-list.tsx';
import { useTaskCount, useTasks } from '../../features/tasks/api/use-tasks.ts';
import { taskId, waitingSentence } from '../../features/tasks/model/task-groups.ts';
import { TaskList } from '../../features/tasks/components/task-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useSignedIn } from '../../lib/session/signed-in.ts';
import { useServerNow } from '../../lib/use-server-now.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Split } from '../../ui/side-panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useFocusOnward } from '../../ui/use-focus-onward.ts';
import { TaskPane } from './task-pane.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './tasks-screen.module.css';
import taskListStyles from '../../features/tasks/components/task-list.module.css';

/** `/app/tasks` (not part of the specification): the user's tasks, soonest first, with their actions. */
export function TasksScreen() {
  const { source, user } = useSignedIn();
  if (source === 'server' && !user.currentOrgId) {
    return (
      <div className="page">
        <PageTitle>My tasks</PageTitle>
        <h1 className="title vh">My tasks</h1>
        <EmptyState icon={Inbox} title="No organization selected." />
      </div>
    );
  }
  return <Tasks />;
}

function Tasks() {
  const tasks = useTasks();
  const count = useTaskCount();
  const confirmations = useConfirmations();
  const toConfirm = confirmations.data?.filter(({ abilities }) => abilities.confirm) ?? [];
  const navigate = useNavigate();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const screen = useFocusOnward<HTMLDivElement>(['.panel h2', 'h1']);
  const rows = tasks.data?.pages.flatMap((page) => page.tasks) ?? [];
  const latest = tasks.data?.pages.at(-1);
  const now = useServerNow(latest?.tasks[0], latest?.loadedAt ?? 0);
  const selected = rows.find((task) => taskId(task) === selectedId) ?? null;
  const isPhone = () => window.matchMedia('(max-width: 720px)').matches;
  const open = (task: Task) => void navigate(paths.run(task.runId));
  const select = (task: Task) => (isPhone() ? open(task) : setSelectedId(taskId(task)));
  // A completed task leaves the list, so select the next one.
  const next = (done: Task) => {
    const at = rows.findIndex((task) => taskId(task) === taskId(done));
    const after = rows[at + 1] ?? rows[at - 1];
    setSelectedId(after ? taskId(after) : null);
  };

  return (
    <div ref={screen} style={{ display: 'contents' }}>
      <Split
        panel={
          selected && (
            <TaskPane
              key={taskId(selected)}
              task={selected}
              now={now}
              onDone={() => next(selected)}
              onClose={() => setSelectedId(null)}
            />
          )
        }
      >
        <PageTitle>My tasks</PageTitle>
        <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'My tasks' }]} />
        <div className={classNames('head', styles.tasksHead)}>
          <div>
            <h1 className="title">My tasks</h1>
            <p className="sub" role="status">
              {count.data && count.data.count > 0 && waitingSentence(count.data.count, count.data.count >= 100)}
            </p>
          </div>
        </div>
        {toConfirm.length > 0 && (
          <section className={styles.tasksConfirm} aria-label="Waiting for a second person">
            <h2 className={taskListStyles.taskGroup}>
              Waiting for a second person <span>{toConfirm.length}</span>
            </h2>
            <ConfirmationList confirmations={toConfirm} />
          </section>
        )}
        {/* Wait for the section above, so that it doesn't push the list down. */}
        {tasks.isPending || confirmations.isLoading ? (
          <div className="sheet">
            <SkeletonRows rows={5} label="Loading tasks" />
          </div>
        ) : !tasks.data ? (
          <ErrorState title="Error loading tasks" onRetry={() => void tasks.refetch()}>
            {errorSentence(tasks.error, 'Failed to load tasks')}
          </ErrorState>
        ) : rows.length === 0 ? (
          toConfirm.length === 0 && (
            <EmptyState icon={Inbox} title="You’re all caught up.">
              Steps assigned to you or your role, approvals and reviews appear here.
            </EmptyState>
          )
        ) : (
          <>
            <TaskList tasks={rows} now={now} selectedId={selectedId} onSelect={select} onOpen={open} />
            {tasks.hasNextPage && (
              <div className={styles.runsMore}>
                <Button busy={tasks.isFetchingNextPage && 'Loading…'} onClick={() => void tasks.fetchNextPage()}>
                  Load more
                </Button>
              </div>
            )}
          </>
        )}
      </Split>
    </div>
  );
}
