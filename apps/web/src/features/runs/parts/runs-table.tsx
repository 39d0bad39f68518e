import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { formatElapsed } from '../../../lib/format/duration.ts';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { TableHead, TableSkeleton } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import type { ListedRun } from '../api/use-runs.ts';
import { runTitle } from '../model/run-title.ts';
import './runs-table.css';

const COLUMNS: readonly Column[] = [
  { name: 'Run Name', className: 'nm' },
  { name: 'Workflow', className: 'wf' },
  { name: 'Priority', className: 'pr' },
  { name: 'Status', className: 'st' },
  { name: 'SLA', className: 'sl' },
  { name: 'Trend', className: 'tr' },
  { name: 'Duration', className: 'num du' },
  { name: 'Actions', className: 'acts' },
];

type RunsTableProps = {
  runs: readonly ListedRun[];
  selectedId: string | null;
  /** Null clears the selection. */
  onSelect: (runId: string | null) => void;
  onOpen: (runId: string) => void;
};

/** The runs as rows to walk: arrows move the selection, Space or a click selects, Enter opens, Escape clears. */
export function RunsTable({ runs, selectedId, onSelect, onOpen }: RunsTableProps) {
  const focusable = runs.some(({ id }) => id === selectedId) ? selectedId : runs[0]?.id;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, run: ListedRun) => {
    // Keys in the row's own link belong to the link.
    if (event.target !== event.currentTarget) return;
    const neighbour = neighbourRow(event.currentTarget, event.key);
    if (neighbour) {
      event.preventDefault();
      neighbour.focus();
      onSelect(neighbour.dataset['runId'] ?? null);
    } else if (event.key === ' ') {
      event.preventDefault();
      onSelect(run.id);
    } else if (event.key === 'Enter') {
      onOpen(run.id);
    }
  };

  return (
    <table className="table runs" role="grid" aria-label="Runs">
      <TableHead columns={COLUMNS} />
      <tbody>
        {runs.map((run) => (
          <tr
            key={run.id}
            data-run-id={run.id}
            tabIndex={run.id === focusable ? 0 : -1}
            aria-selected={run.id === selectedId}
            onClick={() => onSelect(run.id)}
            onKeyDown={(event) => onKey(event, run)}
          >
            <RunCells run={run} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function neighbourRow(row: HTMLTableRowElement, key: string): HTMLTableRowElement | null {
  const sibling = key === 'ArrowDown' ? row.nextElementSibling : key === 'ArrowUp' ? row.previousElementSibling : null;
  return sibling instanceof HTMLTableRowElement ? sibling : null;
}

function RunCells({ run }: { run: ListedRun }) {
  const title = runTitle(run);
  return (
    <>
      <td className="nm trunc" title={title}>
        {title}
      </td>
      <td className="wf trunc" title={run.workflowTitle}>
        {run.workflowTitle || run.workflowKey}
      </td>
      <td className="pr">
        <Priority level={run.priority} />
      </td>
      <td className="st">
        <StatusBadge status={run.status} />
      </td>
      <td className="sl">
        <SlaBadge state={run.slaState} pill />
      </td>
      <td className="tr">
        <Sparkline shares={run.trend} state={run.slaState} />
      </td>
      <td className="num du nowrap">
        {run.status === 'running' ? <Running run={run} /> : formatElapsed(run.durationMs)}
      </td>
      <td className="acts">
        <Link className="btn sm quiet" to={paths.run(run.id)} onClick={(event) => event.stopPropagation()}>
          View Details<span className="vh"> of {title}</span>
        </Link>
      </td>
    </>
  );
}

function Running({ run }: { run: ListedRun }) {
  const now = useNow(1000);
  return <>{formatElapsed(run.durationMs + Math.max(0, now - run.loadedAt))}</>;
}

/** The table before its first rows came. */
export function RunsTableSkeleton() {
  return (
    <table className="table runs" aria-label="Runs">
      <TableHead columns={COLUMNS} />
      <TableSkeleton columns={COLUMNS} rows={8} />
    </table>
  );
}
