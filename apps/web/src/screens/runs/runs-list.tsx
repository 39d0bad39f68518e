import type { ComponentProps, ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { ListedRun, useRuns } from '../../features/runs/api/use-runs.ts';
import { RunsEmpty } from '../../features/runs/components/runs-empty.tsx';
import { RunsTable, RunsTableSkeleton } from '../../features/runs/components/runs-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { AfterPatience } from '../../ui/skeleton.tsx';
import styles from '../../features/runs/components/runs-table.module.css';

type RunsListProps = {
  runs: ReturnType<typeof useRuns>;
  rows: readonly ListedRun[];
  selectedId: string | null;
  isFiltered: boolean;
  organization: Organization | null;
  onSelect: (runId: string | null) => void;
  onClearFilters: () => void;
} & Pick<ComponentProps<typeof RunsTable>, 'sort' | 'onSort' | 'ticked' | 'onTick'> & {
    /** Shown above the rows. */
    bar: ReactNode;
  };

/** The table of runs. In its place: a skeleton while it loads, an error with a retry, or an empty state. */
export function RunsList({
  runs,
  rows,
  selectedId,
  isFiltered,
  organization,
  onSelect,
  onClearFilters,
  bar,
  ...table
}: RunsListProps) {
  const navigate = useNavigate();
  const people = usePeople();
  if (runs.isPending || people.isLoading) {
    return (
      <AfterPatience label="Loading runs">
        <div className="sheet">
          <RunsTableSkeleton />
        </div>
      </AfterPatience>
    );
  }
  if (!runs.data) {
    return (
      <ErrorState title="Error loading runs" onRetry={() => void runs.refetch()}>
        {errorSentence(runs.error, 'Failed to load runs')}
      </ErrorState>
    );
  }
  if (rows.length === 0)
    return <RunsEmpty isFiltered={isFiltered} organization={organization} onClearFilters={onClearFilters} />;
  return (
    <>
      <div className="sheet">
        {bar}
        <RunsTable
          {...table}
          runs={rows}
          selectedId={selectedId}
          onSelect={onSelect}
          onOpen={(id) => void navigate(paths.run(id))}
        />
      </div>
      {runs.hasNextPage && (
        <div className={styles.runsMore}>
          <Button busy={runs.isFetchingNextPage && 'Loading…'} onClick={() => void runs.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}
