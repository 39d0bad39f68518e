import type { Notification } from '@stet/contract';
import { BellOff } from 'lucide-react';
import { useSearchParams } from 'react-router';
import {
  readNotifications,
  useMarkRead,
  useNotifications,
} from '../../features/notifications/api/use-notifications.ts';
import { NotificationEntry } from '../../features/notifications/components/notification-entry.tsx';
import {
  KIND_CHOICES,
  type NotificationFilters,
  readFilters,
  writeFilters,
} from '../../features/notifications/model/notification-words.ts';
import { WorkflowSelect } from '../../features/runs/components/workflow-select.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import type { CsvColumn } from '../../lib/csv.ts';
import { paths } from '../../lib/paths.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ExportCsvButton } from '../../ui/export-csv-button.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './notifications-screen.module.css';

const COLUMNS: readonly CsvColumn<Notification>[] = [
  ['Title', ({ title }) => title],
  ['Text', ({ body }) => body],
  ['Kind', ({ kind }) => kind],
  ['Workflow Key', ({ workflowKey }) => workflowKey],
  ['Run', ({ runId }) => runId],
  ['Draft', ({ draft }) => draft?.id ?? null],
  ['At', ({ createdAt }) => createdAt],
  ['Read At', ({ readAt }) => readAt],
];

/** `/app/notifications` (not part of the specification): all notifications, with filters. */
export function NotificationsScreen() {
  const [query, setQuery] = useSearchParams();
  const filters = readFilters(query);
  const change = (next: NotificationFilters) => setQuery(writeFilters(next), { replace: true });
  const list = useNotifications(writeFilters(filters));
  const mark = useMarkRead();
  const all = list.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const [newest] = all;
  const isFiltered = query.size > 0;
  const failure = mark.all.error ?? mark.one.error;
  return (
    <div className="page">
      <PageTitle>Notifications</PageTitle>
      <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Notifications' }]} />
      <div className="head">
        <h1 className="title">Notifications</h1>
        <div className={classNames('row', styles.actions)}>
          {all.length > 0 && (
            <ExportCsvButton
              fileName="notifications.csv"
              columns={COLUMNS}
              readPage={async (cursor, signal) => {
                const { notifications, nextCursor } = await readNotifications(writeFilters(filters), cursor, signal);
                return { rows: notifications, next: nextCursor ?? null };
              }}
            />
          )}
          <Button
            busy={mark.all.isPending && 'Marking…'}
            disabledReason={
              isFiltered
                ? 'Clear the filters to mark all as read'
                : newest && all.some(({ readAt }) => readAt === null)
                  ? undefined
                  : 'There are no unread notifications'
            }
            onClick={() => newest && mark.all.mutate(newest.createdAt)}
          >
            Mark all as read
          </Button>
          <ButtonLink tone="quiet" to={paths.notificationSettings}>
            Preferences
          </ButtonLink>
        </div>
      </div>
      <Filters filters={filters} onChange={change} />
      {failure && <Note tone="bad">{errorSentence(failure, 'Failed to mark as read')}</Note>}
      {list.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={6} label="Loading notifications" />
        </div>
      ) : !list.data ? (
        <ErrorState title="Error loading notifications" onRetry={() => void list.refetch()}>
          {errorSentence(list.error, 'Failed to load notifications')}
        </ErrorState>
      ) : all.length > 0 ? (
        <ul className={classNames('sheet', styles.list)} aria-label="Notifications">
          {all.map((each) => (
            <li key={each.id}>
              <NotificationEntry of={each} onOpen={() => each.readAt === null && mark.one.mutate(each.id)} />
            </li>
          ))}
        </ul>
      ) : isFiltered ? (
        <EmptyState
          icon={BellOff}
          title="No notifications match these filters"
          action={<Button onClick={() => setQuery({}, { replace: true })}>Clear filters</Button>}
        />
      ) : (
        <EmptyState icon={BellOff} title="No notifications yet">
          Reviews, tasks and mentions appear here.
        </EmptyState>
      )}
      <LoadMore
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        label="Show older"
        onMore={() => void list.fetchNextPage()}
      />
    </div>
  );
}

type FiltersProps = { filters: NotificationFilters; onChange: (filters: NotificationFilters) => void };

function Filters({ filters, onChange }: FiltersProps) {
  return (
    <div className={styles.filters} role="search" aria-label="Filter notifications">
      <SegmentedControl
        label="Show"
        value={filters.unread ? 'unread' : 'all'}
        options={[
          { value: 'all', label: 'All' },
          { value: 'unread', label: 'Unread' },
        ]}
        onChange={(value) => onChange({ ...filters, unread: value === 'unread' })}
      />
      <Select
        className={styles.select}
        aria-label="Kind"
        value={filters.kind}
        onChange={({ target }) =>
          onChange({ ...filters, kind: KIND_CHOICES.find(({ value }) => value === target.value)?.value ?? '' })
        }
      >
        <option value="">All kinds</option>
        {KIND_CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <WorkflowSelect
        className={styles.select}
        workflow={filters.workflow}
        onChange={(workflow) => onChange({ ...filters, workflow })}
      />
    </div>
  );
}
