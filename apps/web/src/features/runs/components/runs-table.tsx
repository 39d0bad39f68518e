import type { RunSort } from '@stet/contract';
import { dueInWords } from '@stet/presentation/duration-in-words';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, memo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { paths } from '../../../lib/paths.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Who } from '../../../ui/avatar.tsx';
import { StatusBadge } from '../../../ui/badge.tsx';
import { ButtonLink, Pressable } from '../../../ui/button.tsx';
import { ChoiceInput } from '../../../ui/check-row.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Duration, Moment } from '../../../ui/moment.tsx';
import { Priority } from '../../../ui/priority.tsx';
import { SlaBadge } from '../../../ui/sla-badge.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { Table, TableHead, TableSkeleton } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import type { ListedRun } from '../api/use-runs.ts';
import { needsAttention } from '../model/run-filters.ts';
import { runTitle } from '../model/run-title.ts';
import { assigneeWord } from '../model/waits-for.ts';
import styles from './runs-table.module.css';

const COLUMNS: readonly (Column & { sort?: RunSort })[] = [
  { name: 'Run Name', className: styles.nm, sort: 'name' },
  { name: 'Workflow', className: styles.wf },
  { name: 'Now', className: styles.now },
  { name: 'With', className: styles.who },
  { name: 'Due', className: styles.due, sort: 'due' },
  { name: 'Priority', className: styles.pr, sort: 'priority' },
  { name: 'Status', className: styles.st },
  { name: 'SLA', className: styles.sl },
  { name: 'Trend', className: styles.tr },
  { name: 'Duration', className: styles.du, sort: 'newest' },
  { name: 'Actions', className: styles.actions },
];

type RunsTableProps = {
  runs: readonly ListedRun[];
  sort: RunSort;
  onSort: (sort: RunSort) => void;
  /** Ids of the runs that the person has ticked. */
  ticked: ReadonlySet<string>;
  onTick: (ticked: ReadonlySet<string>) => void;
  selectedId: string | null;
  /** Null clears the selection. */
  onSelect: (runId: string | null) => void;
  onOpen: (runId: string) => void;
};

/**
 * The runs as rows. Arrow keys move the selection, Space or a click selects, and Enter opens. `useRunSelection` handles
 * Escape.
 */
