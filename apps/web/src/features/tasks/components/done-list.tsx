import { isolated } from '@stet/domain/workflows';
import type { DoneTask } from '@stet/contract';
import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { formatDateTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useDoneTasks } from '../api/use-tasks.ts';
import styles from './task-list.module.css';

export const DID = {
  completed: 'Completed',
  submitted: 'Sent for approval',
  approved: 'Approved',
  rejected: 'Rejected',
  returned: 'Returned',
  changes_requested: 'Changes requested',
} as const satisfies Record<DoneTask['did'], string>;

/** The steps and reviews that the user has completed or decided, newest first. */
export function DoneList() {
  const list = useDoneTasks();
  const now = useNow(60_000);
  const done = list.data?.pages.flatMap((page) => page.done) ?? [];
  if (list.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={5} label="Loading tasks" />
      </div>
    );
  }
  if (!list.data) {
    return (
      <ErrorState title="Error loading tasks" onRetry={() => void list.refetch()}>
        {errorSentence(list.error, 'Failed to load tasks')}
      </ErrorState>
    );
  }
  if (done.length === 0) {
    return (
      <EmptyState icon={Check} title="Nothing done yet">
        Your completed steps, approvals and reviews appear here.
      </EmptyState>
    );
  }
  return (
    <section aria-label="Done">
      <ul className={classNames('sheet', styles.tasks, styles.done)}>
        {done.map((each) => (
          <li key={each.id}>
            <DoneRow task={each} now={now} />
          </li>
        ))}
      </ul>
      <LoadMore
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </section>
  );
}

function DoneRow({ task: { did, title, workflowTitle, run, draft, at }, now }: { task: DoneTask; now: number }) {
  const address = run ? paths.run(run.id) : draft ? paths.review(draft) : null;
  const said = (
    <>
      <Icon of={Check} />
      <span className={styles.what}>
        <span className={styles.name}>{title}</span>
        <span className={styles.of}>
          {[DID[did], ...(run ? [isolated(run.name)] : []), isolated(workflowTitle)].filter(Boolean).join(', ')}
        </span>
      </span>
      <span className={styles.when}>
        <Moment at={at} className="muted xs">
          {formatDateTime(at, now)}
        </Moment>
      </span>
    </>
  );
  if (address === null) return <div className={styles.task}>{said}</div>;
  return (
    <Link className={styles.task} to={address}>
      {said}
    </Link>
  );
}
