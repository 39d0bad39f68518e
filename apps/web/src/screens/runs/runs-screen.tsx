import { Lock } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useExportRuns } from '../../features/runs/api/use-exports.ts';
import { useRunPeople } from '../../features/runs/api/use-run-people.ts';
import { useRunCount, useRuns, useWorkflowChoices } from '../../features/runs/api/use-runs.ts';
import { ALL_RUNS, isFiltered, readFilters, sortOf, writeFilters } from '../../features/runs/model/run-filters.ts';
import type { RunFilters } from '../../features/runs/model/run-filters.ts';
import { BulkBar } from '../../features/runs/components/bulk-bar.tsx';
import { SavedViews } from '../../features/runs/components/saved-views.tsx';
import { RunFilterBar } from '../../features/runs/components/run-filter-bar.tsx';
import { RunPanel } from '../../features/runs/components/run-panel.tsx';
import { useTags } from '../../features/documentation/api/use-found-workflows.ts';
import { useVersionNumbers } from '../../features/documentation/api/use-workflow.ts';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { RunViews } from '../../features/insights/components/run-views.tsx';
import { useCurrentAt } from '../../lib/events/live-updates.tsx';
import { useCan, useOrganization, useSignedIn } from '../../lib/session/signed-in.ts';
import { paths } from '../../lib/paths.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { Split } from '../../ui/side-panel.tsx';
import { RunExports } from './run-exports.tsx';
import { RunsHeader } from './runs-header.tsx';
import { RunsList } from './runs-list.tsx';
import { useFigureWords } from './use-figure-words.ts';
import { useRunSelection } from './use-run-selection.ts';

const TRAIL = [{ label: 'Dashboard', to: paths.app }, { label: 'Runs' }];

/** The maximum number of selected runs in one export or bulk action. */
const MAX_TICKED = 100;

/** `/app/runs` (specification, section 2), for members who can see runs. Others see a message instead. */
export function RunsScreen() {
  const { source, user } = useSignedIn();
  const canSee = useCan('workflow.read');
  // The token contains neither permissions nor organizations. Until the server has sent them, show the list.
  if (source === 'server' && !user.currentOrgId) return <NoRuns title="Runs">No organization selected.</NoRuns>;
  if (source === 'server' && !canSee) {
    return (
      <NoRuns title="No access to runs">You don't have permission to view workflow runs in this organization.</NoRuns>
    );
  }
  return <Runs />;
}

function NoRuns({ title, children }: { title: string; children: string }) {
  return (
    <div className="page">
      <PageTitle>Runs</PageTitle>
      <Breadcrumbs trail={TRAIL} />
      <h1 className="title vh">Runs</h1>
      <EmptyState icon={Lock} title={title}>
        {children}
      </EmptyState>
    </div>
  );
}

function Runs() {
  const [address, setAddress] = useSearchParams();
  const organization = useOrganization();
  const canExport = useCan('audit.export');
  const filters = readFilters(address);
  const runs = useRuns(filters);
  const count = useRunCount();
  const workflows = useWorkflowChoices();
  const versions = useVersionNumbers(filters.workflow, filters.version);
  const people = useRunPeople();
  const tags = useTags();
  const figure = useFigureWords(filters);
  const exportRuns = useExportRuns();
  const canControl = useCan('run.control');
  const canStart = useCan('run.start');
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const rows = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  // Runs that are no longer in the list aren't selected.
  const chosen = rows.filter(({ id }) => ticked.has(id)).slice(0, MAX_TICKED);
  const change = (next: RunFilters) => setAddress(writeFilters(next), { replace: true });
  const currentAt = useCurrentAt({ loadedAt: runs.dataUpdatedAt, isStale: runs.isFetching || runs.isError });
  const refresh = () => void Promise.all([runs.refetch(), count.refetch()]);
  const { selected, select } = useRunSelection(rows, refresh);
  // The row is highlighted in the next paint, and the panel may appear in a later one.
  const shown = useDeferredValue(selected);

  return (
    <Split panel={shown && <RunPanel key={shown.id} run={shown} onClose={() => select(null)} />}>
      <PageTitle>Runs</PageTitle>
      <Breadcrumbs trail={TRAIL} />
      {filters.workflow && <WorkflowTabs workflowKey={filters.workflow} current="runs" />}
      <RunViews current="list" workflow={filters.workflow} version={filters.version} />
      <RunsHeader
        organization={organization}
        count={count.data ?? null}
        onlyWorkflow={workflows.data?.find(({ key }) => key === filters.workflow) ?? null}
        startable={canStart ? (workflows.data?.filter(({ version }) => version !== null) ?? []) : []}
        listed={isFiltered(filters) && runs.data ? { rows: rows.length, hasMore: runs.hasNextPage } : null}
        currentAt={currentAt}
        hasFailed={runs.isRefetchError}
        isRefreshing={runs.isFetching && !runs.isFetchingNextPage}
        onRefresh={refresh}
      />
      <RunFilterBar
        filters={filters}
        workflows={workflows.data ?? []}
        versions={versions}
        people={people}
        tags={tags.data?.map(({ tag }) => tag) ?? []}
        figure={figure}
        onChange={change}
        views={<SavedViews query={writeFilters(filters).toString()} onOpen={(query) => setAddress(query)} />}
      >
        <RunExports filters={filters} canExportAudit={canExport} />
      </RunFilterBar>
      <RunsList
        runs={runs}
        rows={rows}
        selectedId={selected?.id ?? null}
        isFiltered={isFiltered(filters)}
        organization={organization}
        onSelect={select}
        onClearFilters={() => change({ ...ALL_RUNS, sort: filters.sort })}
        sort={sortOf(filters)}
        onSort={(sort) => change({ ...filters, sort })}
        ticked={new Set(chosen.map(({ id }) => id))}
        onTick={setTicked}
        bar={
          chosen.length > 0 && (
            <BulkBar
              runs={chosen}
              canControl={canControl}
              isExporting={exportRuns.isPending}
              onExport={() => exportRuns.mutate({ filters: ALL_RUNS, ids: chosen.map(({ id }) => id) })}
              onClear={() => setTicked(new Set())}
            />
          )
        }
      />
    </Split>
  );
}
