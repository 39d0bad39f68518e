import type { Task } from '@stet/contract';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useConfirmations } from '../../features/confirmations/api/use-confirmations.ts';
import { ConfirmationList } from '../../features/confirmations/components/confirmation-list.tsx';
import { WorkflowSelect } from '../../features/runs/components/workflow-select.tsx';
import { useReviewCount, useReviewTasks, useTaskCount, useTasks } from '../../features/tasks/api/use-tasks.ts';
import { ExportDoneTasks, ExportTasks } from '../../features/tasks/components/export-tasks.tsx';
import { DoneList } from '../../features/tasks/components/done-list.tsx';
import { ReviewList } from '../../features/tasks/components/review-list.tsx';
import {
  type Shown,
  nextSentence,
  readShown,
  taskId,
  waitingSentence,
} from '../../features/tasks/model/task-groups.ts';
import { TaskList } from '../../features/tasks/components/task-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useSignedIn } from '../../lib/session/signed-in.ts';
import { useServerNow } from '../../lib/use-server-now.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
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

const CHOICES: readonly { value: Shown; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'me', label: 'Assigned to me' },
  { value: 'role', label: 'My role' },
  { value: 'done', label: 'Done' },
];

function Tasks() {
  const [query, setQuery] = useSearchParams();
  const shown = readShown(query.get('show'));
  const workflow = query.get('workflow') ?? '';
  const filter = { whose: shown === 'me' || shown === 'role' ? shown : undefined, workflow };
  const tasks = useTasks(filter);
  const count = useTaskCount();
  const reviewCount = useReviewCount();
  const reviews = useReviewTasks();
  // Reviews and confirmations belong to a person's role, except for reviews for a delegator.
  const withReviews = shown === 'all' || shown === 'role';
  const listed = withReviews ? (reviews.data?.pages.flatMap(({ drafts }) => drafts) ?? []) : [];
  const toReview = listed.filter(
    ({ onBehalfOf, workflowKey }) =>
      (shown !== 'role' || onBehalfOf === null) && (workflow === '' || workflowKey === workflow),
  );
  const confirmations = useConfirmations();
  // Confirmations don't belong to a workflow.
  const toConfirm =
    withReviews && workflow === '' ? (confirmations.data?.filter(({ abilities }) => abilities.confirm) ?? []) : [];
  const navigate = useNavigate();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const screen = useFocusOnward<HTMLDivElement>(['[data-side-panel] h2', 'h1']);
  const rows = tasks.data?.pages.flatMap((page) => page.tasks) ?? [];
  const latest = tasks.data?.pages.at(-1);
  const now = useServerNow(latest?.tasks[0], latest?.loadedAt ?? 0);
  const selected = rows.find((task) => taskId(task) === selectedId) ?? null;
  const open = (task: Task) => void navigate(paths.run(task.runId));
  // A completed task leaves the list, so select the next one or, after the last, the previous one.
  const next = (done: Task): string | undefined => {
    const at = rows.findIndex((task) => taskId(task) === taskId(done));
    const after = rows[at + 1] ?? rows[at - 1];
    setSelectedId(after ? taskId(after) : null);
    return after && nextSentence(after, now);
  };
  const narrow = (next: { show: Shown; workflow: string }) => {
    setSelectedId(null);
    const { show, workflow: key } = next;
    setQuery(
      { ...(show !== 'all' && { show }), ...(key !== '' && show !== 'done' && { workflow: key }) },
      { replace: true },
    );
  };
  const waiting = (count.data?.count ?? 0) + (reviewCount.data?.count ?? 0) + toConfirm.length;
  const isLoading = tasks.isPending || reviews.isLoading || confirmations.isLoading || count.isLoading;
  const failed = tasks.data ? (withReviews && !reviews.data && reviews.isError ? reviews : null) : tasks;

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
              {count.data && waiting > 0 && waitingSentence(waiting, waiting >= 100)}
            </p>
          </div>
          {shown === 'done' ? (
            <div className="actions">
              <ExportDoneTasks />
            </div>
          ) : (
            rows.length > 0 && (
              <div className="actions">
                <ExportTasks filter={filter} />
              </div>
            )
          )}
        </div>
        <div className={styles.filters} role="search" aria-label="Filter tasks">
          <SegmentedControl
            label="Show"
            value={shown}
            options={CHOICES}
            onChange={(value) => narrow({ show: value, workflow })}
          />
          {shown !== 'done' && (
            <WorkflowSelect workflow={workflow} onChange={(key) => narrow({ show: shown, workflow: key })} />
          )}
        </div>
        {shown === 'done' ? (
          <div className={styles.tasksDone}>
            <DoneList />
          </div>
        ) : (
          <>
            {toReview.length > 0 && <ReviewList drafts={toReview} isMore={reviews.hasNextPage} />}
            {withReviews && (
              <LoadMore
                more={reviews.hasNextPage}
                loading={reviews.isFetchingNextPage}
                label="Show more reviews"
                onMore={() => void reviews.fetchNextPage()}
              />
            )}
            {toConfirm.length > 0 && (
              <section aria-label="Waiting for a second person">
                <h2 className={taskListStyles.taskGroup}>
                  Waiting for a second person <span>{toConfirm.length}</span>
                </h2>
                <ConfirmationList confirmations={toConfirm} />
              </section>
            )}
            {/* Wait for the sections above, so that they don't push the list down. */}
            {isLoading ? (
              <div className="sheet">
                <SkeletonRows rows={5} label="Loading tasks" />
              </div>
            ) : failed ? (
              <ErrorState title="Error loading tasks" onRetry={() => void failed.refetch()}>
                {errorSentence(failed.error, 'Failed to load tasks')}
              </ErrorState>
            ) : rows.length === 0 ? (
              toConfirm.length + toReview.length === 0 &&
              !(withReviews && reviews.hasNextPage) &&
              (waiting === 0 ? (
                <EmptyState icon={Inbox} title="You’re all caught up.">
                  Steps assigned to you or your role, approvals and reviews appear here.
                </EmptyState>
              ) : (
                <EmptyState
                  icon={Inbox}
                  title={
                    workflow !== ''
                      ? 'No tasks match these filters.'
                      : shown === 'me'
                        ? 'Nothing is assigned to you by name.'
                        : 'Nothing is waiting for your role.'
                  }
                  action={<Button onClick={() => setQuery({}, { replace: true })}>Show all tasks</Button>}
                />
              ))
            ) : (
              <>
                <TaskList
                  tasks={rows}
                  now={now}
                  selectedId={selectedId}
                  onSelect={(task) => setSelectedId(taskId(task))}
                  onOpen={open}
                />
                {tasks.hasNextPage && (
                  <div className={styles.runsMore}>
                    <Button busy={tasks.isFetchingNextPage && 'Loading…'} onClick={() => void tasks.fetchNextPage()}>
                      Load more
                    </Button>
                  </div>
                )}
              </>
            )}
          </>
        )}
      </Split>
    </div>
  );
}