export function RunsTable({ runs, sort, onSort, ticked, onTick, selectedId, onSelect, onOpen }: RunsTableProps) {
  const { personOf } = usePeople();
  const tick = useTicks(runs, ticked, onTick);
  // The index of the first run that doesn't need attention. With this sort order, those that do come first.
  const firstOther = sort === 'attention' ? runs.findIndex((run) => !needsAttention(run)) : -1;
  const hasGroups = sort === 'attention' && runs.length > 0 && firstOther !== 0;
  const focusable = runs.some(({ id }) => id === selectedId) ? selectedId : runs[0]?.id;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, run: ListedRun) => {
    // If the checkbox or link in the row has the focus, that element handles the keys.
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
    <Table className={styles.runs} role="grid" aria-label="Runs">
      <TableHead
        columns={headOf({
          sort,
          onSort,
          isAll: ticked.size > 0 && runs.every(({ id }) => ticked.has(id)),
          onAll: tick.all,
        })}
      />
      <tbody>
        {runs.map((run, at) => (
          <Fragment key={run.id}>
            {hasGroups && at === 0 && <GroupRow>Needs attention</GroupRow>}
            {hasGroups && at === firstOther && <GroupRow>Other runs</GroupRow>}
            <tr
              data-run-id={run.id}
              tabIndex={run.id === focusable ? 0 : -1}
              aria-selected={run.id === selectedId}
              onClick={() => onSelect(run.id)}
              onKeyDown={(event) => onKey(event, run)}
            >
              <td className={styles.tick}>
                <ChoiceInput
                  kind="checkbox"
                  aria-label={`Select ${runTitle(run)}`}
                  checked={ticked.has(run.id)}
                  onClick={(event) => {
                    event.stopPropagation();
                    tick.one(at, event.shiftKey);
                  }}
                  onChange={() => undefined}
                />
              </td>
              <RunCells run={run} personOf={personOf} />
            </tr>
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function neighborRow(row: HTMLTableRowElement, key: string): HTMLTableRowElement | null {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
  const rows = [...(row.parentElement?.querySelectorAll<HTMLTableRowElement>('tr[data-run-id]') ?? [])];
  return rows[rows.indexOf(row) + (key === 'ArrowDown' ? 1 : -1)] ?? null;
}

function GroupRow({ children }: { children: string }) {
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={COLUMNS.length + 1}>
        {children}
      </th>
    </tr>
  );
}

type HeadProps = { sort: RunSort; onSort: (sort: RunSort) => void; isAll: boolean; onAll: () => void };

/**
 * Columns that sort the list have a button. A second click on Duration, which sorts by start time, reverses the order.
 */
function headOf({ sort, onSort, isAll, onAll }: HeadProps): Column[] {
  const all = <ChoiceInput kind="checkbox" aria-label="Select all shown runs" checked={isAll} onChange={onAll} />;
  return [
    { name: '', className: styles.tick, head: all },
    ...COLUMNS.map(({ sort: by, ...column }) => {
      if (!by) return column;
      const isByStart = by === 'newest' && (sort === 'newest' || sort === 'oldest');
      const next = sort === 'newest' && by === 'newest' ? 'oldest' : by;
      const isDescending = by === 'priority' || sort === 'oldest';
      return {
        ...column,
        sorted:
          sort === by || isByStart ? (isDescending ? ('descending' as const) : ('ascending' as const)) : undefined,
        head: (
          <Pressable className={styles.sort} onClick={() => onSort(next)}>
            {column.name}
            {(sort === by || isByStart) && <Icon of={isDescending ? ArrowDown : ArrowUp} size="s" />}
          </Pressable>
        ),
      };
    }),
  ];
}

/** Ticks or unticks one run, all runs or, with Shift, every run from the last clicked one to this one. */
function useTicks(
  runs: readonly ListedRun[],
  ticked: ReadonlySet<string>,
  onTick: (ticked: ReadonlySet<string>) => void,
) {
  const [last, setLast] = useState<string | null>(null);
  return {
    one: (at: number, isRange: boolean) => {
      const from = isRange ? runs.findIndex(({ id }) => id === last) : -1;
      const ids = runs
        .slice(...(from < 0 ? [at, at + 1] : [Math.min(from, at), Math.max(from, at) + 1]))
        .map(({ id }) => id);
      const id = runs[at]?.id ?? '';
      const isOn = !ticked.has(id);
      onTick(new Set(isOn ? [...ticked, ...ids] : [...ticked].filter((each) => !ids.includes(each))));
      setLast(id);
    },
    all: () => onTick(new Set(runs.every(({ id }) => ticked.has(id)) ? [] : runs.map(({ id }) => id))),
  };
}

type PersonOf = ReturnType<typeof usePeople>['personOf'];

/** Memoized, because selecting a run renders the table again. */
const RunCells = memo(function RunCells({ run, personOf }: { run: ListedRun; personOf: PersonOf }) {
  const title = runTitle(run);
  return (
    <>
      <td className={classNames('trunc', styles.nm)} title={title}>
        {title}
      </td>
      <td className={classNames('trunc', styles.wf)} title={run.workflowTitle}>
        {run.workflowTitle || run.workflowKey}
      </td>
      <td className={classNames('trunc', styles.now)} title={nowWords(run)}>
        {nowWords(run)}
      </td>
      <td className={styles.who}>
        <With names={run.currentSteps.flatMap(({ waitsFor }) => waitsFor)} personOf={personOf} />
      </td>
      <td className={classNames('nowrap', styles.due)}>
        <RunDue run={run} />
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
      <td className={classNames('nowrap', styles.du)}>
        {run.status === 'running' ? <Running run={run} /> : <Duration ms={run.durationMs} finest="seconds" />}
      </td>
      <td className={styles.actions}>
        <ButtonLink size="sm" tone="quiet" to={paths.run(run.id)} onClick={(event) => event.stopPropagation()}>
          View Details<span className="vh"> of {title}</span>
        </ButtonLink>
      </td>
    </>
  );
});

const nowWords = (run: ListedRun): string => run.currentSteps.map(({ name }) => name).join(', ');

/** The first person, group or role that the run waits for, and how many more there are. */
function With({ names, personOf }: { names: readonly string[]; personOf: PersonOf }) {
  const people = [...new Set(names)]
    .map((name) => personOf(name))
    .map((who) => ({ ...who, name: assigneeWord(who.name) }));
  const [first, ...others] = people;
  if (!first) return null;
  return (
    <span className={styles.people} title={people.map(({ name }) => name).join(', ')}>
      <Who {...first} />
      {others.length > 0 && <span className="muted xs">+{others.length}</span>}
    </span>
  );
}

function RunDue({ run }: { run: ListedRun }) {
  const now = useNow(30_000);
  if (run.dueAt === null) return null;
  const due = Date.parse(run.dueAt);
  return (
    <span className={due < now ? styles.over : undefined}>
      <Moment at={run.dueAt}>{dueInWords(due, now, 'in')}</Moment>
    </span>
  );
}

function Running({ run }: { run: ListedRun }) {
  const now = useNow(1000);
  return <Duration ms={run.durationMs + Math.max(0, now - run.loadedAt)} finest="seconds" />;
}

const SKELETON: readonly Column[] = [{ name: '', className: styles.tick }, ...COLUMNS];

/** Shown while the first rows are loading. */
export function RunsTableSkeleton() {
  return (
    <Table className={styles.runs} aria-label="Runs">
      <TableHead columns={SKELETON} />
      <TableSkeleton columns={SKELETON} rows={8} />
    </Table>
  );
}
