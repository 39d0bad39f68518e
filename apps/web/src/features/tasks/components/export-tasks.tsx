import type { DoneTask, Task } from '@stet/contract';
import type { CsvColumn } from '../../../lib/csv.ts';
import { ExportCsvButton } from '../../../ui/export-csv-button.tsx';
import { type TaskFilter, readDoneTasks, readTasks } from '../api/use-tasks.ts';
import { DID } from './done-list.tsx';

const COLUMNS: readonly CsvColumn<Task>[] = [
  ['Step', ({ title }) => title],
  ['Type', ({ type }) => type],
  ['Run', ({ runName }) => runName],
  ['Workflow', ({ workflowTitle }) => workflowTitle],
  ['Workflow Key', ({ workflowKey }) => workflowKey],
  ['Assigned To', ({ assignee }) => assignee],
  ['On Behalf Of', ({ onBehalfOf }) => onBehalfOf?.name ?? null],
  ['Priority', ({ priority }) => priority],
  ['Waiting Since', ({ activatedAt }) => activatedAt],
  ['Due At', ({ dueAt }) => dueAt],
  ['SLA', ({ slaState }) => slaState],
];

const DONE_COLUMNS: readonly CsvColumn<DoneTask>[] = [
  ['Done', ({ did }) => DID[did]],
  ['Step or Draft', ({ title }) => title],
  ['Run', ({ run }) => run?.name ?? null],
  ['Workflow', ({ workflowTitle }) => workflowTitle],
  ['At', ({ at }) => at],
];

/** Downloads the listed steps. Reviews and confirmations aren't in the file. */
export const ExportTasks = ({ filter }: { filter: TaskFilter }) => (
  <ExportCsvButton
    fileName="tasks.csv"
    columns={COLUMNS}
    readPage={async (cursor, signal) => {
      const { tasks, nextCursor } = await readTasks(filter, cursor, signal);
      return { rows: tasks, next: nextCursor ?? null };
    }}
  />
);

export const ExportDoneTasks = () => (
  <ExportCsvButton
    fileName="done.csv"
    columns={DONE_COLUMNS}
    readPage={async (cursor, signal) => {
      const { done, nextCursor } = await readDoneTasks(cursor, signal);
      return { rows: done, next: nextCursor ?? null };
    }}
  />
);
