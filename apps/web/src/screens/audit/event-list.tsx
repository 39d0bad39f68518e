import { ListX } from 'lucide-react';
import type { useAuditEvents } from '../../features/audit/api/use-audit.ts';
import { isFiltered } from '../../features/audit/model/audit-filters.ts';
import type { AuditFilters } from '../../features/audit/model/audit-filters.ts';
import { EventTable, EventTableSkeleton } from '../../features/audit/components/event-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { counted, formatNumber } from '../../lib/format/number.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { AfterPatience } from '../../ui/skeleton.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from '../../features/audit/components/event-table.module.css';

type EventListProps = {
  events: ReturnType<typeof useAuditEvents>;
  now: number;
  /**
   * The number of events on the chosen days. Null until it is loaded, and with other filters, because all events would
   * have to be searched.
   */
  total: number | null;
  brokenFrom: number | null;
  verifiedTo: number;
  filters: AuditFilters;
  onClearFilters: () => void;
};

/** The table of events. In its place: a skeleton while it loads, an error with a retry, or an empty state. */
export function EventList({ events, now, total, brokenFrom, verifiedTo, filters, onClearFilters }: EventListProps) {
  if (events.isPending) {
    return (
      <AfterPatience label="Loading events">
        <div className="sheet">
          <EventTableSkeleton />
        </div>
      </AfterPatience>
    );
  }
  if (!events.data) {
    return (
      <ErrorState title="Error loading events" onRetry={() => void events.refetch()}>
        {errorSentence(events.error, 'Failed to load events')}
      </ErrorState>
    );
  }
  const rows = events.data.pages.flatMap((page) => page.events);
  const older = (
    <Button
      tone="quiet"
      size="sm"
      busy={events.isFetchingNextPage && 'Loading…'}
      onClick={() => void events.fetchNextPage()}
    >
      Older events
    </Button>
  );
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={ListX}
        title="No events found"
        action={
          events.hasNextPage ? older : isFiltered(filters) && <Button onClick={onClearFilters}>Clear filters</Button>
        }
      >
        {events.hasNextPage
          ? 'No matches among the newest events. Older events haven’t been searched yet.'
          : 'No events match these filters.'}
      </EmptyState>
    );
  }
  return (
    <div className="sheet">
      <EventTable
        events={rows}
        brokenFrom={brokenFrom}
        verifiedTo={verifiedTo}
        now={now}
        isComplete={!events.hasNextPage}
      />
      <p className={classNames(styles.evOlder, events.hasNextPage && styles.more)}>
        {events.hasNextPage && older}
        <span className="xs muted">
          {total === null
            ? counted(rows.length, 'event')
            : `${formatNumber(rows.length)} of ${formatNumber(Math.max(total, rows.length))}`}
        </span>
      </p>
      {events.isFetchNextPageError && (
        <p className={styles.evOlder} role="alert">
          {errorSentence(events.error, 'Failed to load older events')}
        </p>
      )}
    </div>
  );
}
