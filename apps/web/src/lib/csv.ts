import type { WorkflowSummary } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { csvLine } from '@stet/presentation/csv';
import { shownStatuses } from './workflow-state.ts';

/** A column of a list as a CSV file: its title, and the cell of a row. Null is an empty cell. */
export type CsvColumn<Row> = readonly [title: string, cell: (row: Row) => string | number | null];

/** Reads a page of a list; `next` is the cursor of the following one, or null. */
export type ReadPage<Row> = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<{ rows: readonly Row[]; next: string | null }>;

type CsvOptions = { signal: AbortSignal; onProgress: (rows: number) => void };

/** Reads all pages of a list. Returns its lines: the titles of the columns, and one for each row. */
export async function readCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  readPage: ReadPage<Row>,
  { signal, onProgress }: CsvOptions,
): Promise<string[]> {
  const lines = [csvLine(columns.map(([title]) => title))];
  let cursor: string | undefined;
  do {
    const { rows, next } = await readPage(cursor, signal);
    signal.throwIfAborted();
    lines.push(...rows.map((row) => csvLine(columns.map(([, cell]) => String(cell(row) ?? '')))));
    onProgress(lines.length - 1);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return lines;
}

/** The columns of a list of workflows. */
export const WORKFLOW_COLUMNS: readonly CsvColumn<WorkflowSummary>[] = [
  ['Title', ({ key, metadata }) => displayTitle(key, metadata.title)],
  ['Key', ({ key }) => key],
  ['Status', (workflow) => shownStatuses(workflow).join(' ')],
  ['Live Version', ({ version }) => version?.number ?? null],
  ['Steps', ({ stepsCount }) => stepsCount],
  ['Tags', ({ tags }) => tags.join(', ')],
  ['Owner', ({ owner }) => owner.name],
  ['Created By', ({ creator }) => creator.name],
  ['Updated At', ({ updatedAt }) => updatedAt],
];
