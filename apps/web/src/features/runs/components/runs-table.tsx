import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Duration } from '../../../ui/moment.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { TableHead, TableSkeleton } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import type { ListedRun } from '../api/use-runs.ts';
import { runTitle } from '../model/run-title.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './runs-table.module.css';

const COLUMNS: readonly Column[] = [
  { name: 'Run Name', className: styles.nm },
  { name: 'Workflow', className: styles.wf },
  { name: 'Priority', className: styles.pr },
  { name: 'Status', className: styles.st },
  { name: 'SLA', className: styles.sl },
  { name: 'Trend', className: styles.tr },
  { name: 'Duration', className: classNames('num', styles.du) },
  { name: 'Actions', className: classNames('acts', styles.acts) },
];

type RunsTableProps = {
  runs: readonly ListedRun[];
  selectedId: string | null;
  /** Null clears the selection. */
  onSelect: (runId: string | null) => void;
  onOpen: (runId: string) => void;
};

/**
 * The runs as rows. Arrow keys move the selection, Space or a click selects, Enter opens, and Escape clears the
 * selection.
 */
export function RunsTable({ runs, selectedId, onSelect, onOpen }: RunsTableProps) {
  const focusable = runs.some(({ id }) => id === selectedId) ? selectedId : runs[0]?.id;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, run: ListedRun) => {
    // If the link in the row has the focus, its keys are for the link.
    if (event.target !== event.currentTarget) return;
    const neighbor = neighborRow(event.currentTarget, event.key);
    if (neighbor) {
      event.preventDefault();
      neighbor.focus();
      onSelect(neighbor.dataset['runId'] ?? null);
    } else if (event.key === ' ') {
      event.preventDefault();
      onSelect(run.id);
    } else if (event.key === 'Enter') {
      onOpen(run.id);
    }
  };

  return (
    <table className={classNames('table', styles.runs)} role="grid" aria-label="Runs">
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

function neighborRow(row: HTMLTableRowElement, key: string): HTMLTableRowElement | null {
  const sibling = key === 'ArrowDown' ? row.nextElementSibling : key === 'ArrowUp' ? row.previousElementSibling : null;
  return sibling instanceof HTMLTableRowElement ? sibling : null;
}

function RunCells({ run }: { run: ListedRun }) {
  const title = runTitle(run);
  return (
    <>
      <td className={classNames('trunc', styles.nm)} title={title}>
        {title}
      </td>
      <td className={classNames('trunc', styles.wf)} title={run.workflowTitle}>
        {run.workflowTitle || run.workflowKey}
      </td>
      <td className={styles.pr}>
        <Priority level={run.priority} />
      </td>
      <td className={styles.st}>
        <StatusBadge status={run.status} />
      </td>
      <td className={styles.sl}>
        <SlaBadge state={run.slaState} pill />
      </td>
      <td className={styles.tr}>
        <Sparkline shares={run.trend} state={run.slaState} />
      </td>
      <td className={classNames('num nowrap', styles.du)}>
        {run.status === 'running' ? <Running run={run} /> : <Duration ms={run.durationMs} finest="seconds" />}
      </td>
      <td className={classNames('acts', styles.acts)}>
        <Link className="btn sm quiet" to={paths.run(run.id)} onClick={(event) => event.stopPropagation()}>
          View Details<span className="vh"> of {title}</span>
        </Link>
      </td>
    </>
  );
}

function Running({ run }: { run: ListedRun }) {
  const now = useNow(1000);
  return <Duration ms={run.durationMs + Math.max(0, now - run.loadedAt)} finest="seconds" />;
}

/** Shown while the first rows are loading. */
export function RunsTableSkeleton() {
  return (
    <table className={classNames('table', styles.runs)} aria-label="Runs">
      <TableHead columns={COLUMNS} />
      <TableSkeleton columns={COLUMNS} rows={8} />
    </table>
  );
}
